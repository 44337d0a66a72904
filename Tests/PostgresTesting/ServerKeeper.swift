import Foundation
import Synchronization

/// A shell script that runs a server for this process.
///
/// It reads commands line by line from its standard input and answers each with a line. At the end of the input, which
/// also comes when this process dies, it stops its server and removes its files.
final class ServerKeeper: Sendable {
    private let process: StartedProcess
    private let isTalking = Mutex(())
    private let isClosed = Mutex(false)

    init(script: String, arguments: [String]) throws {
        process = try StartedProcess(["/bin/sh", "-c", Self.prelude + script, "keeper"] + arguments)
    }

    /// Sends a command and waits for its answer.
    ///
    /// - Throws: `TestingFailure` when the answer is not `ok`.
    func tell(_ command: String) async throws {
        try await Program.onThread { [self] in
            let answer = isTalking.withLock { _ in
                process.write(command + "\n")
                return process.readLine()
            }
            guard answer == "ok" else {
                throw TestingFailure("'\(command)' failed: \(answer ?? "") \(process.errorText)")
            }
        }
    }

    /// Ends the keeper and its server, and waits until both are gone.
    func close() async {
        let isFirst = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return !isClosed
        }
        guard isFirst else { return }
        process.closeInput()
        _ = try? await Program.onThread { [process] in process.waitForEnd() }
    }

    /// `as_server` runs a program as the user `postgres`, since PostgreSQL and PgBouncer refuse root.
    private static let prelude = """
        set -u
        trap '' PIPE INT TERM HUP
        folder=$1
        cd "$folder"
        as_server() {
            if [ "$(id -u)" -eq 0 ]; then
                setpriv --reuid=postgres --regid=postgres --init-groups -- "$@"
            else
                "$@"
            fi
        }
        [ "$(id -u)" -ne 0 ] || chown postgres:postgres "$folder"

        """
}
