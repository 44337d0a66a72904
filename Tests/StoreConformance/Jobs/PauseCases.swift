import JobQueue
import JSON
import Testing
import TestSupport

extension ConformanceSuite {
    /// Pauses of kinds and lanes.
    package static let pauses: [ConformanceCase] = [
        ConformanceCase("nothing of a paused kind is claimed, and other kinds are not delayed") { harness in
            let worker = try await harness.worker()
            let before = try await harness.submit()
            let pause = try await harness.pause(.kind("research"))
            #expect(try await harness.claim(worker, 9).isEmpty)
            try await harness.store.settlePauses()
            let after = try await harness.submit()
            let other = try await harness.submit { $0.kind = "chat" }
            #expect(try await harness.claim(worker, 9).map(\.lease.job) == [other.id])
            for id in [before.id, after.id] {
                #expect(try await harness.job(id).blockedBy == .paused(until: nil))
                #expect(try await harness.job(id).status == .pending)
            }
            try await harness.end(pause)
            #expect(try await harness.claim(worker, 9).map(\.lease.job) == [before.id, after.id])
        },
        ConformanceCase("a paused lane holds all its kinds, and the other lane goes on") { harness in
            let worker = try await harness.worker()
            let pause = try await harness.pause(.queue(.interactive))
            let chat = try await harness.submit {
                $0.kind = "chat"
                $0.queue = .interactive
            }
            let report = try await harness.submit()
            let all: [QueueName: Int] = [.interactive: 9, .background: 9]
            #expect(try await harness.store.claim(for: worker, upTo: all).jobs.map(\.lease.job) == [report.id])
            try await harness.end(pause)
            #expect(try await harness.store.claim(for: worker, upTo: all).jobs.map(\.lease.job) == [chat.id])
        },
        ConformanceCase("deadlines stand still in a pause: each job has at its end the time that it had left") {
            harness in
            let worker = try await harness.worker()
            let first = try await harness.submit()
            harness.clock.advance(by: .seconds(100))
            let pause = try await harness.pause(.kind("research"))
            try await harness.store.settlePauses()
            harness.clock.advance(by: .seconds(50))
            let second = try await harness.submit()
            harness.clock.advance(by: .seconds(86_400))
            #expect(try await harness.store.expire(limit: 100).isEmpty)
            #expect(try await harness.job(first.id).deadline >= .never)
            try await harness.end(pause)
            #expect(try await harness.job(first.id).deadline == harness.clock.now + .seconds(500))
            #expect(try await harness.job(second.id).deadline == harness.clock.now + .seconds(600))
            harness.clock.advance(by: .seconds(499))
            #expect(try await harness.claimOne(worker).lease.job == first.id)
            harness.clock.advance(by: .seconds(2))
            #expect(try await harness.store.expire(limit: 100) == [first.id])
        },
        ConformanceCase("a job that waits for its time in a pause has at the end the time that it had left") {
            harness in
            let worker = try await harness.worker()
            let before = try await harness.submit { $0.runAt = harness.clock.now + .seconds(50) }
            let (retried, postponed) = (try await harness.running(), try await harness.running())
            let pause = try await harness.pause(.kind("research"))
            try await harness.store.settlePauses()
            let during = try await harness.submit { $0.runAt = harness.clock.now + .seconds(70) }
            try await harness.store.fail(retried, with: StoreHarness.retry(after: .seconds(5)))
            try await harness.store.snooze([postponed], after: .seconds(30), waitingFor: WaitCause(.providerBlocked))
            let all = [before.id, retried.job, postponed.job, during.id]
            harness.clock.advance(by: .seconds(40))
            // Some are due by now, some are not. No claim moves them while all workers are busy.
            harness.clock.advance(by: .seconds(20_000))
            #expect(try await harness.store.expire(limit: 100).isEmpty)
            try await harness.end(pause)
            for id in all { #expect(try await harness.job(id).deadline == harness.clock.now + .seconds(600)) }
            let claimed = try await harness.claim(worker, 9)
            #expect(Set(claimed.map(\.lease.job)) == Set(all))
            for job in claimed { #expect(job.deadline == harness.clock.now + .seconds(600)) }
        },
        ConformanceCase("a job that becomes due while its pause ends has its time again") { harness in
            let worker = try await harness.worker()
            for _ in 0..<3 { try await harness.submit(2) }
            let pause = try await harness.pause(.kind("research"))
            try await harness.store.settlePauses()
            let job = try await harness.submit { $0.runAt = harness.clock.now + .seconds(60) }
            harness.clock.advance(by: .seconds(61))
            #expect(try await harness.store.endPause(pause.id, audit: nil)?.id == pause.id)
            let claimed = try #require(try await harness.claim(worker, 9).first { $0.lease.job == job.id })
            #expect(claimed.deadline == harness.clock.now + .seconds(600))
            try await harness.store.settlePauses()
            #expect(try await harness.job(job.id).deadline == harness.clock.now + .seconds(600))
            #expect(try await harness.claim(worker, 9).count == 3)
        },
        ConformanceCase("two pauses of the same jobs count once, and the last end counts") { harness in
            let worker = try await harness.worker()
            let job = try await harness.submit()
            let kind = try await harness.pause(.kind("research"))
            try await harness.store.settlePauses()
            harness.clock.advance(by: .seconds(10))
            let queue = try await harness.pause(.queue(.background))
            try await harness.store.settlePauses()
            harness.clock.advance(by: .seconds(10))
            try await harness.end(kind)
            #expect(try await harness.claim(worker, 9).isEmpty)
            #expect(try await harness.store.pauses().map(\.id) == [queue.id])
            harness.clock.advance(by: .seconds(10))
            try await harness.end(queue)
            #expect(try await harness.job(job.id).deadline == harness.clock.now + .seconds(600))
            #expect(try await harness.claim(worker, 9).map(\.lease.job) == [job.id])
        },
        ConformanceCase("a pause ends at its time by itself") { harness in
            let worker = try await harness.worker()
            let pause = try await harness.pause(.kind("research"), until: harness.clock.now + .seconds(60))
            try await harness.store.settlePauses()
            let job = try await harness.submit()
            #expect(try await harness.store.pauses() == [pause])
            harness.clock.advance(by: .seconds(59))
            try await harness.store.settlePauses()
            #expect(try await harness.claim(worker, 9).isEmpty)
            harness.clock.advance(by: .seconds(1))
            #expect(try await harness.store.pauses().isEmpty)
            try await harness.store.settlePauses()
            #expect(try await harness.claim(worker, 9).map(\.lease.job) == [job.id])
        },
        ConformanceCase("jobs that run go on in a pause, and one that returns waits for its end") { harness in
            let worker = try await harness.worker()
            let done = try await harness.running()
            let returned = try await harness.running()
            let failed = try await harness.running()
            let pause = try await harness.pause(.kind("research"))
            try await harness.store.settlePauses()
            try await harness.store.complete(done, with: 1, effects: [])
            harness.clock.advance(by: .seconds(60))
            try await harness.store.snooze([returned], after: .zero)
            try await harness.store.fail(failed, with: StoreHarness.retry(after: .seconds(5)))
            #expect(try await harness.job(returned.job).blockedBy == .paused(until: nil))
            harness.clock.advance(by: .seconds(1000))
            #expect(try await harness.claim(worker, 9).isEmpty)
            #expect(try await harness.job(failed.job).blockedBy == .paused(until: nil))
            try await harness.end(pause)
            #expect(try await harness.job(returned.job).deadline == harness.clock.now + .seconds(540))
            let claimed = try await harness.claim(worker, 9)
            #expect(Set(claimed.map(\.lease.job)) == [returned.job, failed.job])
            #expect(claimed.first { $0.lease.job == failed.job }?.attempt == 2)
        },
        ConformanceCase("permits, concurrency keys and shared work outlive a pause") { harness in
            let worker = try await harness.worker()
            for user in 1...4 {
                try await harness.submit(Int64(user)) {
                    $0.kind = "limited"
                    $0.limits = ConcurrencyLimits(fleet: 2)
                }
            }
            for _ in 0..<3 { try await harness.submit(5) { $0.concurrencyKey = "conversation" } }
            let pauses = [try await harness.pause(.kind("limited")), try await harness.pause(.queue(.background))]
            try await harness.store.settlePauses()
            try await harness.submit(6) {
                $0.kind = "limited"
                $0.limits = ConcurrencyLimits(fleet: 2)
            }
            let blocked = try await harness.submit(5) { $0.concurrencyKey = "conversation" }
            let shared = try await harness.submitSharing(users: 7...9)
            #expect(try await harness.claim(worker, 99).isEmpty)
            #expect(
                try await harness.store.health().filter { ConformanceCase.invariants.contains($0.name) && !$0.isGood }
                    == [])
            harness.clock.advance(by: .seconds(5000))
            #expect(try await harness.store.expire(limit: 100).isEmpty)
            for pause in pauses { try await harness.end(pause) }
            #expect(try await harness.job(blocked.id).deadline == harness.clock.now + .seconds(600))
            #expect(try await harness.job(shared[0].id).deadline == harness.clock.now + .seconds(600))
            var done: [String] = []
            while case let claimed = try await harness.claim(worker, 99), !claimed.isEmpty {
                #expect(claimed.count { $0.kind == "limited" } <= 2)
                for job in claimed {
                    done.append(job.kind)
                    try await harness.store.complete(job.lease, with: 1, effects: [])
                }
            }
            #expect(done.count { $0 == "limited" } == 5 && done.count == 10)
            for job in shared { #expect(try await harness.job(job.id).status == .completed) }
        },
        ConformanceCase("a job can be cancelled and retried in a pause") { harness in
            let worker = try await harness.worker()
            let job = try await harness.submit(1, cost: 1)
            let pause = try await harness.pause(.kind("research"))
            try await harness.store.settlePauses()
            harness.clock.advance(by: .seconds(700))
            let cancelled = try #require(try await harness.store.cancel(job.id, of: nil))
            #expect(cancelled.status == .cancelled && cancelled.deadline < .never)
            #expect(try await harness.balance().held == 0)
            let retried = try #require(try await harness.store.retry(job.id, of: nil)?.accepted)
            #expect(retried.blockedBy == .paused(until: nil))
            try await harness.end(pause)
            #expect(try await harness.claim(worker, 9).map(\.lease.job) == [job.id])
        },
        ConformanceCase("five hundred waiting jobs are parked and go on in their order, users in turn") { harness in
            let worker = try await harness.worker()
            for _ in 0..<250 { for user in 1...2 { try await harness.submit(Int64(user)) } }
            let pause = try await harness.pause(.queue(.background))
            var parts = 0
            while try await harness.store.settlePauses(limit: 100) { parts += 1 }
            #expect(parts >= 5)
            #expect(try await harness.claim(worker, 500).isEmpty)
            try await harness.end(pause)
            let claimed = try await harness.claim(worker, 100)
            #expect(claimed.count == 100 && claimed.count { $0.user.rawValue == 1 } == 50)
            #expect(claimed.map(\.lease.job.description) == claimed.map(\.lease.job.description).sorted())
        },
        ConformanceCase("a late repetition of the request for a pause that has ended begins none") { harness in
            let worker = try await harness.worker()
            let pause = try await harness.pause(.kind("research"))
            try await harness.end(pause)
            harness.clock.advance(by: .seconds(86_400))
            let again = try #require(try await harness.store.begin(pause, audit: nil))
            #expect(again.pause == pause && !again.isNew)
            #expect(try await harness.store.pauses().isEmpty)
            let job = try await harness.submit()
            #expect(try await harness.claim(worker, 9).map(\.lease.job) == [job.id])
            for _ in 0..<Pause.most { try await harness.end(try await harness.pause(.kind("research"))) }
            try await harness.end(try await harness.pause(.kind("research")))
        },
        ConformanceCase("parked jobs of another pause stay while the jobs of one that ends go on") { harness in
            let worker = try await harness.worker()
            var (other, own): ([JobID], [JobID]) = ([], [])
            for _ in 0..<30 {
                other.append(try await harness.submit { $0.kind = "chat" }.id)
                own.append(try await harness.submit().id)
            }
            let (chats, reports) = (
                try await harness.pause(.kind("chat")), try await harness.pause(.kind("research"))
            )
            while try await harness.store.settlePauses(limit: 7) {}
            #expect(try await harness.store.endPause(reports.id, audit: nil)?.id == reports.id)
            while try await harness.store.settlePauses(limit: 7) {}
            #expect(Set(try await harness.claim(worker, 99).map(\.lease.job)) == Set(own))
            try await harness.end(chats)
            #expect(Set(try await harness.claim(worker, 99).map(\.lease.job)) == Set(other))
        },
        ConformanceCase("a pause is stored once with its audit, and the history of a job tells of it") { harness in
            let job = try await harness.submit()
            let pause = harness.newPause(.kind("research"))
            let audit = AuditEntry(
                id: harness.makeID(), at: harness.clock.now, actor: AuditActor(.cli, id: "0", name: "root"),
                action: "pauses.create", target: pause.id)
            for isNew in [true, false] {
                let begun = try #require(try await harness.store.begin(pause, audit: audit))
                #expect(begun.pause == pause && begun.isNew == isNew)
                harness.clock.advance(by: .seconds(1))
            }
            #expect(try await harness.store.auditEntries(AuditFilter(), after: nil, limit: 9).count == 1)
            try await harness.store.settlePauses()
            harness.clock.advance(by: .seconds(30))
            try await harness.end(pause)
            #expect(try await harness.store.endPause(pause.id, audit: nil) == nil)
            harness.clock.advance(by: .seconds(1))
            let record = try #require(try await harness.store.jobRecord(job.id, at: harness.clock.now))
            let waits = try await harness.store.history(of: record).waits
            #expect(waits.contains { $0.code == .why(.paused) && $0.until == $0.from + .seconds(30) })
        },
    ]
}

extension StoreHarness {
    fileprivate func newPause(_ target: Pause.Target, until: Timestamp? = nil) -> Pause {
        Pause(
            id: makeID().description, target: target, note: "a bad night", by: "root", since: clock.now, until: until)
    }

    fileprivate func pause(_ target: Pause.Target, until: Timestamp? = nil) async throws -> Pause {
        let pause = newPause(target, until: until)
        #expect(try await store.begin(pause, audit: nil)?.pause == pause)
        return pause
    }

    fileprivate func end(_ pause: Pause) async throws {
        #expect(try await store.endPause(pause.id, audit: nil)?.id == pause.id)
        try await store.settlePauses()
    }
}
