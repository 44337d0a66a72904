import JSON
import JobQueue
import Testing

extension ConformanceSuite {
    /// Cancelling, trying again, deadlines, retention.
    package static let ending: [ConformanceCase] = [
        ConformanceCase("a cancel ends a pending, a waiting and a running job at once and frees its credits") { bench in
            let worker = try await bench.worker()
            let running = try await bench.submit(cost: 1)
            let lease = try await bench.claimOne(worker).lease
            let pending = try await bench.submit(cost: 1)
            let waiting = try await bench.submit(cost: 1) { $0.runAt = bench.clock.now + .seconds(9) }
            for job in [running, pending, waiting] {
                let cancelled = try #require(try await bench.store.cancel(job.id, of: job.user))
                #expect(cancelled.status == .cancelled && cancelled.completedAt == bench.clock.now)
                #expect(cancelled.blockedBy == nil && cancelled.revision > job.revision)
            }
            #expect(try await bench.balance() == CreditBalance(granted: 10, held: 0, used: 0))
            #expect(try await bench.store.leases(of: worker).isEmpty)
            await bench.expect(.leaseLost) { try await bench.store.complete(lease, with: 1, effects: []) }
            bench.clock.advance(by: .seconds(10))
            let claim = try await bench.store.claim(for: worker, upTo: [.background: 9])
            #expect(claim.jobs.isEmpty && claim.nextDue == nil)
        },
        ConformanceCase("a cancel leaves a finished job as it is") { bench in
            let job = try await bench.submit(cost: 1)
            let lease = try await bench.claimOne(try await bench.worker()).lease
            try await bench.store.complete(lease, with: 1, effects: [])
            let before = try await bench.job(job.id)
            let after = try #require(try await bench.store.cancel(job.id, of: job.user))
            #expect(after.status == .completed && after.revision == before.revision)
        },
        ConformanceCase("another user's job cannot be cancelled or retried") { bench in
            let job = try await bench.submit(1)
            let thief = UserID(rawValue: 2)
            #expect(try await bench.store.cancel(job.id, of: thief) == nil)
            #expect(try await bench.job(job.id).status == .pending)
            _ = try await bench.store.cancel(job.id, of: job.user)
            let retried = try await bench.store.retry(job.id, of: thief)
            #expect(retried == nil)
            #expect(try await bench.store.retry(bench.makeID(), of: nil) == nil)
        },
        ConformanceCase("a retry by a person takes a new hold and starts the counts anew") { bench in
            let job = try await bench.submit(cost: 2) { $0.maxAttempts = 1 }
            let worker = try await bench.worker()
            let first = try await bench.claimOne(worker).lease
            let store = bench.store
            _ = try await store.append(Bench.step("gather"), replacingFrom: nil, effects: [], under: first)
            let draft = try await store.append(Bench.step("draft"), replacingFrom: nil, effects: [], under: first)
            try await store.report([ProgressReport(lease: first, progress: 50, currentStep: "draft")])
            try await store.fail(
                first, with: JobFailure(error: Bench.anError, next: .giveUp, dropStepsFrom: draft))
            #expect(try await store.journal(of: job.id).map(\.name) == ["gather", "draft"])
            bench.clock.advance(by: .seconds(100))
            let retried = try #require(try await store.retry(job.id, of: job.user)?.accepted)
            #expect(retried.status == .pending && retried.attempt == 0 && retried.progress == 0)
            #expect(retried.error == nil && retried.completedAt == nil)
            #expect(retried.deadline - bench.clock.now == job.deadline - job.createdAt)
            #expect(try await bench.balance() == CreditBalance(granted: 10, held: 2, used: 0))
            let second = try await bench.claimOne(worker)
            #expect(second.attempt == 1 && second.lease.epoch > first.epoch)
            #expect(try await store.steps(of: second.lease).map(\.name) == ["gather"])
            #expect(try await store.journal(of: job.id).map(\.name) == ["gather"])
            try await store.complete(second.lease, with: 1, effects: [])
            #expect(try await bench.balance() == CreditBalance(granted: 10, held: 0, used: 2))
        },
        ConformanceCase("what one failure drops is forgotten with the retry that dropped it") { bench in
            let job = try await bench.submit { $0.maxAttempts = 1 }
            let worker = try await bench.worker()
            let store = bench.store
            let first = try await bench.claimOne(worker).lease
            let draft = try await store.append(Bench.step("draft"), replacingFrom: nil, effects: [], under: first)
            try await store.fail(first, with: JobFailure(error: Bench.anError, next: .giveUp, dropStepsFrom: draft))
            _ = try await store.retry(job.id, of: nil)
            let second = try await bench.claimOne(worker).lease
            _ = try await store.append(Bench.step("draft"), replacingFrom: nil, effects: [], under: second)
            try await store.fail(second, with: JobFailure(error: Bench.anError, next: .giveUp))
            _ = try await store.retry(job.id, of: nil)
            let third = try await bench.claimOne(worker).lease
            #expect(try await store.steps(of: third).map(\.name) == ["draft"])
        },
        ConformanceCase("a cancelled job can be tried again with its whole journal") { bench in
            let job = try await bench.submit(cost: 1)
            let worker = try await bench.worker()
            let first = try await bench.claimOne(worker).lease
            _ = try await bench.store.append(Bench.step("a"), replacingFrom: nil, effects: [], under: first)
            _ = try await bench.store.cancel(job.id, of: nil)
            #expect(try await bench.store.retry(job.id, of: nil)?.accepted != nil)
            let second = try await bench.claimOne(worker).lease
            #expect(try await bench.store.steps(of: second).count == 1)
        },
        ConformanceCase("a retry without credits changes nothing") { bench in
            let job = try await bench.submit(cost: 6)
            _ = try await bench.store.cancel(job.id, of: nil)
            try await bench.submit(cost: 6)
            let refusal = try #require(try await bench.store.retry(job.id, of: job.user)?.missing)
            #expect(refusal.balance.remaining == 4 && refusal.required == 6)
            #expect(try await bench.job(job.id).status == .cancelled)
        },
        ConformanceCase("an unfinished or completed job is not tried again") { bench in
            let job = try await bench.submit(cost: 1)
            #expect(try await bench.store.retry(job.id, of: nil)?.existing?.status == .pending)
            let lease = try await bench.claimOne(try await bench.worker()).lease
            #expect(try await bench.store.retry(job.id, of: nil)?.existing?.status == .processing)
            try await bench.store.complete(lease, with: 1, effects: [])
            #expect(try await bench.store.retry(job.id, of: nil)?.existing?.status == .completed)
            #expect(try await bench.balance() == CreditBalance(granted: 10, held: 0, used: 1))
        },
        ConformanceCase("a retry beside an unfinished job of its join key joins that one") { bench in
            let first = try await bench.submit(cost: 1) { $0.uniqueKey = "k" }
            _ = try await bench.store.cancel(first.id, of: nil)
            let second = try await bench.submit(cost: 1) { $0.uniqueKey = "k" }
            #expect(try await bench.store.retry(first.id, of: nil)?.existing?.id == second.id)
            #expect(try await bench.balance().held == 1)
        },
        ConformanceCase("a deadline fails a job wherever it is, and frees its credits") { bench in
            let worker = try await bench.worker()
            let running = try await bench.submit(cost: 1)
            let lease = try await bench.claimOne(worker).lease
            let pending = try await bench.submit(cost: 1)
            let waiting = try await bench.submit(cost: 1) { $0.runAt = bench.clock.now + .seconds(9999) }
            let later = try await bench.submit(cost: 1) { $0.deadline = bench.clock.now + .seconds(601) }
            bench.clock.advance(by: .seconds(599))
            #expect(try await bench.store.expire(limit: 100).isEmpty)
            bench.clock.advance(by: .seconds(1))
            let first = try await bench.store.expire(limit: 2)
            let rest = try await bench.store.expire(limit: 2)
            #expect(first.count == 2 && Set(first + rest) == [running.id, pending.id, waiting.id])
            for job in [running, pending, waiting] {
                let failed = try await bench.job(job.id)
                #expect(failed.status == .failed && failed.error == .deadlinePassed)
            }
            #expect(try await bench.balance() == CreditBalance(granted: 10, held: 1, used: 0))
            await bench.expect(.leaseLost) { try await bench.store.complete(lease, with: 1, effects: []) }
            await bench.expect(.leaseLost) { try await bench.store.fail(lease, with: Bench.giveUp) }
            #expect(try await bench.claim(worker, 9).map(\.lease.job) == [later.id])
        },
        ConformanceCase("retention deletes what ended before, and leaves the books") { bench in
            let worker = try await bench.worker()
            let call = ModelCall(
                id: "c1", provider: "p", model: "m", inputTokens: 1, outputTokens: 1, cacheReadTokens: 0,
                cacheWriteTokens: 0, costMicroDollars: 5)
            let old = try await bench.submit(cost: 1)
            let lease = try await bench.claimOne(worker).lease
            _ = try await bench.store.append(Bench.step("a"), replacingFrom: nil, effects: [], under: lease)
            try await bench.store.complete(lease, with: 1, effects: [.recordModelCall(call)])
            bench.clock.advance(by: .seconds(100))
            let unfinished = try await bench.submit(cost: 1)
            let recent = try await bench.submit(cost: 1)
            _ = try await bench.store.cancel(recent.id, of: nil)
            let timestamp = bench.clock.now
            #expect(try await bench.store.deleteFinished(before: timestamp, limit: 10) == 1)
            #expect(try await bench.store.deleteFinished(before: timestamp, limit: 10) == 0)
            #expect(try await bench.store.job(old.id, of: nil) == nil)
            #expect(try await bench.store.jobWithResult(old.id, of: nil) == nil)
            for kept in [unfinished, recent] { #expect(try await bench.store.job(kept.id, of: nil) != nil) }
            #expect(try await bench.balance() == CreditBalance(granted: 10, held: 1, used: 1))
            #expect(try await bench.store.modelSpend(of: old.user, since: Timestamp(milliseconds: 0)) == 5)
        },
        ConformanceCase("retention keeps to its limit, and keeps jobs whose idempotency key is young") { bench in
            let promise = Idempotency(key: "k", fingerprint: "f")
            let promised = try await bench.submit { $0.idempotency = promise }
            _ = try await bench.store.cancel(promised.id, of: nil)
            for _ in 0..<5 { _ = try await bench.store.cancel(try await bench.submit().id, of: nil) }
            bench.clock.advance(by: .seconds(3600))
            #expect(try await bench.store.deleteFinished(before: bench.clock.now, limit: 3) == 3)
            #expect(try await bench.store.deleteFinished(before: bench.clock.now, limit: 30) == 2)
            #expect(try await bench.store.submit(bench.job { $0.idempotency = promise }).existing?.id == promised.id)
            bench.clock.advance(by: .seconds(24 * 3600))
            #expect(try await bench.store.deleteFinished(before: bench.clock.now, limit: 30) == 1)
            #expect(try await bench.store.submit(bench.job { $0.idempotency = promise }).accepted != nil)
        },
    ]
}
