import Basics
import Broker
import Glibc
import JobQueue
import JSON
import Observability
import SQLiteStore

extension Command {
    static let usersExport = Command(
        path: ["users", "export"], summary: "Write everything that the service keeps of a user, as lines of JSON",
        arguments: [Argument(name: "SUBJECT", help: "The user's id, as in X-User-ID or the `sub` of a token")],
        options: [
            Option("--output", "FILE", "The file that is written, for its owner alone; '-' is standard output"),
            Option("--replace", nil, "Replace a file of that name"), .database, .json,
        ],
        notes: "The archive is read from the database at once; the file is there when it is whole."
    ) { invocation in
        let subject = try invocation.argument("SUBJECT")
        guard let path = invocation.options["--output"], !path.isEmpty else {
            throw CommandFailure.usage("--output is missing: a file, or '-' for standard output")
        }
        try await withStore(invocation) { store, settings in
            if path != "-" { try check(path, settings, replacing: invocation.has("--replace")) }
            guard let account = try await store.knownAccount(of: subject), account.id != .system else {
                throw CommandFailure.failed("there is no user '\(subject)'")
            }
            let plans = CurrentPlans(try Composition(settings: settings, logger: .silent).loadPlans())
            try await store.writeAudit(
                .commandLine("users.export", at: try await store.now(), target: subject, user: account.id))
            let file = try path == "-" ? nil : ArchiveFile(path: path, replacing: invocation.has("--replace"))
            let sink: any ArchiveSink = if let file { file } else { TerminalSink() }
            let archive = try await UserArchive(store, store, plans: plans).archive(account.id, to: sink)
            guard let archive else { throw CommandFailure.failed("there is no user '\(subject)'") }
            guard let file else { return }
            try await file.keep()
            let json: JSON = [
                "file": JSON(path), "lines": JSON(archive.lines), "made_at": JSON(archive.madeAt.iso8601),
            ]
            Terminal.print(invocation.has("--json") ? json.compact : "\(archive.lines + 1) lines in \(path)")
        }
    }

    /// Refuses a file that exists, and any that belongs to the database.
    private static func check(_ file: String, _ settings: Settings, replacing replaces: Bool) throws(CommandFailure) {
        if case .sqlite(let database) = settings.database,
            [file, file + ".part"].contains(where: { DatabaseFile.belongs($0, to: database) })
        {
            throw .failed("\(file) belongs to the database; choose another name")
        }
        do throws(PrivateFile.Failure) {
            try PrivateFile.checkName(file)
        } catch {
            throw .failed(error.description)
        }
        guard replaces || access(file, F_OK) != 0 else {
            throw .failed("\(file) exists already; --replace replaces it")
        }
    }
}

private struct TerminalSink: ArchiveSink {
    func write(_ line: String) throws {
        Terminal.print(line)
        try Terminal.checkOutput()
    }
}

/// A file that appears under its name when it is whole, and that its owner alone may read.
private actor ArchiveFile: ArchiveSink {
    private static let bufferBytes = 1 << 16

    private let path: String
    private let replaces: Bool
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var isKept = false

    private var partPath: String { path + ".part" }

    init(path: String, replacing replaces: Bool) throws(CommandFailure) {
        (self.path, self.replaces) = (path, replaces)
        do throws(PrivateFile.Failure) {
            descriptor = try PrivateFile.open(path + ".part")
        } catch {
            throw .failed(error.description)
        }
        guard ftruncate(descriptor, 0) == 0 else { throw .failed("\(path).part cannot be written: \(Self.problem)") }
    }

    deinit {
        close(descriptor)
        if !isKept { unlink(path + ".part") }
    }

    func write(_ line: String) throws {
        buffer += line.utf8
        buffer.append(UInt8(ascii: "\n"))
        if buffer.count >= Self.bufferBytes { try flush() }
    }

    /// Gives the file its name.
    func keep() throws {
        try flush()
        guard fsync(descriptor) == 0, PrivateFile.rename(partPath, to: path, replacing: replaces) else {
            throw CommandFailure.failed("\(path) cannot be written: \(Self.problem)")
        }
        isKept = true
    }

    private func flush() throws {
        var rest = buffer[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count >= 0 || errno == EINTR else {
                throw CommandFailure.failed("\(partPath) cannot be written: \(Self.problem)")
            }
            rest = rest.dropFirst(max(count, 0))
        }
        buffer.removeAll(keepingCapacity: true)
    }

    private static var problem: String { String(cString: strerror(errno)) }
}
