import JobQueue
import JSON
import Testing
import TestSupport

extension ConformanceSuite {
    /// Single jobs from submit to end.
    package static let lifeCycle: [ConformanceCase] = [
        ConformanceCase("a job goes from pending through processing to completed") { harness in
            let submitted = try await harness.submit(cost: 1)
            #expect(submitted.status == .pending && submitted.progress == 0 && submitted.attempt == 0)
            #expect(submitted.createdAt == harness.clock.now && submitted.startedAt == nil)
            #expect(submitted.input == ["ticker": "AAPL", "weight": .number(JSONNumber(1))])
            let worker = try await harness.worker()
            harness.clock.advance(by: .seconds(2))
            let claimed = try await harness.claimOne(worker)
            #expect(claimed.lease.job == submitted.id && claimed.attempt == 1 && claimed.progress == 0)
            #expect(claimed.input == submitted.input && claimed.deadline == submitted.deadline)
            let running = try await harness.job(submitted.id)
            #expect(running.status == .processing && running.startedAt == harness.clock.now)
            harness.clock.advance(by: .seconds(3))
            try await harness.store.complete(claimed.lease, with: ["report": "fine"], effects: [])
            let done = try #require(try await harness.store.jobWithResult(submitted.id, of: submitted.user))
            #expect(done.job.status == .completed && done.job.progress == 100 && done.job.error == nil)
            #expect(done.job.completedAt == harness.clock.now && done.result == ["report": "fine"])
            #expect(submitted.revision < running.revision && running.revision < done.job.revision)
        },
        ConformanceCase("completion settles the hold, and its repetition changes nothing") { harness in
            try await harness.submit(cost: 3)
            #expect(try await harness.balance() == CreditBalance(granted: 10, held: 3, used: 0))
            let claimed = try await harness.claimOne(try await harness.worker())
            for _ in 0..<3 { try await harness.store.complete(claimed.lease, with: 1, effects: []) }
            #expect(try await harness.balance() == CreditBalance(granted: 10, held: 0, used: 3))
            let result = try await harness.store.jobWithResult(claimed.lease.job, of: nil)?.result
            #expect(result == 1)
        },
        ConformanceCase("giving up releases the hold, and its repetition changes nothing") { harness in
            let job = try await harness.submit(cost: 3)
            let claimed = try await harness.claimOne(try await harness.worker())
            try await harness.store.report([ProgressReport(lease: claimed.lease, progress: 40, currentStep: "draft")])
            for _ in 0..<3 { try await harness.store.fail(claimed.lease, with: StoreHarness.giveUp) }
            let failed = try await harness.job(job.id)
            #expect(failed.status == .failed && failed.error == StoreHarness.anError && failed.progress == 40)
            #expect(failed.completedAt == harness.clock.now)
            #expect(try await harness.balance() == CreditBalance(granted: 10, held: 0, used: 0))
        },
        ConformanceCase("a retry waits for its pause, keeps the hold and starts at zero") { harness in
            let job = try await harness.submit(cost: 1)
            let worker = try await harness.worker()
            let first = try await harness.claimOne(worker)
            try await harness.store.report([ProgressReport(lease: first.lease, progress: 40, currentStep: "draft")])
            for _ in 0..<2 { try await harness.store.fail(first.lease, with: StoreHarness.retry(after: .seconds(5))) }
            let waiting = try await harness.job(job.id)
            let due = harness.clock.now + .seconds(5)
            #expect(waiting.status == .pending && waiting.progress == 40 && waiting.error == StoreHarness.anError)
            #expect(waiting.blockedBy == .notBefore(due))
            #expect(try await harness.balance().held == 1)
            harness.clock.advance(by: .milliseconds(4999))
            let early = try await harness.store.claim(for: worker, upTo: [.background: 5])
            #expect(early.jobs.isEmpty && early.nextDue == due)
            harness.clock.advance(by: .milliseconds(1))
            #expect(try await harness.job(job.id).blockedBy == nil)
            let second = try await harness.claimOne(worker)
            #expect(second.attempt == 2 && second.progress == 0 && second.lease.epoch > first.lease.epoch)
            let running = try await harness.job(job.id)
            #expect(running.error == nil && running.progress == 0 && running.currentStep == nil)
        },
        ConformanceCase("a stale epoch changes nothing") { harness in
            let job = try await harness.submit(cost: 1)
            let worker = try await harness.worker()
            let stale = try await harness.claimOne(worker).lease
            try await harness.store.snooze([stale], after: .zero)
            let current = try await harness.claimOne(worker).lease
            let before = try await harness.job(job.id)
            let store = harness.store
            await harness.expect(.leaseLost) { try await store.complete(stale, with: 1, effects: []) }
            await harness.expect(.leaseLost) { try await store.fail(stale, with: StoreHarness.giveUp) }
            await harness.expect(.leaseLost) { _ = try await store.steps(of: stale) }
            await harness.expect(.leaseLost) {
                _ = try await store.append(StoreHarness.step("a"), replacingFrom: nil, effects: [], under: stale)
            }
            try await store.report([ProgressReport(lease: stale, progress: 90, currentStep: "late")])
            try await store.snooze([stale], after: .zero)
            let after = try await harness.job(job.id)
            #expect(after.revision == before.revision && after.status == .processing && after.progress == 0)
            #expect(try await store.steps(of: current).isEmpty)
            #expect(try await harness.balance().held == 1)
        },
        ConformanceCase("a failed attempt cannot complete, and a completed one cannot fail") { harness in
            try await harness.submit(cost: 1)
            try await harness.submit(cost: 1)
            let worker = try await harness.worker()
            let failed = try await harness.claimOne(worker).lease
            let completed = try await harness.claimOne(worker).lease
            let store = harness.store
            try await store.fail(failed, with: StoreHarness.giveUp)
            try await store.complete(completed, with: 1, effects: [])
            await harness.expect(.leaseLost) { try await store.complete(failed, with: 1, effects: []) }
            await harness.expect(.leaseLost) { try await store.fail(completed, with: StoreHarness.giveUp) }
            #expect(try await harness.balance() == CreditBalance(granted: 10, held: 0, used: 1))
        },
        ConformanceCase("an old epoch stays void after another one finished the job") { harness in
            try await harness.submit(cost: 1)
            try await harness.submit(cost: 1)
            let worker = try await harness.worker()
            let store = harness.store
            let stale = try await harness.claim(worker, 2).map(\.lease)
            try await store.snooze(stale, after: .zero)
            let current = try await harness.claim(worker, 2).map(\.lease)
            try await store.complete(current[0], with: 1, effects: [])
            try await store.fail(current[1], with: StoreHarness.giveUp)
            for lease in stale {
                await harness.expect(.leaseLost) { try await store.complete(lease, with: 2, effects: []) }
                await harness.expect(.leaseLost) { try await store.fail(lease, with: StoreHarness.giveUp) }
            }
            #expect(try await harness.balance() == CreditBalance(granted: 10, held: 0, used: 1))
        },
        ConformanceCase("a lease of an unknown job is lost") { harness in
            let nowhere = Lease(job: harness.makeID(), epoch: 1)
            await harness.expect(.leaseLost) { try await harness.store.complete(nowhere, with: 1, effects: []) }
            await harness.expect(.leaseLost) { try await harness.store.fail(nowhere, with: StoreHarness.giveUp) }
        },
        ConformanceCase("a job without cost moves no credits") { harness in
            try await harness.submit(cost: 0)
            let claimed = try await harness.claimOne(try await harness.worker())
            try await harness.store.complete(claimed.lease, with: 1, effects: [])
            #expect(try await harness.balance() == CreditBalance(granted: 10, held: 0, used: 0))
        },
    ]
}
