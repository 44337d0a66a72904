package import JobQueue
import SQLSupport

extension SQLiteStore: ModelMonitoring {
    package func modelCallSums(since timestamp: Timestamp) async throws(StoreError) -> [ModelCallSum] {
        try await readers.perform { database in
            try database.all(.modelCallSums, .timestamp(timestamp)) { try ModelCallSum(&$0) }
        }
    }

    package func modelDurations(since timestamp: Timestamp) async throws(StoreError) -> [ModelDurations] {
        try await readers.perform { database in
            try database.all(.modelDurations, .timestamp(timestamp)) { try DurationBucket(&$0) }
        }.durations
    }

    package func modelLatencies(since timestamp: Timestamp) async throws(StoreError) -> [ModelLatency] {
        try await readers.perform { database in
            try database.all(.modelLatencies, .timestamp(timestamp)) { ModelLatency(&$0) }
        }
    }

    package func markedCalls(
        since timestamp: Timestamp, after last: MarkedCall?, limit: Int
    ) async throws(StoreError) -> [MarkedCall] {
        let start = last?.createdAt ?? timestamp
        return try await readers.perform { database in
            try database.all(
                .markedCalls, .timestamp(start), .timestamp(start), .text(last?.id ?? ""), .integer(limit)
            ) { MarkedCall(&$0) }
        }
    }

    package func batchCounts() async throws(StoreError) -> [BatchCount] {
        try await readers.perform { database in try database.all(.batchCounts) { try BatchCount(&$0) } }
    }

    package func batchDurations(since timestamp: Timestamp) async throws(StoreError) -> [BatchDuration] {
        try await readers.perform { database in
            try database.all(.batchDurations, .timestamp(timestamp)) { BatchDuration(&$0) }
        }
    }
}
