package import JobQueue
package import JSON
internal import Synchronization

/// A cache of JSON documents: the memory of this process first, then the store that all processes share, then the
/// source.
///
/// - A document within its lifetime is returned as it is. For a bounded time after that it is still returned while
///   it is fetched again in the background.
/// - Concurrent look-ups of one key share one fetch; other processes share the stored result.
/// - A failure is not stored, but repeated to callers for some seconds, so that a failing source is not asked again.
/// - A fetch goes on after its callers are cancelled: the next caller will want its result.
package final class DocumentCache<Failure: FetchFailure>: Sendable {
    /// Asks the source.
    package typealias Fetch = @Sendable () async throws(Failure) -> JSON

    private struct State {
        var memory: DocumentMemory
        var failures: [String: (error: Failure, until: Int64)] = [:]
        var statistics: [String: CacheStatistics] = [:]
    }

    private enum Found {
        case value(CachedValue)
        case failure(Failure)
        case nothing
    }

    /// The largest number of failures that are remembered.
    private static var mostFailures: Int { 1000 }

    private let repository: any DocumentRepository
    private let failurePause: Duration
    private let now: @Sendable () -> Int64
    private let flights = SingleFlight<String, CachedValue, Failure>(endsWhenAbandoned: false)
    private let state: Mutex<State>

    /// Makes a cache over a store.
    ///
    /// - Parameters:
    ///   - repository: The documents of all processes. When it cannot be reached, the source is requested.
    ///   - capacity: Bytes of text in memory; the values take several times as much.
    ///   - failurePause: How long a source that failed is not asked again for the same document.
    ///   - now: Milliseconds since 1970, the same for all processes but for small differences of their clocks.
    package init(
        repository: any DocumentRepository, capacity: Int = 16 << 20, failurePause: Duration = .seconds(5),
        now: @escaping @Sendable () -> Int64
    ) {
        self.repository = repository
        self.failurePause = failurePause
        self.now = now
        state = Mutex(State(memory: DocumentMemory(capacity: capacity)))
    }

    /// The number of requests for each kind of document in this process.
    package var statistics: [String: CacheStatistics] { state.withLock { $0.statistics } }

    /// The document of a key.
    ///
    /// - Throws: the error of `fetch`, also of a fetch some seconds ago; `cancelled` when the caller was cancelled.
    package func value(for key: CacheKey, fetch: @escaping Fetch) async throws(Failure) -> CachedValue {
        switch look(key) {
        case .value(let value):
            if value.isStale { refresh(key, fetch) }
            count(key, value.isStale ? .stale : .hit)
            return value
        case .failure(let error):
            count(key, .failure)
            throw error
        case .nothing: break
        }
        do throws(Failure) {
            let value = try await flights.value(for: key.text) { handOut async throws(Failure) in
                try await self.load(key, fetch, handOut)
            }
            count(key, value.origin == .source ? .miss : value.isStale ? .stale : .hit)
            return value
        } catch {
            count(key, .failure)
            throw error
        }
    }

    /// The document in memory; asks neither the store nor the source.
    package func known(_ key: CacheKey) -> CachedValue? {
        if case .value(let value) = look(key) { value } else { nil }
    }

    // MARK: Fetching

    private func refresh(_ key: CacheKey, _ fetch: @escaping Fetch) {
        let pauses = state.withLock { state in state.failures[key.text].map { $0.until > now() } ?? false }
        guard !pauses else { return }
        flights.start(key.text) { handOut async throws(Failure) in try await self.load(key, fetch, handOut) }
    }

    /// The work of a flight: the store first, where another process may have put the document, then the source.
    private func load(
        _ key: CacheKey, _ fetch: Fetch, _ handOut: @Sendable (CachedValue) -> Void
    ) async throws(Failure) -> CachedValue {
        // A flight that has just ended may have loaded it.
        if case .value(let value) = look(key), !value.isStale { return value }
        if let kept = await kept(key) {
            if !kept.isStale { return kept }
            handOut(kept)
        }
        let timestamp = now()
        let json: JSON
        do throws(Failure) {
            json = try await fetch()
        } catch {
            if !error.concernsOneCaller { remember(error, for: key) }
            throw error
        }
        let text = json.compact
        state.withLock { state in
            state.failures[key.text] = nil
            state.memory.keep(key.text, json, storedAt: timestamp, textSize: text.utf8.count)
        }
        let keptFor = (key.policy.lifetime + key.policy.grace).components.seconds * 1000
        // A store that cannot take it now gets it from the next fetch.
        try? await repository.store(
            CachedDocument(
                key: key.text, text: text, storedAt: Timestamp(milliseconds: timestamp),
                keptUntil: Timestamp(milliseconds: timestamp + keptFor)))
        return CachedValue(json: json, storedAt: timestamp, origin: .source, isStale: false)
    }

    /// The stored document while it may be used; it is put into memory too.
    private func kept(_ key: CacheKey) async -> CachedValue? {
        guard let document = try? await repository.document(key.text),
            case let storedAt = document.storedAt.milliseconds, let isStale = isStale(storedAt, key.policy),
            let json = try? JSON(parsing: document.text)
        else { return nil }
        state.withLock { state in
            state.memory.keep(key.text, json, storedAt: storedAt, textSize: document.text.utf8.count)
        }
        return CachedValue(json: json, storedAt: storedAt, origin: .store, isStale: isStale)
    }

    // MARK: Memory

    private func look(_ key: CacheKey) -> Found {
        state.withLock { state in
            if let entry = state.memory.entry(key.text), let isStale = isStale(entry.storedAt, key.policy) {
                return .value(
                    CachedValue(json: entry.json, storedAt: entry.storedAt, origin: .memory, isStale: isStale))
            }
            if let failure = state.failures[key.text], failure.until > now() { return .failure(failure.error) }
            return .nothing
        }
    }

    /// `nil` when the document may not be used any more, or is from a future that no difference of clocks explains.
    private func isStale(_ storedAt: Int64, _ policy: CachePolicy) -> Bool? {
        let age = Duration.milliseconds(now() - storedAt)
        guard age < policy.lifetime + policy.grace, age > .zero - policy.lifetime else { return nil }
        return age >= policy.lifetime
    }

    private func remember(_ error: Failure, for key: CacheKey) {
        let timestamp = now()
        let until = timestamp + failurePause.components.seconds * 1000
        state.withLock { state in
            if state.failures.count >= Self.mostFailures {
                state.failures = state.failures.filter { $0.value.until > timestamp }
                if state.failures.count >= Self.mostFailures { state.failures = [:] }
            }
            state.failures[key.text] = (error, until)
        }
    }

    private func count(_ key: CacheKey, _ outcome: CacheStatistics.Outcome) {
        state.withLock { $0.statistics[key.policy.kind, default: CacheStatistics()].count(outcome) }
    }
}

