internal import Basics
package import JobQueue

extension RecordDatabase {
    package func storeExportPart(_ number: Int, _ text: String, under lease: Lease) async throws(StoreError) {
        var text = text
        let (length, body) = text.withUTF8 { ($0.count, Deflate.segment($0, isLast: true)) }
        guard let body else { throw .unexpected(reason: "a part of an archive cannot be compressed") }
        let stored = try await change(
            .exportPartStore, .now, .job(lease.job), .integer(lease.epoch), .integer(number), .integer(length),
            .bytes(body)
        ) { $0.int() }
        guard !stored.isEmpty else { throw .leaseLost }
    }

    package func discardExportParts(under lease: Lease) async throws(StoreError) {
        try await change(.exportPartsDiscard, .job(lease.job), .integer(lease.epoch))
    }

    package func newestExport(of user: UserID) async throws(StoreError) -> UserExport? {
        try await first(.exportNewest, .user(user)) { row in
            UserExport(
                job: row.jobID().description, user: row.user(), epoch: row.integer(), madeAt: row.timestamp(),
                lines: row.int(), bytes: row.int(), parts: row.int())
        }
    }

    package func exportPart(_ number: Int, of export: UserExport) async throws(StoreError) -> String? {
        let found = try await first(
            .exportPart, .job(JobID(export.job)), .integer(export.epoch), .integer(number)
        ) { row in
            (length: row.int(), body: row.bytes())
        }
        guard let found else { return nil }
        let text = found.body.withUnsafeBytes { Deflate.text(of: $0, dictionary: [], length: found.length) }
        guard let text else { throw .damaged(reason: "a part of an archive cannot be read") }
        return text
    }

    package func deleteExports(madeBefore timestamp: Timestamp, limit: Int) async throws(StoreError) -> Int {
        try await change(.exportsDelete, .timestamp(timestamp), .count(limit)) { $0.integer() }.count
    }
}
