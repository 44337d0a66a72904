import JSON
import JobQueue
import TestSupport
import Testing

extension ConformanceSuite {
    /// Operations on many jobs.
    package static let bulkOperations: [ConformanceCase] = [
        ConformanceCase("an operation has its jobs in order, and completes with the last one") { harness in
            let store = harness.store
            let jobs = try await harness.operation("op", jobs: 5)
            #expect(try await store.operation("op")?.status == .running)
            #expect(try await store.operation("none") == nil)
            let first = try #require(try await store.takeOperation(for: "a", lease: .seconds(10), limit: 3))
            #expect(first.jobs.map(\.job) == Array(jobs.prefix(3)) && first.jobs.map(\.place) == [1, 2, 3])
            // Another process finds nothing until the lease is over.
            #expect(try await store.takeOperation(for: "b", lease: .seconds(10), limit: 3) == nil)
            let results = first.jobs.map { OperationResult(place: $0.place, job: $0.job, outcome: .changed) }
            for _ in 0..<2 { try await store.record(results, of: "op", by: "a") }
            #expect(try await store.operation("op")?.changed == 3)
            harness.clock.advance(by: .seconds(11))
            let rest = try #require(try await store.takeOperation(for: "b", lease: .seconds(10), limit: 9))
            #expect(rest.jobs.map(\.job) == Array(jobs.suffix(2)))
            var last = rest.jobs
            (last[0].outcome, last[0].code, last[1].outcome) = (.skipped, "BIZ_2006", .failed)
            // The process whose lease is over notes nothing any more.
            try await store.record(last, of: "op", by: "a")
            #expect(try await store.operation("op")?.done == 3)
            try await store.record(last, of: "op", by: "b")
            let ended = try #require(try await store.operation("op"))
            #expect(ended.status == .completed && ended.completedAt == harness.clock.now)
            #expect(ended.changed == 3 && ended.skipped == 1 && ended.failed == 1)
            #expect(try await store.takeOperation(for: "b", lease: .seconds(10), limit: 9) == nil)
            let shown = try await store.results(of: "op", after: 3, limit: 9)
            #expect(shown == last)
        },
        ConformanceCase("an operation is stored once, begins once with its audit, and without jobs it is done") {
            harness in
            let store = harness.store
            _ = try await harness.operation("op", jobs: 0)
            #expect(try await store.operation("op")?.status == .completed)
            _ = try await harness.operation("op", jobs: 0)
            #expect(try await store.auditEntries(AuditFilter(), after: nil, limit: 9).count == 1)
            let found = try #require(try await store.auditEntries(AuditFilter(), after: nil, limit: 9).first)
            #expect(try await store.auditIDs(among: [found.id, "other"]) == [found.id])
        },
        ConformanceCase("old operations go, and those that run stay") { harness in
            let store = harness.store
            _ = try await harness.operation("done", jobs: 0)
            _ = try await store.prepare(harness.newOperation("never"))
            _ = try await harness.operation("running", jobs: 1)
            harness.clock.advance(by: .seconds(100))
            #expect(try await store.deleteOperations(before: harness.clock.now, limit: 9) == 2)
            #expect(try await store.operation("done") == nil)
            #expect(try await store.operation("running")?.matched == 1)
            #expect(try await store.results(of: "running", after: 0, limit: 9).count == 1)
        },
    ]
}

extension StoreHarness {
    fileprivate func newOperation(_ id: String) -> BulkOperation {
        BulkOperation(
            id: id, action: .cancel, filter: ["kind": "research"], user: UserID(rawValue: 1), note: "n",
            actor: AuditActor(.cli, id: "0", name: "root"), requestID: nil, fingerprint: "f", startedAt: clock.now)
    }

    fileprivate func operation(_ id: String, jobs count: Int) async throws -> [JobID] {
        let prepared = try await store.prepare(newOperation(id))
        #expect(prepared.filter == ["kind": "research"] && prepared.user?.rawValue == 1)
        var jobs: [JobID] = []
        for _ in 0..<count { jobs.append(try await submit().id) }
        if count > 0 { for _ in 0..<2 { try await store.add(jobs, to: id, from: 1) } }
        let audit = AuditEntry(
            id: makeID(), at: clock.now, actor: prepared.actor, action: "operations.start", target: id)
        #expect(try await store.start(id, matched: count, audit: audit)?.matched == count)
        return jobs
    }
}