/// Documents in memory, up to a size; those that were used longest ago make room.
struct DocumentMemory {
    struct Entry {
        let json: JSON
        let storedAt: Int64
        let size: Int
        var lastUse: UInt64
    }

    /// Bytes of an entry beside its text.
    private static let overhead = 200

    private let capacity: Int
    private var entries: [String: Entry] = [:]
    private var uses: UInt64 = 0
    private(set) var size = 0

    /// - Parameter capacity: Bytes of text; the values take several times as much.
    init(capacity: Int) { self.capacity = capacity }

    var count: Int { entries.count }

    mutating func entry(_ key: String) -> Entry? {
        guard let place = entries.index(forKey: key) else { return nil }
        uses += 1
        entries.values[place].lastUse = uses
        return entries.values[place]
    }

    /// Stores a document unless a later one is present. A document over a quarter of the capacity is not stored.
    mutating func keep(_ key: String, _ json: JSON, storedAt: Int64, textSize: Int) {
        if let known = entries[key] {
            guard known.storedAt <= storedAt else { return }
            size -= known.size
            entries[key] = nil
        }
        let taken = textSize + key.utf8.count + Self.overhead
        guard taken <= capacity / 4 else { return }
        uses += 1
        entries[key] = Entry(json: json, storedAt: storedAt, size: taken, lastUse: uses)
        size += taken
        if size > capacity { makeRoom() }
    }

    /// Down to nine tenths, so that sorting is seldom.
    private mutating func makeRoom() {
        for (key, entry) in entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
            guard size > capacity / 10 * 9 else { return }
            entries[key] = nil
            size -= entry.size
        }
    }
}
