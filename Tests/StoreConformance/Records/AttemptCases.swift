import JSON
import JobQueue
import TestSupport
import Testing

extension ConformanceSuite {
    /// What a job has been through, as operators read it.
    package static let attempts: [ConformanceCase] = [
        ConformanceCase("a job that runs once has one wait and one attempt") { harness in
            let job = try await harness.submit()
            #expect(try await harness.told(job.id) == ["queue 0-"])
            harness.clock.advance(by: .seconds(2))
            let lease = try await harness.claimOne(try await harness.worker()).lease
            #expect(try await harness.told(job.id) == ["queue 0-2", "1 w1 2- running"])
            harness.clock.advance(by: .seconds(3))
            try await harness.store.complete(lease, with: 1, effects: [])
            try await harness.store.deregister(WorkerID(rawValue: "w1"))
            #expect(try await harness.told(job.id) == ["queue 0-2", "1 w1 2-5 completed"])
            _ = try await harness.store.archiveFinished(before: harness.clock.now + .seconds(1), limit: 10)
            #expect(try await harness.told(job.id) == ["queue 0-2", "1 w1 2-5 completed"])
        },
        ConformanceCase("a job tells of each run that failed, was postponed or handed back, and of the pauses") {
            harness in
            let (store, clock) = (harness.store, harness.clock)
            let job = try await harness.submit()
            let worker = try await harness.worker()
            let first = try await harness.claimOne(worker).lease
            clock.advance(by: .seconds(1))
            _ = try await store.append(StoreHarness.step("a"), replacingFrom: nil, effects: [], under: first)
            try await store.fail(first, with: StoreHarness.retry(after: .seconds(4)))
            #expect(try await harness.told(job.id) == ["1 w1 0-1 failed EXT_4004", "retry 1-"])
            clock.advance(by: .seconds(6))
            #expect(try await harness.told(job.id) == ["1 w1 0-1 failed EXT_4004", "retry 1-5", "queue 5-"])
            let second = try await harness.claimOne(worker).lease
            clock.advance(by: .seconds(1))
            try await store.snooze(
                [second], after: .seconds(2), waitingFor: WaitCause(.providerBlocked, provider: "claude", status: 429))
            clock.advance(by: .seconds(2))
            let third = try await harness.claimOne(worker).lease
            clock.advance(by: .seconds(1))
            try await store.snooze([third], after: .zero)
            clock.advance(by: .seconds(1))
            let fourth = try await harness.claimOne(worker).lease
            try await store.fail(fourth, with: StoreHarness.giveUp)
            #expect(
                try await harness.told(job.id) == [
                    "1 w1 0-1 failed EXT_4004", "retry 1-5", "queue 5-7", "2 w1 7-8 postponed reused 1",
                    "provider_blocked 8-10", "2 w1 10-11 interrupted reused 1 seen 11", "queue 11-12",
                    "2 w1 12-12 failed reused 1 EXT_4004",
                ])
            _ = try await store.retry(job.id, of: nil)
            clock.advance(by: .seconds(3))
            let fifth = try await harness.claimOne(worker).lease
            _ = try await store.cancel(job.id, of: nil, by: .operator, audit: nil)
            let told = try await harness.told(job.id)
            #expect(
                told.suffix(3) == [
                    "queue 12-15", "2 w1 12-12 failed reused 1 EXT_4004", "1 w1 15-15 cancelled reused 1",
                ])
            let epochs = try await harness.history(job.id).attempts.map(\.epoch)
            #expect(epochs == [first, second, third, fourth, fifth].map(\.epoch))
            #expect(try await store.jobRecord(job.id, at: clock.now)?.cancelledBy == .operator)
        },
        ConformanceCase("the wait of a job that was let go on ends then") { harness in
            let (store, clock) = (harness.store, harness.clock)
            let job = try await harness.submit()
            let worker = try await harness.worker()
            let cause = WaitCause(.sharedWork, work: "a")
            try await store.snooze([try await harness.claimOne(worker).lease], after: .seconds(9), waitingFor: cause)
            clock.advance(by: .seconds(3))
            #expect(try await store.wake(waitingFor: cause, within: .seconds(9), limit: 9) == 1)
            clock.advance(by: .seconds(1))
            let lease = try await harness.claimOne(worker).lease
            try await store.complete(lease, with: 1, effects: [])
            let told = try await harness.told(job.id)
            #expect(told == ["shared 0-3", "1 w1 0-0 postponed", "queue 3-4", "1 w1 4-4 completed"])
        },
        ConformanceCase("the death of a worker is told with its last sign") { harness in
            let (store, clock) = (harness.store, harness.clock)
            let job = try await harness.submit()
            let dying = try await harness.worker("dying")
            _ = try await store.observe(as: FleetObserver(worker: dying))
            _ = try await harness.claimOne(dying)
            let other = try await harness.worker("w2")
            clock.advance(by: .seconds(2))
            _ = try await store.observe(as: FleetObserver(worker: other))
            clock.advance(by: .seconds(1))
            let beat = try #require(try await store.heartbeats().first { $0.worker == dying })
            #expect(try await store.rescue(beat).requeued == [job.id])
            let told = ["1 dying 0-3 interrupted seen 0", "death 0-3"]
            #expect(try await harness.told(job.id) == told + ["queue 3-"])
            clock.advance(by: .seconds(1))
            let lease = try await harness.claimOne(other).lease
            clock.advance(by: .seconds(1))
            try await store.complete(lease, with: 1, effects: [])
            #expect(try await harness.told(job.id) == told + ["queue 3-4", "1 w2 4-5 completed"])
        },
        ConformanceCase("the places of a pending job are its waits") { harness in
            let (store, clock) = (harness.store, harness.clock)
            let worker = try await harness.worker()
            let later = clock.now + .seconds(5)
            let scheduled = try await harness.submit(1) { $0.runAt = later }
            let firsts = try await [
                harness.submit(2) { $0.concurrencyKey = "k" },
                harness.submit(3) { ($0.kind, $0.limits) = ("rare", ConcurrencyLimits(fleet: 1)) },
            ]
            let behind = try await harness.submit(2) { $0.concurrencyKey = "k" }
            let limited = try await harness.submit(3) { ($0.kind, $0.limits) = ("rare", ConcurrencyLimits(fleet: 1)) }
            let shared = try await harness.submitSharing()
            #expect(try await harness.told(scheduled.id) == ["scheduled 0-"])
            #expect(try await harness.told(behind.id) == ["serial 0-"])
            #expect(try await harness.told(limited.id) == ["slot 0-"])
            #expect(try await harness.told(shared.id) == ["shared 0-"])
            let claimed = try await harness.claim(worker, 9)
            #expect(Set(claimed.map(\.lease.job)).isSuperset(of: firsts.map(\.id)))
            clock.advance(by: .seconds(2))
            for job in claimed { try await store.complete(job.lease, with: 1, effects: []) }
            clock.advance(by: .seconds(1))
            for job in try await harness.claim(worker, 9) { try await store.complete(job.lease, with: 1, effects: []) }
            clock.advance(by: .seconds(4))
            for job in try await harness.claim(worker, 9) { try await store.complete(job.lease, with: 1, effects: []) }
            #expect(try await harness.told(behind.id) == ["serial 0-2", "queue 2-3", "1 w1 3-3 completed"])
            #expect(try await harness.told(limited.id) == ["slot 0-2", "queue 2-3", "1 w1 3-3 completed"])
            #expect(try await harness.told(scheduled.id) == ["scheduled 0-5", "queue 5-7", "1 w1 7-7 completed"])
            #expect(try await harness.told(shared.id) == ["shared 0-2"])
        },
        ConformanceCase("a job whose deadline passes has an expired attempt, and one that never ran none") { harness in
            let ran = try await harness.running()
            let waited = try await harness.submit(2) { $0.deadline = harness.clock.now + .seconds(600) }
            harness.clock.advance(by: .seconds(601))
            _ = try await harness.store.expire(limit: 10)
            #expect(try await harness.told(ran.job) == ["1 w1 0-601 expired SYS_5003"])
            #expect(try await harness.told(waited.id) == ["queue 0-601"])
        },
        ConformanceCase("a job that is postponed a thousand times keeps its last attempts") { harness in
            let job = try await harness.submit { $0.deadline = harness.clock.now + .seconds(9_000) }
            let worker = try await harness.worker()
            for _ in 0..<500 {
                let lease = try await harness.claimOne(worker).lease
                try await harness.store.snooze([lease], after: .seconds(2), waitingFor: WaitCause(.providerBudget))
                harness.clock.advance(by: .seconds(3))
            }
            let history = try await harness.history(job.id)
            #expect(history.attempts.last?.epoch == 500 && (20..<200).contains(history.attempts.count))
            #expect(history.attempts.allSatisfy { $0.outcome == .postponed && $0.worker == worker })
            #expect(zip(history.attempts, history.attempts.dropFirst()).allSatisfy { $0.epoch + 1 == $1.epoch })
            let end = harness.clock.now
            #expect(history.waits.suffix(2).map(\.until) == [end - .seconds(1), nil])
            #expect(history.waits.allSatisfy { $0.until ?? end <= $0.from + .seconds(2) })
        },
        ConformanceCase("a step tells of its run and its time") { harness in
            let lease = try await harness.running()
            harness.clock.advance(by: .seconds(4))
            var step = StoreHarness.step("a")
            step.took = .seconds(3)
            _ = try await harness.store.append(step, replacingFrom: nil, effects: [], under: lease)
            let stored = try #require(try await harness.store.journal(of: lease.job).first)
            let now = harness.clock.now
            #expect(stored.made == Step.Made(epoch: lease.epoch, startedAt: now - .seconds(3), endedAt: now))
        },
        ConformanceCase("a cancel and a retry store their entries of the audit when they change the job") { harness in
            let store = harness.store
            let job = try await harness.submit(1, cost: 2)
            for _ in 0..<2 {
                _ = try await store.cancel(job.id, of: nil, by: .operator, audit: harness.entry("jobs.cancel", job.id))
            }
            for _ in 0..<2 {
                _ = try await store.retry(job.id, of: nil, audit: harness.entry("jobs.retry", job.id))
            }
            _ = try await store.cancel(job.id, of: 2, by: .user, audit: harness.entry("jobs.cancel", job.id))
            _ = try await store.cancel(job.id, of: nil)
            _ = try await store.grant(-9, to: 1, note: "", startingCredits: 10)
            let refused = try await store.retry(job.id, of: nil, audit: harness.entry("jobs.retry", job.id))
            guard case .insufficientCredits = refused else { throw StoreError.unexpected(reason: "it was accepted") }
            let entries = try await store.auditEntries(AuditFilter(), after: nil, limit: 10)
            #expect(entries.map(\.action).sorted() == ["jobs.cancel", "jobs.retry"])
            #expect(entries.allSatisfy { $0.target == job.id.description && $0.at == harness.clock.now })
        },
    ]
}

