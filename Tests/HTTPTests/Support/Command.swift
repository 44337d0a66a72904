import Glibc

/// A process whose output is read line by line. Foundation's `Process` notices an end by a descriptor that other
/// children, those of exit tests for one, inherit and keep open, so its wait may never return.
final class Command {
    private let process: pid_t
    private let output: UnsafeMutablePointer<FILE>

    struct SpawnFailure: Error { var code: Int32 }

    init(_ arguments: [String]) throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw SpawnFailure(code: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        for standard in [0, 2] as [Int32] {
            posix_spawn_file_actions_addopen(&actions, standard, "/dev/null", O_RDWR, 0)
        }
        var words = arguments.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process = pid_t()
        let code = posix_spawn(&process, arguments[0], &actions, nil, &words, environ)
        close(ends[1])
        guard code == 0, let output = fdopen(ends[0], "r") else { throw SpawnFailure(code: code) }
        self.process = process
        self.output = output
    }

    /// Without its line break; `nil` at the end.
    func readLine() -> String? {
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(line) }
        guard getline(&line, &capacity, output) > 0, let line else { return nil }
        return String(String(cString: line).prefix { !$0.isNewline })
    }

    /// Kills the process, should it still run (the pool's threads block milder signals, and children inherit that).
    func end() {
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
        fclose(output)
    }
}
