import Glibc

/// Programs that tests kill.
package enum ProgramToKill {
    /// Starts a program, kills it once it has said so many lines, and returns all that it said.
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
