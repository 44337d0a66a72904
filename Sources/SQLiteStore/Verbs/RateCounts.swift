import SQLSupport
package import JobQueue

extension SQLiteStore: RateCountRepository {
    package func exchange(
        _ counts: [RateCount], of broker: String, minute: Int64
    ) async throws(StoreError) -> [RateCount] {
        try Texts.rejectNUL([("rate_count.broker", broker)] + counts.map { ("rate_count.bucket", $0.bucket) })
        return try await tell { transaction in
            let database = transaction.database
            try database.run(.rateCountDelete, .integer(minute - 1))
            return try counts.compactMap { own in
                try database.run(
                    .rateCountSet, .integer(minute), .integer(own.user), .text(own.bucket), .text(broker),
                    .integer(own.count))
                let others = try database.first(
                    .rateCountOthers, .integer(minute), .integer(own.user), .text(own.bucket), .text(broker)
                ) { $0.int() }
                guard let others, others > 0 else { return nil }
                return RateCount(user: own.user, bucket: own.bucket, count: others)
            }
        }
    }
}
