public import DossierClient
internal import Foundation

// Document 004's names of the client's utilities, so that its snippets compile. New code needs none of them: `Dossier`
// reads through the cache, shares equal requests and retries by itself. Copy this file into an app that was written
// with these names.

/// Says how old a cached value is.
public typealias CacheFreshness = Freshness
/// How often and after which pauses a failed request is sent again.
public typealias RetryPolicy = DossierClient.RetryPolicy

/// Values by name, with their age.
public actor CacheManager {
    /// Lies in the caches folder of the app.
    public static let shared = CacheManager(
        cache: ResponseCache(
            directory: FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first?
                .appendingPathComponent("CacheManager")))

    private let cache: ResponseCache
    /// Apart from the answers of the server.
    private static let account = "CacheManager"

    /// Stores in a cache of the client's.
    public init(cache: ResponseCache) { self.cache = cache }

    /// The value and its age; `nil` when nothing of this type is stored.
    public func get<T: Codable & Sendable>(
        _ key: String, type: T.Type
    ) async -> (value: T, freshness: CacheFreshness)? {
        let cached = await cache.value(for: Resource<T>.named(key), account: Self.account)
        return cached.map { ($0.value, $0.freshness) }
    }

    /// Stores a value as of now.
    public func set<T: Codable & Sendable>(_ key: String, value: T) async {
        await cache.store(value, for: .named(key), account: Self.account)
    }

    /// Removes a value.
    public func remove(_ key: String) async {
        await cache.removeValue(for: Resource<JSONValue>.named(key), account: Self.account)
    }

    /// Removes all values.
    public func clear() async { await cache.removeAll(account: Self.account) }

    /// How old a value is; `nil` when there is none.
    public func freshness(for key: String) async -> CacheFreshness? {
        await cache.freshness(of: Resource<JSONValue>.named(key), account: Self.account)
    }
}

extension Resource {
    fileprivate static func named(_ key: String) -> Self { Resource(path: "/cache", query: ["key": key]) }
}

/// Runs an operation once for all who ask for the same key at the same time.
public actor RequestDeduplicator {
    /// Two operations of one key have different results.
    public struct TypeMismatch: Error {
        /// The key.
        public let key: String
    }

    /// For the whole app.
    public static let shared = RequestDeduplicator()
    private let requests = DossierClient.RequestDeduplicator<String, any Sendable>()

    /// Makes one with nothing in flight.
    public init() {}

    /// The result of the operation that is under way for the key, or of this one when there is none.
    public func execute<T: Sendable>(
        key: String, operation: @escaping @Sendable () async throws -> T
    ) async throws -> T {
        guard let value = try await requests.value(for: key, operation: { try await operation() }) as? T else {
            throw TypeMismatch(key: key)
        }
        return value
    }

    /// Cancels the operation of a key.
    public func cancelRequest(key: String) async { await requests.cancel(key) }
    /// The number of operations that are under way.
    public func inFlightCount() async -> Int { await requests.inFlightCount }
    /// Cancels all operations.
    public func clearAll() async { await requests.cancelAll() }
}

/// Runs an operation again while it fails in a way that may pass.
public func withRetry<T: Sendable>(
    policy: RetryPolicy = .default, isolation: isolated (any Actor)? = #isolation, operation: () async throws -> T
) async throws -> T {
    try await DossierClient.withRetry(policy: policy, isolation: isolation, operation: operation)
}

/// Errors in words for people.
public enum ErrorFormatter {
    /// An error as an app shows it.
    public struct FormattedError: Hashable, Sendable {
        /// A few words.
        public let title: String
        /// A sentence.
        public let message: String
        /// Name of an SF Symbol.
        public let icon: String
    }

    /// Any error's words; a cancellation is called that, although an app had better show nothing.
    public static func userFriendlyMessage(from error: any Error) -> FormattedError {
        guard let shown = ErrorPresentation(error) else {
            return FormattedError(title: "Cancelled", message: "This was cancelled.", icon: "xmark.circle")
        }
        return FormattedError(title: shown.title, message: shown.message, icon: shown.systemImage)
    }
}
