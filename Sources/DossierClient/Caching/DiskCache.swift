internal import Foundation

/// Encoded answers in files: a folder for each account, in it one for each path, in it one file for each answer.
///
/// Names of files are digests: they show nothing of what the user asked.
final class DiskCache {
    private let folder: URL
    /// Bytes; `nil` evicts nothing.
    private let limit: Int?
    /// Bytes, as far as this process knows; counted at the first write.
    private var size: Int?

    init(folder: URL, limit: Int?) {
        self.folder = folder
        self.limit = limit
    }

    /// Reads an answer; a file that is not there, or not readable, or another answer's is a miss.
    func read<Value: Codable & Sendable>(_ key: AnswerKey, as type: Value.Type) -> MemoryCache.Item? {
        let file = file(key)
        guard let data = try? Data(contentsOf: file),
            let answer = try? JSONDecoder.dossier.decode(StoredAnswer<Value>.self, from: data),
            answer.name == key.name, answer.account == key.account
        else { return nil }
        if limit != nil {
            try? FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: file.path)
        }
        return MemoryCache.Item(value: answer.value, storedAt: answer.storedAt, tag: answer.tag, size: data.count)
    }

    /// Stores an answer, if the disk takes it: a cache that cannot is slower, not wrong.
    func write(_ data: Data, for key: AnswerKey) {
        guard (try? StoredFiles.write(data, to: file(key))) != nil, let limit else { return }
        let size = (size ?? StoredFiles.list(folder).reduce(-data.count) { $0 + $1.size }) + data.count
        self.size = size
        if size > limit { evict(to: limit) }
    }

    func remove(_ key: AnswerKey) { try? FileManager.default.removeItem(at: file(key)) }

    func remove(_ key: ResponseCache.PathKey) { try? FileManager.default.removeItem(at: pathFolder(key)) }

    func removeAll(account: String?) {
        try? FileManager.default.removeItem(at: account.map(accountFolder) ?? folder)
        size = nil
    }

    /// The least recently used go first.
    private func evict(to limit: Int) {
        let files = StoredFiles.list(folder).sorted { $0.usedAt < $1.usedAt }
        var size = files.reduce(0) { $0 + $1.size }
        for file in files where size > limit {
            try? FileManager.default.removeItem(at: file.file)
            size -= file.size
        }
        self.size = size
    }

    private func accountFolder(_ account: String) -> URL {
        folder.appendingPathComponent(StoredFiles.name(of: account))
    }

    private func pathFolder(_ key: ResponseCache.PathKey) -> URL {
        accountFolder(key.account).appendingPathComponent(StoredFiles.name(of: key.path))
    }

    private func file(_ key: AnswerKey) -> URL {
        pathFolder(key.pathKey).appendingPathComponent(StoredFiles.name(of: key.name) + ".json")
    }
}
