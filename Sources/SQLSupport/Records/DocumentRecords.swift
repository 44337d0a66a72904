internal import Basics
package import JobQueue

extension RecordDatabase {
    package func documents(_ keys: [String]) async throws(StoreError) -> [CachedDocument] {
        try await all(.documentGet, .texts(keys, of: "document.key")) {
            CachedDocument(key: $0.text(), text: $0.text(), storedAt: $0.timestamp(), keptUntil: $0.timestamp())
        }
    }

    package func store(_ document: CachedDocument) async throws(StoreError) {
        try await change(
            .documentStore, .text(document.key, of: "document.key"), .text(document.text, of: "document.text"),
            .timestamp(document.storedAt), .timestamp(document.keptUntil))
    }

    package func deleteDocuments(keptUntilBefore timestamp: Timestamp, limit: Int) async throws(StoreError) -> Int {
        try await change(.documentDelete, .timestamp(timestamp), .integer(limit)) { $0.int() }.first ?? 0
    }

    package func store(bundle hash: String, archive: String) async throws(StoreError) {
        try await change(.bundleInsert, .text(hash, of: "hash"), .text(archive, of: "archive"), .now)
    }

    package func archive(ofBundle hash: String) async throws(StoreError) -> String? {
        try await first(.bundleGet, .text(hash, of: "hash")) { $0.text() }
    }

    package func exchange(
        _ counts: [RateCount], of broker: String, minute: Int64
    ) async throws(StoreError) -> [RateCount] {
        try await change(
            .rateCountExchange, .integer(minute), .text(broker, of: "rate_count.broker"),
            .integers(counts.map(\.user.rawValue)), .texts(counts.map(\.bucket), of: "rate_count.bucket"),
            .integers(counts.map { Int64($0.count) })
        ) { RateCount(user: $0.user(), bucket: $0.text(), count: $0.int()) }
    }

    package func usage(of user: UserID) async throws(StoreError) -> UserUsage {
        let found = try await first(.userUsage, .user(user)) { row in
            UserUsage(unfinishedJobs: row.int(), storedBytes: row.int())
        }
        return found ?? UserUsage()
    }

    package func job(ofIdempotencyKey key: String, user: UserID) async throws(StoreError) -> JobID? {
        try await first(.jobOfIdempotencyKey, .user(user), .text(key, of: "idempotency_key")) { $0.jobID() }
    }

    package func isUnfinished(uniqueKey key: String, of user: UserID) async throws(StoreError) -> Bool {
        try await first(.uniqueKeyUnfinished, .user(user), .text(key, of: "unique_key")) { $0.skip() } != nil
    }

    package func countSharedWork(
        _ keys: [String], of user: UserID, day: Int64, limit: Int
    ) async throws(StoreError) -> Set<String> {
        var keyOf: [String: String] = [:]
        let digests = keys.map { (key: $0, digest: SHA256.hex(Array($0.utf8))) }
        let works = digests.filter { keyOf.updateValue($0.key, forKey: $0.digest) == nil }.map(\.digest)
        let counted = try await change(
            .sharedWorkCount, .integer(day), .user(user), .texts(works, of: "shared_work.key"), .count(limit)
        ) { $0.text() }
        return Set(counted.compactMap { keyOf[$0] })
    }
}
