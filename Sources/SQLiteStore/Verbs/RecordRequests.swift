import SQLSupport
internal import JobQueue

extension SQLiteStore {
    /// Reads records.
    func ask<Value: Sendable>(
        _ read: @escaping @Sendable (SQLiteConnection) throws -> Value
    ) async throws(StoreError) -> Value {
        return try await readers.perform(read)
    }

    /// Writes records, in the transaction of whatever else waits.
    func tell<Value: Sendable>(
        _ write: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws(StoreError) -> Value {
        return try await writer.perform(write)
    }
}
