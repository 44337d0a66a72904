import Basics
import Foundation
import Glibc

/// A `dossier worker` in a process of its own, which ends with this one.
final class WorkerProcess: Sendable {
    /// Unchecked: used from one task; `Process` is not marked as safe to hand over.
    private struct Handle: @unchecked Sendable {
        let process: Process
        /// Closes with this process, which the worker notices.
        let lifeline: Pipe
    }

    private let handle: Handle

    var processID: Int32 { handle.process.processIdentifier }

    /// Starts the worker; its log goes to a file.
    init(environment: [String: String], log: String) throws {
        guard FileManager.default.createFile(atPath: log, contents: nil) else {
            throw CommandFailure.failed("\(log) cannot be written")
        }
        let output = try FileHandle(forWritingTo: URL(filePath: log))
        let process = Process()
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["worker", "--attached"]
        process.environment = environment
        let lifeline = Pipe()
        process.standardInput = lifeline
        process.standardOutput = output
        process.standardError = output
        try process.run()
        handle = Handle(process: process, lifeline: lifeline)
    }

    /// Asks the worker to drain and waits until it has ended; after five seconds it is killed.
    func stop() async {
        let process = handle.process
        guard process.isRunning else { return }
        process.terminate()
        for _ in 0..<100 where process.isRunning { try? await Task.sleep(for: .milliseconds(50)) }
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }
}

/// Ends a process together with the one that started it, even if that one is killed.
enum ParentWatch {
    /// Ends this process when its standard input does. The other end of the pipe closes with the process that holds it,
    /// even if that is killed. The kernel's parent-death signal would also come when a thread of that process ends.
    static func endWithStandardInput() {
        _ = Thread.start {
            var byte: UInt8 = 0
            while true {
                let count = read(STDIN_FILENO, &byte, 1)
                if count == 0 || (count < 0 && errno != EINTR) { _exit(130) }
            }
        }
    }
}
