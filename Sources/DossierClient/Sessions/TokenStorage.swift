public import Foundation

/// An access token, what renews it, and when it ends.
public struct TokenPair: Codable, Hashable, Sendable, CustomStringConvertible {
    /// Sent with each request.
    public let accessToken: String
    /// Sent to renew the other, once.
    public let refreshToken: String
    /// When the access token ends.
    public let expiresAt: Date

    /// Makes a pair.
    public init(accessToken: String, refreshToken: String, expiresAt: Date) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.expiresAt = expiresAt
    }

    /// Without the tokens.
    public var description: String { "TokenPair(expiresAt: \(WireTime.text(expiresAt)))" }
}

extension TokenPair: CustomDebugStringConvertible, CustomReflectable {
    /// Without the tokens.
    public var debugDescription: String { description }
    /// Without the tokens: `dump` and failing assertions print mirrors.
    public var customMirror: Mirror { Mirror(self, children: ["expiresAt": expiresAt]) }
}

/// Where tokens are kept. In apps the keychain (`docs/client.md` has an implementation), shared with extensions.
public protocol TokenStorage: Sendable {
    /// The tokens, if there are any.
    func load() async throws -> TokenPair?
    /// Stores `new` if what is stored equals `old`, atomically between processes.
    ///
    /// - Parameters:
    ///   - old: What is expected to be stored; `nil` for nothing.
    ///   - new: What is to be stored; `nil` removes the tokens.
    /// - Returns: False when something else was stored, which then stays.
    /// - Throws: What the storage cannot do.
    func replace(_ old: TokenPair?, with new: TokenPair?) async throws -> Bool
}

/// Loses the tokens with the process: for tests and previews.
public actor MemoryTokenStorage: TokenStorage {
    private var tokens: TokenPair?

    /// Begins with some tokens.
    public init(_ tokens: TokenPair? = nil) { self.tokens = tokens }

    /// The tokens, if there are any.
    public func load() -> TokenPair? { tokens }

    /// Stores `new` if what is stored equals `old`.
    public func replace(_ old: TokenPair?, with new: TokenPair?) -> Bool {
        guard tokens == old else { return false }
        tokens = new
        return true
    }
}

/// A file that only its owner may read (0600): for Linux and command line tools.
public actor FileTokenStorage: TokenStorage {
    private let file: URL

    /// Stores in a file, which is made when there are tokens.
    public init(file: URL) { self.file = file }

    /// Reads the file.
    public func load() throws -> TokenPair? {
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        return try JSONDecoder.dossier.decode(TokenPair.self, from: Data(contentsOf: file))
    }

    /// Stores `new` if what is stored equals `old`, while a lock beside the file keeps other processes out.
    public func replace(_ old: TokenPair?, with new: TokenPair?) throws -> Bool {
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        let lock = try FileLock.acquire(beside: file)
        defer { lock.release() }
        guard try load() == old else { return false }
        guard let new else {
            if old != nil { try FileManager.default.removeItem(at: file) }
            return true
        }
        let draft = file.appendingPathExtension(UUID().uuidString)
        guard
            FileManager.default.createFile(
                atPath: draft.path, contents: try JSONEncoder.dossier.encode(new),
                attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteUnknown) }
        // The one call that replaces a file atomically and keeps the draft's mode.
        guard rename(draft.path, file.path) == 0 else {
            try? FileManager.default.removeItem(at: draft)
            throw CocoaError(.fileWriteUnknown)
        }
        return true
    }
}

/// A folder beside a file that exists while somebody writes the file: only one process can make it.
private struct FileLock {
    /// A process that was killed leaves its lock behind.
    private static let longestHold: TimeInterval = 10
    private static let pause: TimeInterval = 0.005

    let folder: URL

    static func acquire(beside file: URL) throws -> FileLock {
        let folder = file.appendingPathExtension("lock")
        while true {
            do {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
                return FileLock(folder: folder)
            } catch CocoaError.fileWriteFileExists {
                let made = try? FileManager.default.attributesOfItem(atPath: folder.path)[.modificationDate] as? Date
                if let made, -made.timeIntervalSinceNow > longestHold {
                    try? FileManager.default.removeItem(at: folder)
                } else {
                    Thread.sleep(forTimeInterval: pause)
                }
            }
        }
    }

    func release() { try? FileManager.default.removeItem(at: folder) }
}
