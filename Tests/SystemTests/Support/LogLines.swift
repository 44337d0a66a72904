import JSON
import Synchronization

/// What a process wrote to one of its streams, line by line; it can be waited for.
final class LogLines: Sendable {
    private struct State {
        var lines: [String] = []
        var hasEnded = false
        var subscribers: [AsyncStream<String>.Continuation] = []
    }

    private let state = Mutex(State())

    var all: [String] { state.withLock { $0.lines } }
    var text: String { all.joined(separator: "\n") }

    func add(_ line: String) {
        state.withLock { state in
            state.lines.append(line)
            for subscriber in state.subscribers { subscriber.yield(line) }
        }
    }

    func end() {
        state.withLock { state in
            state.hasEnded = true
            for subscriber in state.subscribers { subscriber.finish() }
            state.subscribers = []
        }
    }

    /// All lines from the first on, as they come.
    func follow() -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream<String>.makeStream()
        state.withLock { state in
            for line in state.lines { continuation.yield(line) }
            if state.hasEnded { continuation.finish() } else { state.subscribers.append(continuation) }
        }
        return stream
    }

    /// The first log record with that message, when it comes.
    func record(_ message: String) async throws -> JSON {
        for await line in follow() {
            if let record = try? JSON(parsing: line), record["message"]?.string == message { return record }
        }
        throw SystemFailure("'\(message)' was never logged; the log says:\n\(all.suffix(20).joined(separator: "\n"))")
    }

    /// The log records with that message so far.
    func records(_ message: String) -> [JSON] {
        all.compactMap { try? JSON(parsing: $0) }.filter { $0["message"]?.string == message }
    }
}

/// Why a test cannot go on.
struct SystemFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
