internal import Basics
internal import JSON
package import JobQueue

extension RecordDatabase {
    package func prepare(_ operation: BulkOperation) async throws(StoreError) -> BulkOperation {
        let found = try await change(
            .operationPrepare, .now, .text(operation.id, of: "id"), .text(operation.action.rawValue, of: "action"),
            .text(operation.filter.compact, of: "filter"), .integer(operation.user?.rawValue),
            .text(operation.note, of: "note"), .text(operation.actor.kind.rawValue, of: "actor"),
            .text(operation.actor.id, of: "actor"), .text(operation.actor.name, of: "actor"),
            .text(operation.requestID, of: "request_id"), .text(operation.fingerprint, of: "fingerprint")
        ) { try BulkOperation(&$0) }
        guard let stored = found.first else { throw .unexpected(reason: "an operation is missing") }
        return stored
    }

    package func add(_ jobs: [JobID], to operation: String, from place: Int) async throws(StoreError) {
        try await change(
            .operationAdd, .text(operation, of: "operation"), .integer(place),
            .texts(jobs.map(\.description), of: "jobs"))
    }

    package func start(
        _ operation: String, matched: Int, audit: AuditEntry
    ) async throws(StoreError) -> BulkOperation? {
        try await change(
            .operationStart, .now, .text(operation, of: "operation"), .integer(matched), audit.parameter
        ) { try BulkOperation(&$0) }.first
    }

    package func operation(_ id: String) async throws(StoreError) -> BulkOperation? {
        try await first(.operationGet, .text(id, of: "operation")) { try BulkOperation(&$0) }
    }

    package func results(
        of operation: String, after place: Int64, limit: Int
    ) async throws(StoreError) -> [OperationResult] {
        try await all(.operationResults, .text(operation, of: "operation"), .integer(place), .count(limit)) {
            try OperationResult(&$0)
        }
    }

    package func takeOperation(
        for worker: String, lease: Duration, limit: Int
    ) async throws(StoreError) -> (operation: BulkOperation, jobs: [OperationResult])? {
        let waiting = try await first(.operationWaiting, .now, .text(worker, of: "worker")) { $0.integer() }
        guard waiting != nil else { return nil }
        let taken = try await change(
            .operationTake, .now, .text(worker, of: "worker"), .integer(lease.wholeMilliseconds)
        ) { try BulkOperation(&$0) }
        guard let operation = taken.first else { return nil }
        let jobs = try await all(.operationLeft, .text(operation.id, of: "operation"), .count(limit)) {
            try OperationResult(&$0)
        }
        return (operation, jobs)
    }

    package func record(
        _ results: [OperationResult], of operation: String, by worker: String
    ) async throws(StoreError) {
        try await change(
            .operationRecord, .now, .text(operation, of: "operation"), .text(worker, of: "worker"),
            .integers(results.map(\.place)), .texts(results.map { $0.outcome?.rawValue }, of: "outcome"),
            .texts(results.map(\.code), of: "code"))
    }

    package func auditIDs(among ids: [String]) async throws(StoreError) -> Set<String> {
        Set(try await all(.auditIDs, .texts(ids, of: "id")) { $0.text() })
    }

    package func deleteOperations(before timestamp: Timestamp, limit: Int) async throws(StoreError) -> Int {
        try await change(.operationsDelete, .timestamp(timestamp), .count(limit)) { $0.integer() }.count
    }
}

extension BulkOperation {
    fileprivate init(_ row: inout some StoredRow) throws {
        let (id, actionWord, filter) = (row.text(), row.text(), row.text())
        let (user, note) = (row.integerIfAny(), row.textIfAny())
        let (actorKind, actorID, actorName) = (row.text(), row.text(), row.text())
        let (requestID, fingerprint, statusWord) = (row.textIfAny(), row.text(), row.text())
        guard let action = Action(rawValue: actionWord), let status = Status(rawValue: statusWord),
            let kind = AuditActor.Kind(rawValue: actorKind)
        else {
            throw StoreError.unexpected(reason: "an operation '\(actionWord)' by '\(actorKind)' is '\(statusWord)'")
        }
        let counts = (row.int(), row.int(), row.int(), row.int())
        self.init(
            id: id, action: action, filter: (try? JSON(parsing: filter)) ?? .null,
            user: user.map { UserID(rawValue: $0) }, note: note,
            actor: AuditActor(kind, id: actorID, name: actorName), requestID: requestID, fingerprint: fingerprint,
            startedAt: row.timestamp())
        self.status = status
        (matched, changed, skipped, failed) = counts
        completedAt = row.timestampIfAny()
    }
}

extension OperationResult {
    fileprivate init(_ row: inout some StoredRow) throws {
        let (place, text) = (row.integer(), row.text())
        guard let job = JobID(text) else { throw StoreError.unexpected(reason: "an operation on no job") }
        self.init(
            place: place, job: job, outcome: row.textIfAny().flatMap(Outcome.init(rawValue:)), code: row.textIfAny())
    }
}
