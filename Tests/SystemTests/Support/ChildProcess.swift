import Foundation
import Glibc
import JSON
import Synchronization

/// A process of the product, started by a test and never outliving it.
final class ChildProcess: Sendable {
    /// The way in which a process ended.
    enum Exit: Hashable, Sendable {
        case code(Int32)
        case signal(Int32)
    }

    let processID: pid_t
    let output = LogLines()
    let errors = LogLines()
    private let exit = Once<Exit>()
    /// Whether the process was waited for: from then on its number may belong to another.
    private let isReaped = Mutex(false)

    /// Starts an executable with exactly these variables; no descriptor but the three standard ones goes along.
    init(_ arguments: [String], environment: [String: String]) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let output = try Pipe()
        let errors = try Pipe()
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output.writing, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, errors.writing, STDERR_FILENO)
        guard let closeFrom = Self.closeFrom, closeFrom(&actions, 3) == 0 else {
            throw SystemFailure("descriptors cannot be kept from a child")
        }
        let words = arguments.map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for word in words + variables { free(word) } }
        var process: pid_t = 0
        let problem = posix_spawn(&process, arguments[0], &actions, nil, words, variables)
        close(output.writing)
        close(errors.writing)
        guard problem == 0 else {
            close(output.reading)
            close(errors.reading)
            throw SystemFailure("\(arguments[0]) cannot be started: \(String(cString: strerror(problem)))")
        }
        processID = process
        let readers = DispatchGroup()
        Self.read(output.reading, into: self.output, readers)
        Self.read(errors.reading, into: self.errors, readers)
        Thread.detachNewThread { [self] in
            let exit = waitForExit()
            // The end is announced after all output was read.
            readers.wait()
            self.exit.set(exit)
        }
    }

    /// Sends a signal, unless the process has ended.
    func signal(_ number: Int32) {
        isReaped.withLock { isReaped in
            if !isReaped { kill(processID, number) }
        }
    }

    /// Whether the process has ended by now.
    var hasEnded: Bool { isReaped.withLock { $0 } }

    /// The end of the process; `nil` while it runs.
    func ended() async throws -> Exit {
        guard let exit = await exit.value() else { throw CancellationError() }
        return exit
    }

    /// Ends the process as a crash would, and waits until it is gone.
    func crash() async throws {
        signal(SIGKILL)
        _ = try await ended()
    }

    private func waitForExit() -> Exit {
        var information = siginfo_t()
        while waitid(P_PID, id_t(processID), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        var status: Int32 = 0
        isReaped.withLock { isReaped in
            while waitpid(processID, &status, 0) < 0, errno == EINTR {}
            isReaped = true
        }
        let signal = status & 0x7F
        return signal == 0 ? .code((status >> 8) & 0xFF) : .signal(signal)
    }

    private static func read(_ descriptor: Int32, into lines: LogLines, _ group: DispatchGroup) {
        group.enter()
        Thread.detachNewThread {
            var rest: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 16_384)
            while true {
                let count = Glibc.read(descriptor, &chunk, chunk.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                rest += chunk[..<count]
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    lines.add(String(decoding: rest[..<end], as: UTF8.self))
                    rest.removeSubrange(...end)
                }
            }
            if !rest.isEmpty { lines.add(String(decoding: rest, as: UTF8.self)) }
            close(descriptor)
            lines.end()
            group.leave()
        }
    }

    private typealias CloseFrom =
        @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, CInt) -> CInt

    /// A child that held a copy of the simulator's sockets would keep connections open that the simulator cuts. The
    /// function is in no header that Swift imports.
    private static var closeFrom: CloseFrom? {
        dlsym(nil, "posix_spawn_file_actions_addclosefrom_np").map { unsafeBitCast($0, to: CloseFrom.self) }
    }

    private struct Pipe {
        let reading: Int32
        let writing: Int32

        init() throws {
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { throw SystemFailure("no pipe can be made") }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            (reading, writing) = (ends[0], ends[1])
        }
    }
}

/// The lines that a process writes to one of its streams; tests wait for them.
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

    /// The log records with that message.
    func records(_ message: String) -> [JSON] {
        all.compactMap { try? JSON(parsing: $0) }.filter { $0["message"]?.string == message }
    }
}

/// Why a test cannot go on.
struct SystemFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
