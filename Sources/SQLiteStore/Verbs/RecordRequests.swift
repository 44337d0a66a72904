internal import JobQueue
internal import Records

extension SQLiteStore {
    /// Reads records.
    func ask<Value: Sendable>(
        _ read: @escaping @Sendable (SQLiteConnection) throws -> Value
    ) async throws(RecordsError) -> Value {
        do {
            return try await readers.perform(read)
        } catch {
            throw RecordsError(error)
        }
    }

    /// Writes records, in the transaction of whatever else waits.
    func tell<Value: Sendable>(
        _ write: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws(RecordsError) -> Value {
        do {
            return try await writer.perform(write)
        } catch {
            throw RecordsError(error)
        }
    }
}
