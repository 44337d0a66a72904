package import JobQueue

extension RecordDatabase {
    package func pauses() async throws(StoreError) -> [Pause] {
        try await all(.pauseList, .now) { try Pause(&$0) }
    }

    package func begin(_ pause: Pause, audit: AuditEntry?) async throws(StoreError) -> (pause: Pause, isNew: Bool)? {
        try await change(
            .pauseBegin, .now, .text(pause.id, of: "id"), .text(pause.kind, of: "kind"),
            .text(pause.queue?.rawValue, of: "lane"),
            .text(pause.note, of: "note"), .text(pause.by, of: "by"), .integer(pause.until?.milliseconds),
            audit.parameter, .integer(Pause.most)
        ) { (pause: try Pause(&$0), isNew: $0.integer() > 0) }.first
    }

    package func endPause(_ id: String, audit: AuditEntry?) async throws(StoreError) -> Pause? {
        try await change(.pauseEnd, .now, .text(id, of: "id"), audit.parameter) { try Pause(&$0) }.first
    }

    package func settlePauses(limit: Int) async throws(StoreError) -> Bool {
        guard try await first(.pausesUnsettled, .now, row: { $0.integer() }) != nil else { return false }
        return try await settlePausesNow(limit: limit)
    }
}

extension Pause {
    fileprivate init(_ row: inout some StoredRow) throws {
        let id = row.text()
        let (kind, queue) = (row.textIfAny(), row.textIfAny())
        let (note, by) = (row.textIfAny(), row.text())
        let (since, until) = (row.timestamp(), row.timestampIfAny())
        guard let target = kind.map({ Target.kind($0) }) ?? queue.flatMap(QueueName.init(rawValue:)).map({ .queue($0) })
        else { throw StoreError.unexpected(reason: "a pause of nothing") }
        self.init(id: id, target: target, note: note, by: by, since: since, until: until)
    }
}
