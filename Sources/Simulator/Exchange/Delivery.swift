internal import Synchronization

/// The steps in which an answer goes out.
struct Delivery: Sendable {
    enum Step: Sendable {
        /// `tokens` counts the generated tokens among the bytes.
        case send([UInt8], tokens: Int = 0)
        case wait(Duration)
        /// Nothing more comes, and the connection stays open.
        case stall
        /// The connection breaks off.
        case breakOff
    }

    var steps: [Step]

    /// Of the faults, only those that concern the way an answer goes out matter here.
    init(_ answer: Answer, pacing: Pacing, fault: FaultAction?) {
        var firstByte = pacing.firstByte
        var perDelta = Duration.zero
        if case .slow(let first, let each) = fault { (firstByte, perDelta) = (first, each) }
        steps = firstByte > .zero ? [.wait(firstByte)] : []
        if case .lostAnswer = fault {
            steps.append(.breakOff)
            return
        }
        switch answer.body {
        case .whole(let bytes):
            if let drip = Self.drip(fault, of: bytes[...], ping: [UInt8(ascii: " ")]) {
                steps += drip
                return
            }
            let pause = pacing.duration(ofTokens: answer.tokens)
            if pause > .zero { steps.append(.wait(pause)) }
            // A body is sent once all of it was generated.
            let half = Step.send(Array(bytes.prefix(bytes.count / 2)), tokens: answer.tokens)
            if case .cut = fault {
                steps += [half, .breakOff]
            } else if case .stallMidStream = fault {
                steps += [half, .stall]
            } else {
                steps.append(.send(bytes))
            }
        case .pieces(let pieces):
            if case .drip(let after, _) = fault {
                let head = ServiceRouter.head(of: pieces, deltas: after)
                steps += head.map { .send($0.bytes, tokens: $0.tokens) }
                let rest = pieces.dropFirst(head.count).flatMap(\.bytes)
                steps += Self.drip(fault, of: rest[...], ping: []) ?? []
            } else if case .pings = fault {
                let head = ServiceRouter.head(of: pieces, deltas: 0)
                steps += head.map { .send($0.bytes, tokens: $0.tokens) }
                let ping = Array(": ping\n\n".utf8) + (head.last?.bytes ?? [])
                steps += Self.drip(fault, of: [], ping: ping) ?? []
            } else {
                add(pieces, pacing, perDelta, fault)
            }
        }
    }

    /// The most pauses of a delivery that drips; it stalls after them, which is hours later.
    private static let longestDrip = 2_000

    /// The steps of a delivery that drips or pings for ever; `nil` for other faults.
    private static func drip(_ fault: FaultAction?, of bytes: ArraySlice<UInt8>, ping: [UInt8]) -> [Step]? {
        switch fault {
        case .drip(_, let every): bytes.prefix(longestDrip).flatMap { [.wait(every), .send([$0])] } + [.stall]
        case .pings(let every): (0..<longestDrip).flatMap { _ in [.wait(every), .send(ping)] } + [.stall]
        default: nil
        }
    }

    private mutating func add(
        _ pieces: [Answer.Piece], _ pacing: Pacing, _ perDelta: Duration, _ fault: FaultAction?
    ) {
        let (last, ending): (Int, Step?) =
            switch fault {
            case .cut(let after): (after, .breakOff)
            case .stallMidStream(let after): (after, .stall)
            default: (.max, nil)
            }
        var deltas = 0
        for piece in pieces {
            if piece.tokens > 0 {
                if deltas >= last { break }
                deltas += 1
                let pause = pacing.duration(ofTokens: piece.tokens) + perDelta
                if pause > .zero { steps.append(.wait(pause)) }
            }
            steps.append(.send(piece.bytes, tokens: piece.tokens))
        }
        guard let ending else { return }
        // A stream with fewer deltas must not get its end either: it would be whole.
        if deltas < last { steps = Array(steps.prefix(max(1, steps.count / 2))) }
        // Half of a line is worse than whole lines: a reader must not take it for an event.
        if let delta = pieces.first(where: { $0.tokens > 0 }) {
            steps.append(.send(Array(delta.bytes.prefix(delta.bytes.count / 2))))
        }
        steps.append(ending)
    }

    var breaksOff: Bool { steps.contains { if case .breakOff = $0 { true } else { false } } }

    /// The whole body, when it goes out at once.
    var immediate: [UInt8]? {
        guard steps.count == 1, case .send(let bytes, _) = steps[0] else { return nil }
        return bytes
    }
}

/// The bytes of a delivery as they come due.
struct DeliverySequence: AsyncSequence, Sendable {
    typealias Element = [UInt8]
    typealias Failure = Never

    let steps: [Delivery.Step]
    let sleep: @Sendable (Duration) async throws -> Void
    /// Called with the generated tokens that go out.
    let onTokens: @Sendable (Int) -> Void
    /// Called once, with whether every byte was handed over.
    let onEnd: @Sendable (_ isWhole: Bool) -> Void

    func makeAsyncIterator() -> Iterator {
        Iterator(steps: steps, sleep: sleep, onTokens: onTokens, ending: Ending(onEnd))
    }

    struct Iterator: AsyncIteratorProtocol {
        let steps: [Delivery.Step]
        let sleep: @Sendable (Duration) async throws -> Void
        let onTokens: @Sendable (Int) -> Void
        let ending: Ending
        var position = 0

        mutating func next() async -> [UInt8]? { await next(isolation: nil) }

        mutating func next(isolation actor: isolated (any Actor)?) async -> [UInt8]? {
            while position < steps.count, !Task.isCancelled {
                let step = steps[position]
                position += 1
                switch step {
                case .send(let bytes, let tokens):
                    if tokens > 0 { onTokens(tokens) }
                    return bytes
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

    /// Reports the end also when the iterator is dropped early.
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

/// Calls a closure at most once.
final class OnceOnly: Sendable {
    private let closure: Mutex<(@Sendable (Bool) -> Void)?>

    init(_ closure: @escaping @Sendable (Bool) -> Void) { self.closure = Mutex(closure) }

    func call(_ value: Bool) {
        let closure = closure.withLock { closure in
            defer { closure = nil }
            return closure
        }
        closure?(value)
    }
}
