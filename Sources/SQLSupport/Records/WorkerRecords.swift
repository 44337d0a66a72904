internal import Basics
package import JobQueue

extension RecordDatabase {
    package func workers(
        below place: Int64, limit: Int, id: WorkerID?, at now: Timestamp
    ) async throws(StoreError) -> [(place: Int64, worker: WorkerRecord)] {
        try await all(
            .workerRecords, .integer(place), .count(limit), .text(id?.rawValue, of: "worker")
        ) { row in
            (place: row.integer(), worker: WorkerRecord(&row, at: now))
        }
    }

    package func setDraining(
        _ isDraining: Bool, of worker: WorkerID, audit: AuditEntry?
    ) async throws(StoreError) {
        try await change(
            .workerDrain, .now, .integer(isDraining ? 1 : 0), .text(worker.rawValue, of: "worker"),
            audit.parameter)
    }

    package func setAbilities(_ abilities: WorkerAbilities, of worker: WorkerID) async throws(StoreError) {
        try await change(
            .workerSetAbilities, .text(worker.rawValue, of: "worker"), .text(abilities.text, of: "worker.abilities"),
            .integer(abilities.isPartial ? 1 : 0))
    }

    package func isDraining(_ worker: WorkerID) async throws(StoreError) -> Bool {
        try await first(.workerIsDraining, .text(worker.rawValue, of: "worker")) { $0.integer() } != nil
    }
}

extension WorkerRecord {
    fileprivate init(_ row: inout some StoredRow, at now: Timestamp) {
        let id = WorkerID(rawValue: row.text())
        let host = row.text()
        let processID = Int32(truncatingIfNeeded: row.integer())
        let startedAt = row.timestamp()
        let lastBeatAt = row.timestamp()
        let isDraining = row.flag()
        let places = row.int()
        let abilities = row.text()
        let busy = row.int()
        let jobs = row.text().split(separator: ",").compactMap { JobID(digits: $0) }
        let version = row.text()
        self.init(
            id: id, host: host, processID: processID, startedAt: startedAt, lastBeatAt: lastBeatAt,
            isAlive: now - lastBeatAt < WorkerRecord.longestSilence, isDraining: isDraining, places: places,
            abilities: abilities, jobs: jobs, busy: busy, version: version)
    }
}

extension JobID {
    /// Reads 32 hexadecimal digits without hyphens.
    fileprivate init?(digits: Substring) {
        guard digits.utf8.count == 32, let high = UInt64(digits.prefix(16), radix: 16),
            let low = UInt64(digits.suffix(16), radix: 16)
        else { return nil }
        self.init(high: high, low: low)
    }
}
