import Foundation
import Glibc

/// A failure of the test environment, not of the code under test.
package struct TestingFailure: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}

/// Programs that run to their end.
enum Program {
    /// Runs a program and returns its standard output.
    ///
    /// - Parameters:
    ///   - arguments: The path of the executable, then its arguments.
    ///   - input: Its standard input.
    /// - Returns: Its output.
    /// - Throws: `TestingFailure` with its standard error when it fails.
    static func output(of arguments: [String], input: String = "") async throws -> String {
        try await onThread {
            let process = try StartedProcess(arguments)
            process.write(input)
            process.closeInput()
            let output = process.readToEnd()
            let (code, errors) = process.waitForEnd()
            guard code == 0 else { throw TestingFailure("\(arguments[0]) failed: \(errors)") }
            return output
        }
    }

    /// Runs a blocking closure on a thread of its own.
    static func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
        }
    }
}

/// A process with pipes to its input and output. Its errors go to a file without a name.
final class StartedProcess: Sendable {
    let processID: pid_t
    private let input: Int32
    private let output: Int32
    private let errors: Int32

    /// Starts an executable in a session of its own, so that it does not get signals to the process group of the tests.
    /// It inherits only the three standard descriptors.
    init(_ arguments: [String]) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(&attributes, Self.newSession)
        let toChild = try Self.pipe()
        let fromChild = try Self.pipe()
        var template = Array("/tmp/dossier-errors-XXXXXX".utf8CString)
        errors = mkstemp(&template)
        _ = fcntl(errors, F_SETFD, FD_CLOEXEC)
        unlink(template)
        posix_spawn_file_actions_adddup2(&actions, toChild.reading, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, fromChild.writing, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
        guard let closeFrom = Self.closeFrom, closeFrom(&actions, 3) == 0 else {
            throw TestingFailure("descriptors cannot be kept from a child")
        }
        let words = arguments.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process: pid_t = 0
        let problem = posix_spawn(&process, arguments[0], &actions, &attributes, words, environ)
        close(toChild.reading)
        close(fromChild.writing)
        (input, output) = (toChild.writing, fromChild.reading)
        guard problem == 0 else {
            throw TestingFailure("\(arguments[0]) cannot be started: \(String(cString: strerror(problem)))")
        }
        processID = process
    }

    func write(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send($0) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    func closeInput() { close(input) }

    func readToEnd() -> String {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(output, &chunk, chunk.count), count > 0 { bytes += chunk[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads one line without its end; `nil` at the end of the output.
    func readLine() -> String? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while read(output, &byte, 1) == 1 {
            if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
        return nil
    }

    /// Waits for the end, and returns the exit code (or the signal, negative) and the standard error.
    func waitForEnd() -> (code: Int32, errors: String) {
        var status: Int32 = 0
        while waitpid(processID, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        defer {
            close(output)
            close(errors)
        }
        return (signal == 0 ? (status >> 8) & 0xFF : -signal, errorText)
    }

    /// The standard error received.
    var errorText: String {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = pread(errors, &bytes, bytes.count, 0)
        return String(decoding: bytes[..<max(count, 0)], as: UTF8.self)
    }

    /// Writes without a signal: a child that has ended must not end the tests.
    private func send(_ bytes: UnsafeRawBufferPointer) -> Int {
        var before = sigset_t()
        var pipe = sigset_t()
        sigemptyset(&pipe)
        sigaddset(&pipe, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &pipe, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let count = Glibc.write(input, bytes.baseAddress, bytes.count)
        if count < 0, errno == EPIPE {
            var now = timespec()
            sigtimedwait(&pipe, nil, &now)
        }
        return count
    }

    /// `POSIX_SPAWN_SETSID`, which Swift does not import.
    private static let newSession: Int16 = 0x80

    private typealias CloseFrom =
        @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, CInt) -> CInt

    /// No header that Swift imports declares the function.
    private static var closeFrom: CloseFrom? {
        dlsym(nil, "posix_spawn_file_actions_addclosefrom_np").map { unsafeBitCast($0, to: CloseFrom.self) }
    }

    private static func pipe() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else { throw TestingFailure("no pipe can be made") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }
}

/// Programs that tests kill.
package enum ProgramToKill {
    /// Starts a program, kills it after a number of lines of output, and returns all its output.
    package static func lines(of arguments: [String], killAfter limit: Int) async throws -> [String] {
        try await Program.onThread {
            let process = try StartedProcess(arguments)
            process.closeInput()
            var lines: [String] = []
            while let line = process.readLine() {
                lines.append(line)
                if lines.count == limit { kill(process.processID, SIGKILL) }
            }
            _ = process.waitForEnd()
            return lines
        }
    }
}
