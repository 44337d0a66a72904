public import Foundation

/// Where submissions are stored until their outcome has been delivered.
public protocol SubmissionStore: Sendable {
    /// Adds or replaces; durable when it returns.
    func save(_ submission: SavedSubmission) async throws
    /// The submission with a key, if it is stored.
    func submission(_ id: IdempotencyKey) async throws -> SavedSubmission?
    /// All that are stored, of all accounts.
    func all() async throws -> [SavedSubmission]
    /// Forgets a submission; nothing happens when it is not stored.
    func remove(_ id: IdempotencyKey) async throws
}

/// One file for each submission, replaced atomically; a file that cannot be read is left alone and skipped.
public struct FileSubmissionStore: SubmissionStore {
    private let directory: URL

    /// Stores in a folder, which is made at the first submission.
    public init(directory: URL) { self.directory = directory }

    /// Writes the file and has the system put it on the disk.
    public func save(_ submission: SavedSubmission) async throws {
        let file = file(submission.id)
        try StoredFiles.write(try JSONEncoder.dossier.encode(submission), to: file)
        for path in [file, directory] { try StoredFiles.synchronize(path) }
    }

    /// Reads a file.
    public func submission(_ id: IdempotencyKey) async throws -> SavedSubmission? {
        read(file(id)).flatMap { $0.id == id ? $0 : nil }
    }

    /// Reads all files, the oldest submission first.
    public func all() async throws -> [SavedSubmission] {
        guard FileManager.default.fileExists(atPath: directory.path) else { return [] }
        StoredFiles.removeHalfWritten(in: directory)
        return try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "json" }.compactMap(read).sorted { $0.createdAt < $1.createdAt }
    }

    /// Removes a file.
    public func remove(_ id: IdempotencyKey) async throws {
        let file = file(id)
        do {
            try FileManager.default.removeItem(at: file)
        } catch {
            if FileManager.default.fileExists(atPath: file.path) { throw error }
        }
    }

    private func read(_ file: URL) -> SavedSubmission? {
        (try? Data(contentsOf: file)).flatMap { try? JSONDecoder.dossier.decode(SavedSubmission.self, from: $0) }
    }

    private func file(_ id: IdempotencyKey) -> URL {
        directory.appendingPathComponent(StoredFiles.name(of: id.rawValue) + ".json")
    }
}

/// Loses everything with the process: for tests and previews.
public actor MemorySubmissionStore: SubmissionStore {
    private var submissions: [IdempotencyKey: SavedSubmission] = [:]

    /// Makes an empty store.
    public init() {}
    /// Adds or replaces.
    public func save(_ submission: SavedSubmission) { submissions[submission.id] = submission }
    /// The submission with a key.
    public func submission(_ id: IdempotencyKey) -> SavedSubmission? { submissions[id] }
    /// All of them, the oldest first.
    public func all() -> [SavedSubmission] { submissions.values.sorted { $0.createdAt < $1.createdAt } }
    /// Forgets a submission.
    public func remove(_ id: IdempotencyKey) { submissions[id] = nil }
}
