import JobQueue
import JSON
import Testing
import TestSupport

extension ConformanceSuite {
    /// Cancels, retries, deadlines and retention.
    package static let ending: [ConformanceCase] = [
        ConformanceCase("a cancel ends a pending, waiting or running job at once and releases its credits") {
            harness in
            let worker = try await harness.worker()
            let running = try await harness.submit(cost: 1)
            let lease = try await harness.claimOne(worker).lease
            let pending = try await harness.submit(cost: 1)
            let waiting = try await harness.submit(cost: 1) { $0.runAt = harness.clock.now + .seconds(9) }
            for job in [running, pending, waiting] {
                let cancelled = try #require(try await harness.store.cancel(job.id, of: job.user))
                #expect(cancelled.status == .cancelled && cancelled.completedAt == harness.clock.now)
                #expect(cancelled.blockedBy == nil && cancelled.revision > job.revision)
            }
            #expect(try await harness.balance() == CreditBalance(granted: 10, held: 0, used: 0))
            #expect(try await harness.store.leases(of: worker).isEmpty)
            await harness.expect(.leaseLost) { try await harness.store.complete(lease, with: 1, effects: []) }
            harness.clock.advance(by: .seconds(10))
            let claim = try await harness.store.claim(for: worker, upTo: [.background: 9])
            #expect(claim.jobs.isEmpty && claim.nextDue == nil)
        },
        ConformanceCase("a cancel leaves a finished job unchanged") { harness in
            let job = try await harness.submit(cost: 1)
            let lease = try await harness.claimOne(try await harness.worker()).lease
            try await harness.store.complete(lease, with: 1, effects: [])
            let before = try await harness.job(job.id)
            let after = try #require(try await harness.store.cancel(job.id, of: job.user))
            #expect(after.status == .completed && after.revision == before.revision)
        },
        ConformanceCase("another user's job cannot be cancelled or retried") { harness in
            let job = try await harness.submit(1)
            let thief = UserID(rawValue: 2)
            #expect(try await harness.store.cancel(job.id, of: thief) == nil)
            #expect(try await harness.job(job.id).status == .pending)
            _ = try await harness.store.cancel(job.id, of: job.user)
            let retried = try await harness.store.retry(job.id, of: thief)
            #expect(retried == nil)
            #expect(try await harness.store.retry(harness.makeID(), of: nil) == nil)
        },
        ConformanceCase("a retry by a person takes a new hold and resets the counts") { harness in
            let job = try await harness.submit(cost: 2) { $0.maxAttempts = 1 }
            let worker = try await harness.worker()
            let first = try await harness.claimOne(worker).lease
            let store = harness.store
            _ = try await store.append(StoreHarness.step("gather"), replacingFrom: nil, effects: [], under: first)
            let draft = try await store.append(
                StoreHarness.step("draft"), replacingFrom: nil, effects: [], under: first)
            try await store.report([ProgressReport(lease: first, progress: 50, currentStep: "draft")])
            try await store.fail(
                first, with: JobFailure(error: StoreHarness.anError, next: .giveUp, dropStepsFrom: draft))
            #expect(try await store.journal(of: job.id).map(\.name) == ["gather", "draft"])
            harness.clock.advance(by: .seconds(100))
            let retried = try #require(try await store.retry(job.id, of: job.user)?.accepted)
            #expect(retried.status == .pending && retried.attempt == 0 && retried.progress == 0)
            #expect(retried.error == nil && retried.completedAt == nil)
            #expect(retried.deadline - harness.clock.now == job.deadline - job.createdAt)
            #expect(try await harness.balance() == CreditBalance(granted: 10, held: 2, used: 0))
            let second = try await harness.claimOne(worker)
            #expect(second.attempt == 1 && second.lease.epoch > first.epoch)
            #expect(try await store.steps(of: second.lease).map(\.name) == ["gather"])
            #expect(try await store.journal(of: job.id).map(\.name) == ["gather"])
            try await store.complete(second.lease, with: 1, effects: [])
            #expect(try await harness.balance() == CreditBalance(granted: 10, held: 0, used: 2))
        },
        ConformanceCase("the steps that a failure drops are deleted with the retry") { harness in
            let job = try await harness.submit { $0.maxAttempts = 1 }
            let worker = try await harness.worker()
            let store = harness.store
            let first = try await harness.claimOne(worker).lease
            let draft = try await store.append(
                StoreHarness.step("draft"), replacingFrom: nil, effects: [], under: first)
            try await store.fail(
                first, with: JobFailure(error: StoreHarness.anError, next: .giveUp, dropStepsFrom: draft))
            _ = try await store.retry(job.id, of: nil)
            let second = try await harness.claimOne(worker).lease
            _ = try await store.append(StoreHarness.step("draft"), replacingFrom: nil, effects: [], under: second)
            try await store.fail(second, with: JobFailure(error: StoreHarness.anError, next: .giveUp))
            _ = try await store.retry(job.id, of: nil)
            let third = try await harness.claimOne(worker).lease
            #expect(try await store.steps(of: third).map(\.name) == ["draft"])
        },
        ConformanceCase("a cancelled job can be retried with its whole journal") { harness in
            let job = try await harness.submit(cost: 1)
            let worker = try await harness.worker()
            let first = try await harness.claimOne(worker).lease
            _ = try await harness.store.append(StoreHarness.step("a"), replacingFrom: nil, effects: [], under: first)
            _ = try await harness.store.cancel(job.id, of: nil)
            #expect(try await harness.store.retry(job.id, of: nil)?.accepted != nil)
            let second = try await harness.claimOne(worker).lease
            #expect(try await harness.store.steps(of: second).count == 1)
        },
        ConformanceCase("a retry without credits changes nothing") { harness in
            let job = try await harness.submit(cost: 6)
            _ = try await harness.store.cancel(job.id, of: nil)
            try await harness.submit(cost: 6)
            let refusal = try #require(try await harness.store.retry(job.id, of: job.user)?.missing)
            #expect(refusal.balance.remaining == 4 && refusal.required == 6)
            #expect(try await harness.job(job.id).status == .cancelled)
        },
        ConformanceCase("an unfinished or completed job is not retried") { harness in
            let job = try await harness.submit(cost: 1)
            #expect(try await harness.store.retry(job.id, of: nil)?.existing?.status == .pending)
            let lease = try await harness.claimOne(try await harness.worker()).lease
            #expect(try await harness.store.retry(job.id, of: nil)?.existing?.status == .processing)
            try await harness.store.complete(lease, with: 1, effects: [])
            #expect(try await harness.store.retry(job.id, of: nil)?.existing?.status == .completed)
            #expect(try await harness.balance() == CreditBalance(granted: 10, held: 0, used: 1))
        },
        ConformanceCase("a retry beside an unfinished job of its unique key returns that job") { harness in
            let first = try await harness.submit(cost: 1) { $0.uniqueKey = "k" }
            _ = try await harness.store.cancel(first.id, of: nil)
            let second = try await harness.submit(cost: 1) { $0.uniqueKey = "k" }
            #expect(try await harness.store.retry(first.id, of: nil)?.existing?.id == second.id)
            #expect(try await harness.balance().held == 1)
        },
        ConformanceCase("a deadline fails a job in any state and releases its credits") { harness in
            let worker = try await harness.worker()
            let running = try await harness.submit(cost: 1)
            let lease = try await harness.claimOne(worker).lease
            let pending = try await harness.submit(cost: 1)
            let waiting = try await harness.submit(cost: 1) { $0.runAt = harness.clock.now + .seconds(9999) }
            let later = try await harness.submit(cost: 1) { $0.deadline = harness.clock.now + .seconds(601) }
            harness.clock.advance(by: .seconds(599))
            #expect(try await harness.store.expire(limit: 100).isEmpty)
            harness.clock.advance(by: .seconds(1))
            let first = try await harness.store.expire(limit: 2)
            let rest = try await harness.store.expire(limit: 2)
            #expect(first.count == 2 && Set(first + rest) == [running.id, pending.id, waiting.id])
            for job in [running, pending, waiting] {
                let failed = try await harness.job(job.id)
                let reason: WaitReason? = job.id == pending.id ? .noWorker : nil
                #expect(failed.status == .failed && failed.error == .deadlinePassed(waitingFor: reason))
            }
            #expect(try await harness.balance() == CreditBalance(granted: 10, held: 1, used: 0))
            await harness.expect(.leaseLost) { try await harness.store.complete(lease, with: 1, effects: []) }
            await harness.expect(.leaseLost) { try await harness.store.fail(lease, with: StoreHarness.giveUp) }
            #expect(try await harness.claim(worker, 9).map(\.lease.job) == [later.id])
        },
        ConformanceCase("retention deletes jobs that ended before a time, and keeps the ledger") { harness in
            let worker = try await harness.worker()
            let call = ModelCall(
                id: "c1", provider: "p", model: "m", inputTokens: 1, outputTokens: 1, cacheReadTokens: 0,
                cacheWriteTokens: 0, costMicroDollars: 5)
            let old = try await harness.submit(cost: 1)
            let lease = try await harness.claimOne(worker).lease
            _ = try await harness.store.append(StoreHarness.step("a"), replacingFrom: nil, effects: [], under: lease)
            try await harness.store.complete(lease, with: 1, effects: [.recordModelCall(call)])
            harness.clock.advance(by: .seconds(100))
            let unfinished = try await harness.submit(cost: 1)
            let recent = try await harness.submit(cost: 1)
            _ = try await harness.store.cancel(recent.id, of: nil)
            let timestamp = harness.clock.now
            #expect(try await harness.store.deleteFinished(before: timestamp, limit: 10) == 1)
            #expect(try await harness.store.deleteFinished(before: timestamp, limit: 10) == 0)
            #expect(try await harness.store.job(old.id, of: nil) == nil)
            #expect(try await harness.store.jobWithResult(old.id, of: nil) == nil)
            for kept in [unfinished, recent] { #expect(try await harness.store.job(kept.id, of: nil) != nil) }
            #expect(try await harness.balance() == CreditBalance(granted: 10, held: 1, used: 1))
            #expect(try await harness.store.modelSpend(of: old.user, since: Timestamp(milliseconds: 0)) == 5)
        },
        ConformanceCase("retention respects its limit, and keeps jobs with a recent idempotency key") { harness in
            let promise = Idempotency(key: "k", fingerprint: "f")
            let promised = try await harness.submit { $0.idempotency = promise }
            _ = try await harness.store.cancel(promised.id, of: nil)
            for _ in 0..<5 { _ = try await harness.store.cancel(try await harness.submit().id, of: nil) }
            harness.clock.advance(by: .seconds(3600))
            #expect(try await harness.store.deleteFinished(before: harness.clock.now, limit: 3) == 3)
            #expect(try await harness.store.deleteFinished(before: harness.clock.now, limit: 30) == 2)
            #expect(
                try await harness.store.submit(harness.job { $0.idempotency = promise }).existing?.id == promised.id)
            harness.clock.advance(by: .seconds(24 * 3600))
            #expect(try await harness.store.deleteFinished(before: harness.clock.now, limit: 30) == 1)
            #expect(try await harness.store.submit(harness.job { $0.idempotency = promise }).accepted != nil)
        },
    ]
}
