/// The bytes of a delivery as they come due.
struct DeliverySequence: AsyncSequence, Sendable {
    typealias Element = [UInt8]
    typealias Failure = Never

    let steps: [Delivery.Step]
    let sleep: @Sendable (Duration) async throws -> Void
    /// Called once, with whether every byte was handed over.
    let onEnd: @Sendable (_ isWhole: Bool) -> Void

    func makeAsyncIterator() -> Iterator { Iterator(steps: steps, sleep: sleep, ending: Ending(onEnd)) }

    struct Iterator: AsyncIteratorProtocol {
        let steps: [Delivery.Step]
        let sleep: @Sendable (Duration) async throws -> Void
        let ending: Ending
        var position = 0

        mutating func next() async -> [UInt8]? { await next(isolation: nil) }

        mutating func next(isolation actor: isolated (any Actor)?) async -> [UInt8]? {
            while position < steps.count, !Task.isCancelled {
                let step = steps[position]
                position += 1
                switch step {
                case .send(let bytes): return bytes
                case .wait(let duration): try? await sleep(duration)
                case .stall: await Self.untilCancelled()
                case .breakOff: return ending.end(isWhole: false)
                }
            }
            return ending.end(isWhole: position == steps.count && !Task.isCancelled)
        }

        /// Waits for the client to leave or the server to stop.
        static func untilCancelled() async {
            let (never, _) = AsyncStream.makeStream(of: Never.self)
            for await _ in never {}
        }
    }

    /// Reports the end when nobody asks for more, too.
    final class Ending: Sendable {
        private let report: OnceOnly

        init(_ onEnd: @escaping @Sendable (Bool) -> Void) { report = OnceOnly(onEnd) }

        func end(isWhole: Bool) -> [UInt8]? {
            report.call(isWhole)
            return nil
        }

        deinit { report.call(false) }
    }
}