extension StoreHarness {
    fileprivate func history(_ id: JobID) async throws -> JobHistory {
        try await store.history(of: try #require(try await store.jobRecord(id, at: clock.now)))
    }

    fileprivate func entry(_ action: String, _ job: JobID) -> AuditEntry {
        AuditEntry(
            id: makeID(), at: clock.now, actor: AuditActor(.user, id: "7", name: "operator"), action: action,
            target: job.description)
    }

    /// The waits and attempts of a job in the order of their begins, with their times in seconds since its submit.
    fileprivate func told(_ id: JobID) async throws -> [String] {
        let record = try #require(try await store.jobRecord(id, at: clock.now))
        let history = try await store.history(of: record)
        func seconds(_ time: Timestamp?) -> String {
            time.map { String(($0 - record.job.createdAt).components.seconds) } ?? ""
        }
        let waits = history.waits.map { wait -> (Timestamp, Int, String) in
            let code = if case .why(let code) = wait.code { code.rawValue } else { "death" }
            let order = code == "death" ? 2 : 0
            return (wait.from, order, "\(code) \(seconds(wait.from))-\(seconds(wait.until))")
        }
        let attempts = history.attempts.map { attempt -> (Timestamp, Int, String) in
            let words = [
                "\(attempt.number)", attempt.worker?.rawValue ?? "?",
                "\(seconds(attempt.startedAt))-\(seconds(attempt.endedAt))", attempt.outcome.rawValue,
                attempt.stepsReused > 0 ? "reused \(attempt.stepsReused)" : "", attempt.error?.code ?? "",
                attempt.lastSeenAt == nil ? "" : "seen \(seconds(attempt.lastSeenAt))",
            ]
            return (attempt.startedAt, 1, words.filter { !$0.isEmpty }.joined(separator: " "))
        }
        return (waits + attempts).sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
    }
}
