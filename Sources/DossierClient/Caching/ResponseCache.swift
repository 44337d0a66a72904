public import Foundation

/// Answers in memory and on disk, separate for each account.
///
/// Memory holds the most recently used 50 MB, the disk 200 MB. Kept values are not counted and never evicted. A file
/// that cannot be read is a miss. Safe to share between processes of one app group: files are replaced atomically.
///
/// ```swift
/// let cache = ResponseCache(directory: cachesFolder)
/// await cache.store(personas, for: .personas)
/// let known = await cache.value(for: .personas)?.value
/// ```
public actor ResponseCache {
    private let memory: MemoryCache
    private let disk: DiskCache?
    private let kept: DiskCache?
    private let now: @Sendable () -> Date
    /// Count the removals below a path: an answer to an older question must not come back.
    private var removals: [PathKey: Int] = [:]
    private var wholeRemovals = 0

    struct PathKey: Hashable, Sendable {
        let account: String
        let path: String
    }

    /// Makes a cache.
    ///
    /// - Parameters:
    ///   - directory: For what may be evicted; `nil` keeps everything in memory.
    ///   - keptDirectory: For kept values; beside the others when it is `nil`.
    ///   - memoryLimit: Bytes in memory.
    ///   - diskLimit: Bytes on disk, without kept values.
    ///   - now: The wall clock.
    public init(
        directory: URL?, keptDirectory: URL? = nil, memoryLimit: Int = 50_000_000, diskLimit: Int = 200_000_000,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        memory = MemoryCache(limit: memoryLimit)
        disk = directory.map { DiskCache(folder: $0.appendingPathComponent("Answers"), limit: diskLimit) }
        kept = (keptDirectory ?? directory).map { DiskCache(folder: $0.appendingPathComponent("Kept"), limit: nil) }
        self.now = now
    }

    /// The stored value, whatever its age.
    public func value<Value>(for resource: Resource<Value>, account: String = "") -> Cached<Value>? {
        entry(for: resource, account: account)?.cached
    }

    /// Stores a value as of now. Values of resources that are never fresh are not stored.
    public func store<Value>(_ value: Value, for resource: Resource<Value>, account: String = "") {
        store(value, tag: nil, for: resource, account: account)
    }

    /// How old the stored value is; `nil` when there is none.
    public func freshness<Value>(of resource: Resource<Value>, account: String = "") -> Freshness? {
        value(for: resource, account: account)?.freshness
    }

    /// Removes a value.
    public func removeValue<Value>(for resource: Resource<Value>, account: String = "") {
        let key = key(resource, account)
        memory.remove { $0 == key }
        for disk in [disk, kept] { disk?.remove(key) }
        removals[key.pathKey, default: 0] += 1
    }

    /// Removes what one account has stored, kept values included; `nil` for all accounts.
    public func removeAll(account: String? = nil) {
        memory.remove { account == nil || $0.account == account }
        for disk in [disk, kept] { disk?.removeAll(account: account) }
        wholeRemovals += 1
    }

    // MARK: For reads

    struct Entry<Value: Sendable>: Sendable {
        let cached: Cached<Value>
        /// The `ETag` of the answer.
        let tag: String?
    }

    /// The number of removals that an answer of this resource's must not outlive.
    func removals<Value>(of resource: Resource<Value>, account: String) -> Int {
        wholeRemovals + removals[key(resource, account).pathKey, default: 0]
    }

    func entry<Value>(for resource: Resource<Value>, account: String) -> Entry<Value>? {
        guard resource.freshness != .never else { return nil }
        let key = key(resource, account)
        var found = memory[key]
        if found?.value as? Value == nil {
            found = (resource.isKept ? kept : disk)?.read(key, as: Value.self)
            if let found { memory.store(found, for: key) }
        }
        guard let found, let value = found.value as? Value else { return nil }
        return Entry(cached: cached(value, resource, storedAt: found.storedAt), tag: found.tag)
    }

    @discardableResult
    func store<Value>(
        _ value: Value, tag: String?, for resource: Resource<Value>, account: String,
        unlessRemovedAfter count: Int? = nil
    ) -> Cached<Value> {
        let storedAt = now()
        let isOutdated = count.map { $0 != removals(of: resource, account: account) } ?? false
        let mayBeStored = (value as? any ConditionallyStored)?.mayBeStored ?? true
        if resource.freshness != .never, mayBeStored, !isOutdated,
            let data = try? JSONEncoder.dossier.encode(
                StoredAnswer(name: resource.name, account: account, storedAt: storedAt, tag: tag, value: value))
        {
            let key = key(resource, account)
            memory.store(
                MemoryCache.Item(value: value, storedAt: storedAt, tag: tag, size: data.count), for: key)
            (resource.isKept ? kept : disk)?.write(data, for: key)
        }
        let cached = cached(value, resource, storedAt: storedAt)
        return Cached(
            value: value, storedAt: storedAt, freshness: cached.freshness, source: .network)
    }

    /// Removes all values below some paths: a write has made them wrong.
    func remove(paths: [String], account: String) {
        for path in paths {
            let pathKey = PathKey(account: account, path: path)
            memory.remove { $0.pathKey == pathKey }
            for disk in [disk, kept] { disk?.remove(pathKey) }
            removals[pathKey, default: 0] += 1
        }
    }

    private func key<Value>(_ resource: Resource<Value>, _ account: String) -> AnswerKey {
        AnswerKey(account: account, path: resource.endpoint.path, name: resource.name)
    }

    private func cached<Value>(_ value: Value, _ resource: Resource<Value>, storedAt: Date) -> Cached<Value> {
        let age = Duration.milliseconds(Int64((min(now().timeIntervalSince(storedAt), 1e12) * 1000).rounded()))
        return Cached(
            value: value, storedAt: storedAt, freshness: resource.freshness.freshness(atAge: age), source: .cache)
    }
}

/// Names an answer.
struct AnswerKey: Hashable, Sendable {
    let account: String
    let path: String
    let name: String

    var pathKey: ResponseCache.PathKey { .init(account: account, path: path) }
}

/// An answer as it lies in a file.
struct StoredAnswer<Value: Codable>: Codable {
    let name: String
    let account: String
    let storedAt: Date
    let tag: String?
    let value: Value
}

/// A value that says whether it may be stored.
protocol ConditionallyStored {
    var mayBeStored: Bool { get }
}

extension Report: ConditionallyStored {
    // A failed one may be started again.
    var mayBeStored: Bool { status == .completed }
}

extension ArticleSummary: ConditionallyStored {
    var mayBeStored: Bool { source != .original }
}
