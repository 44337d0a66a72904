/// An archive of the data of one user, which a job has made: lines of JSON, stored in parts.
package struct UserExport: Hashable, Sendable, Codable {
    /// The time for which an archive is kept.
    package static let lifetime: Duration = .seconds(7 * 86_400)
    /// The least bytes of a part, before the last one. A part ends with a line.
    package static let partBytes = 1 << 20
    /// The largest number of bytes of an archive.
    package static let mostBytes = 256 << 20

    /// The id of the job.
    package var job: String
    package var user: UserID
    /// The epoch of the run that made it; parts of other epochs do not belong to it.
    package var epoch: Int64
    package var madeAt: Timestamp
    package var lines: Int
    /// The bytes of all lines, each with the newline after it.
    package var bytes: Int
    package var parts: Int

    package init(
        job: String, user: UserID, epoch: Int64, madeAt: Timestamp, lines: Int, bytes: Int, parts: Int
    ) {
        (self.job, self.user, self.epoch, self.madeAt) = (job, user, epoch, madeAt)
        (self.lines, self.bytes, self.parts) = (lines, bytes, parts)
    }
}

extension UserExport: StoredRecord {
    package static var noun: String { "user_export" }
    package var naturalKey: String { job }
    package var texts: [(name: String, text: String?)] { [("user_export.job", job)] }
}

/// Keeps archives of the data of users. A job stores the parts of its archive under its lease, and the archive itself
/// as a record of its result, so that there is a whole archive or none.
package protocol ExportRepository: Sendable {
    /// Stores a part of an archive in place of one with the same number.
    ///
    /// - Throws: `leaseLost` when the lease is void.
    func storeExportPart(_ number: Int, _ text: String, under lease: Lease) async throws(StoreError)

    /// Deletes the parts that all runs of a job have stored, unless the lease is void.
    func discardExportParts(under lease: Lease) async throws(StoreError)

    /// The user's archive that was made last.
    func newestExport(of user: UserID) async throws(StoreError) -> UserExport?

    /// A part of an archive, counted from 0; `nil` when the archive has no such part, or is gone.
    func exportPart(_ number: Int, of export: UserExport) async throws(StoreError) -> String?

    /// Deletes archives that were made before a time, and parts from before it that belong to no archive.
    ///
    /// - Returns: The number of parts; at most `limit`.
    func deleteExports(madeBefore timestamp: Timestamp, limit: Int) async throws(StoreError) -> Int
}

/// Takes the lines of an archive, one after the other.
package protocol ArchiveSink: Sendable {
    /// Takes a line without the newline at its end.
    func write(_ line: String) async throws
}

/// Reads all data of one user.
package protocol UserArchiver: Sendable {
    /// Writes all lines of a user's archive.
    ///
    /// - Returns: The time at which the archive was begun, and its lines; `nil` for an unknown user.
    func archive(_ user: UserID, to sink: any ArchiveSink) async throws -> (madeAt: Timestamp, lines: Int)?
}
