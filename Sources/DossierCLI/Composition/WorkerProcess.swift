import Foundation

/// A `dossier worker` as a process of its own, started by this one and ending with it.
final class WorkerProcess: Sendable {
    /// Unchecked: used from one task; `Process` is not marked as safe to hand over.
    private struct Handle: @unchecked Sendable {
        let process: Process
        /// Its end tells the worker that this process is gone.
        let lifeline: Pipe
    }

    private let handle: Handle

    var processID: Int32 { handle.process.processIdentifier }

    /// Starts the worker; what it logs goes to a file.
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

    /// Asks it to drain and waits until it is gone; one that does not go is ended.
    func stop() async {
        let process = handle.process
        guard process.isRunning else { return }
        process.terminate()
        for _ in 0..<100 where process.isRunning { try? await Task.sleep(for: .milliseconds(50)) }
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }
}
