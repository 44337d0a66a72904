package import JobQueue
import SQLSupport

extension PostgresStore: ModelMonitoring {
    package func modelCallSums(since timestamp: Timestamp) async throws(StoreError) -> [ModelCallSum] {
        try await read(.modelCallSums, since: timestamp) { try ModelCallSum(&$0) }
    }

    package func modelDurations(since timestamp: Timestamp) async throws(StoreError) -> [ModelDurations] {
        try await read(.modelDurations, since: timestamp) { try DurationBucket(&$0) }.durations
    }

    package func modelLatencies(since timestamp: Timestamp) async throws(StoreError) -> [ModelLatency] {
        try await read(.modelLatencies, since: timestamp) { ModelLatency(&$0) }
    }

    package func markedCalls(
        since timestamp: Timestamp, after last: MarkedCall?, limit: Int
    ) async throws(StoreError) -> [MarkedCall] {
        let start = last?.createdAt ?? timestamp
        let statement = Statement(.markedCalls) { parameters in
            parameters.add(start.milliseconds)
            parameters.add(start.milliseconds)
            parameters.add(last?.id ?? "")
            parameters.add(Int64(limit))
        }
        return try await perform(statement, in: readers, reads.monitoring) { MarkedCall(&$0) }
    }

    package func batchCounts() async throws(StoreError) -> [BatchCount] {
        try await perform(Statement(.batchCounts), in: readers, reads.monitoring) { try BatchCount(&$0) }
    }

    package func batchDurations(since timestamp: Timestamp) async throws(StoreError) -> [BatchDuration] {
        try await read(.batchDurations, since: timestamp) { BatchDuration(&$0) }
    }

    private func read<Value: Sendable>(
        _ query: Query, since timestamp: Timestamp, row: @escaping @Sendable (inout PostgresRow) throws -> Value
    ) async throws(StoreError) -> [Value] {
        try await perform(
            Statement(query) { $0.add(timestamp.milliseconds) }, in: readers, reads.monitoring, row: row)
    }
}
