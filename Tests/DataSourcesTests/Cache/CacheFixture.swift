import TestSupport
import DataSources
import JSON
import JobQueue
import Synchronization

/// A store of documents in memory that can be made unavailable and that reports each write.
final class FakeDocuments: DocumentRepository {
    private let state = Mutex<(documents: [String: CachedDocument], isAway: Bool, reads: Int)>(([:], false, 0))
    let stored: AsyncStream<CachedDocument>
    private let continuation: AsyncStream<CachedDocument>.Continuation

    init() { (stored, continuation) = AsyncStream.makeStream() }

    var all: [String: CachedDocument] { state.withLock { $0.documents } }
    var reads: Int { state.withLock { $0.reads } }
    func goAway() { state.withLock { $0.isAway = true } }
    func put(_ document: CachedDocument) { state.withLock { $0.documents[document.key] = document } }

    func documents(_ keys: [String]) async throws(StoreError) -> [CachedDocument] {
        let (isAway, found) = state.withLock { state in
            state.reads += 1
            return (state.isAway, keys.compactMap { state.documents[$0] })
        }
        if isAway { throw .unavailable(reason: "away") }
        return found
    }

    func store(_ document: CachedDocument) async throws(StoreError) {
        let isAway = state.withLock { state in
            if !state.isAway { state.documents[document.key] = document }
            return state.isAway
        }
        if isAway { throw .unavailable(reason: "away") }
        continuation.yield(document)
    }

    func deleteDocuments(keptUntilBefore timestamp: Timestamp, limit: Int) async throws(StoreError) -> Int { 0 }
}

enum SourceFailure: FetchFailure, Hashable {
    case cancelled
    case broken(Int)
}

/// A cache over documents in memory, and a source that numbers its answers.
final class CacheFixture: Sendable {
    static let start: Int64 = 1_795_260_020_000
    /// Fresh for a minute, stale for four more.
    static let quote = CacheKey(.quote, "AAPL")

    let documents: FakeDocuments
    let cache: DocumentCache<SourceFailure>
    private let clock: Clock
    private let state = Mutex<(asked: Int, fails: Bool)>((0, false))

    init(_ documents: FakeDocuments = FakeDocuments(), capacity: Int = 1 << 20) {
        self.documents = documents
        let clock = Clock()
        self.clock = clock
        cache = DocumentCache(repository: documents, capacity: capacity) { clock.now }
    }

    private final class Clock: Sendable {
        private let time = Mutex(CacheFixture.start)
        var now: Int64 { time.withLock { $0 } }
        func advance(_ seconds: Int64) { time.withLock { $0 += seconds * 1000 } }
    }

    var now: Int64 { clock.now }
    func advance(seconds: Int64) { clock.advance(seconds) }

    /// The number of requests to the source.
    var asked: Int { state.withLock { $0.asked } }
    func breakSource(_ fails: Bool = true) { state.withLock { $0.fails = fails } }

    func ask(_ key: CacheKey = CacheFixture.quote, at gate: Gate? = nil) async throws(SourceFailure) -> CachedValue {
        try await cache.value(for: key) { () async throws(SourceFailure) in
            let (number, fails) = self.state.withLock { state in
                state.asked += 1
                return (state.asked, state.fails)
            }
            await gate?.pass()
            if fails { throw .broken(number) }
            return ["answer": JSON(number)]
        }
    }

    /// Waits for the next document that reaches the store.
    func nextStored() async -> CachedDocument? {
        for await document in documents.stored { return document }
        return nil
    }
}

extension CachedValue {
    var number: Int64? { json["answer"]?.integer }
}
