import SQLSupport
package import JobQueue

extension PostgresStore: RateCountRepository {
    package func exchange(
        _ counts: [RateCount], of broker: String, minute: Int64
    ) async throws(StoreError) -> [RateCount] {
        try Texts.rejectNUL([("rate_count.broker", broker)] + counts.map { ("rate_count.bucket", $0.bucket) })
        return try await tell(.rateCountExchange) { parameters in
            parameters.add(minute)
            parameters.add(broker)
            parameters.add(integers: counts.map(\.user))
            parameters.add(texts: counts.map(\.bucket))
            parameters.add(integers: counts.map { Int64($0.count) })
        } read: { rows in
            rows.map { RateCount(user: $0.integer(), bucket: $0.text(), count: $0.int()) }
        }
    }
}
