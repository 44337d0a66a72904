import SQLSupport
import Foundation

@testable import SQLiteStore
import Basics

/// A `StoreHammer` in a process of its own.
enum HammerProcess {
    /// Starts one, kills it once it has said so many lines, and returns all that it said.
    static func run(_ path: String, worker: String, killAfter lines: Int) async -> [String] {
        await withCheckedContinuation { continuation in
            let started = Thread.start {
                continuation.resume(returning: said(path, worker: worker, killAfter: lines))
            }
            if !started { continuation.resume(returning: []) }
        }
    }

    private static func said(_ path: String, worker: String, killAfter limit: Int) -> [String] {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return [] }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        guard let process = spawn([executable, path, worker], output: ends[1]) else { return [] }
        close(ends[1])
        var output: [UInt8] = []
        var lines = 0
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(ends[0], &chunk, chunk.count)
            if count <= 0 { break }
            output += chunk[..<count]
            lines += chunk[..<count].count { $0 == 0x0A }
            if lines >= limit { kill(process, SIGKILL) }
        }
        close(ends[0])
        waitpid(process, nil, 0)
        return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private static func spawn(_ arguments: [String], output: Int32) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
        words.append(nil)
        defer { for word in words { free(word) } }
        var process: pid_t = 0
        return posix_spawn(&process, arguments[0], &actions, nil, words, environ) == 0 ? process : nil
    }

    /// Beside the test bundle, where SwiftPM puts every executable.
    private static var executable: String {
        let test = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(filePath: test ?? "").deletingLastPathComponent().appending(path: "StoreHammer").path
    }
}
