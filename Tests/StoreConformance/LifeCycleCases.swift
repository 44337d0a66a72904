import JSON
import JobQueue
import Testing

extension ConformanceSuite {
    /// From submit to the end, one job at a time.
    package static let lifeCycle: [ConformanceCase] = [
        ConformanceCase("a job goes from pending through processing to completed") { bench in
            let submitted = try await bench.submit(cost: 1)
            #expect(submitted.status == .pending && submitted.progress == 0 && submitted.attempt == 0)
            #expect(submitted.createdAt == bench.clock.now && submitted.startedAt == nil)
            #expect(submitted.input == ["ticker": "AAPL", "weight": .number(JSONNumber(1))])
            let worker = try await bench.worker()
            bench.clock.advance(by: .seconds(2))
            let claimed = try await bench.claimOne(worker)
            #expect(claimed.lease.job == submitted.id && claimed.attempt == 1 && claimed.progress == 0)
            #expect(claimed.input == submitted.input && claimed.deadline == submitted.deadline)
            let running = try await bench.job(submitted.id)
            #expect(running.status == .processing && running.startedAt == bench.clock.now)
            bench.clock.advance(by: .seconds(3))
            try await bench.store.complete(claimed.lease, with: ["report": "fine"], effects: [])
            let done = try #require(try await bench.store.jobWithResult(submitted.id, of: submitted.user))
            #expect(done.job.status == .completed && done.job.progress == 100 && done.job.error == nil)
            #expect(done.job.completedAt == bench.clock.now && done.result == ["report": "fine"])
            #expect(submitted.revision < running.revision && running.revision < done.job.revision)
        },
        ConformanceCase("completion settles the hold, and doing it again changes nothing") { bench in
            try await bench.submit(cost: 3)
            #expect(try await bench.balance() == CreditBalance(granted: 10, held: 3, used: 0))
            let claimed = try await bench.claimOne(try await bench.worker())
            for _ in 0..<3 { try await bench.store.complete(claimed.lease, with: 1, effects: []) }
            #expect(try await bench.balance() == CreditBalance(granted: 10, held: 0, used: 3))
            let result = try await bench.store.jobWithResult(claimed.lease.job, of: nil)?.result
            #expect(result == 1)
        },
        ConformanceCase("giving up releases the hold, and doing it again changes nothing") { bench in
            let job = try await bench.submit(cost: 3)
            let claimed = try await bench.claimOne(try await bench.worker())
            try await bench.store.report([ProgressReport(lease: claimed.lease, progress: 40, currentStep: "draft")])
            for _ in 0..<3 { try await bench.store.fail(claimed.lease, with: Bench.giveUp) }
            let failed = try await bench.job(job.id)
            #expect(failed.status == .failed && failed.error == Bench.anError && failed.progress == 40)
            #expect(failed.completedAt == bench.clock.now)
            #expect(try await bench.balance() == CreditBalance(granted: 10, held: 0, used: 0))
        },
        ConformanceCase("a retry waits for its pause, keeps the hold and starts at zero") { bench in
            let job = try await bench.submit(cost: 1)
            let worker = try await bench.worker()
            let first = try await bench.claimOne(worker)
            try await bench.store.report([ProgressReport(lease: first.lease, progress: 40, currentStep: "draft")])
            for _ in 0..<2 { try await bench.store.fail(first.lease, with: Bench.retry(after: .seconds(5))) }
            let waiting = try await bench.job(job.id)
            let due = bench.clock.now + .seconds(5)
            #expect(waiting.status == .pending && waiting.progress == 40 && waiting.error == Bench.anError)
            #expect(waiting.blockedBy == .notBefore(due))
            #expect(try await bench.balance().held == 1)
            bench.clock.advance(by: .milliseconds(4999))
            let early = try await bench.store.claim(for: worker, upTo: [.background: 5])
            #expect(early.jobs.isEmpty && early.nextDue == due)
            bench.clock.advance(by: .milliseconds(1))
            #expect(try await bench.job(job.id).blockedBy == nil)
            let second = try await bench.claimOne(worker)
            #expect(second.attempt == 2 && second.progress == 0 && second.lease.epoch > first.lease.epoch)
            let running = try await bench.job(job.id)
            #expect(running.error == nil && running.progress == 0 && running.currentStep == nil)
        },
        ConformanceCase("a stale epoch changes nothing") { bench in
            let job = try await bench.submit(cost: 1)
            let worker = try await bench.worker()
            let stale = try await bench.claimOne(worker).lease
            try await bench.store.snooze([stale], after: .zero)
            let current = try await bench.claimOne(worker).lease
            let before = try await bench.job(job.id)
            let store = bench.store
            await bench.expect(.leaseLost) { try await store.complete(stale, with: 1, effects: []) }
            await bench.expect(.leaseLost) { try await store.fail(stale, with: Bench.giveUp) }
            await bench.expect(.leaseLost) { _ = try await store.steps(of: stale) }
            await bench.expect(.leaseLost) {
                _ = try await store.append(Bench.step("a"), replacingFrom: nil, effects: [], under: stale)
            }
            try await store.report([ProgressReport(lease: stale, progress: 90, currentStep: "late")])
            try await store.snooze([stale], after: .zero)
            let after = try await bench.job(job.id)
            #expect(after.revision == before.revision && after.status == .processing && after.progress == 0)
            #expect(try await store.steps(of: current).isEmpty)
            #expect(try await bench.balance().held == 1)
        },
        ConformanceCase("whoever failed cannot complete, and whoever completed cannot fail") { bench in
            try await bench.submit(cost: 1)
            try await bench.submit(cost: 1)
            let worker = try await bench.worker()
            let failed = try await bench.claimOne(worker).lease
            let completed = try await bench.claimOne(worker).lease
            let store = bench.store
            try await store.fail(failed, with: Bench.giveUp)
            try await store.complete(completed, with: 1, effects: [])
            await bench.expect(.leaseLost) { try await store.complete(failed, with: 1, effects: []) }
            await bench.expect(.leaseLost) { try await store.fail(completed, with: Bench.giveUp) }
            #expect(try await bench.balance() == CreditBalance(granted: 10, held: 0, used: 1))
        },
        ConformanceCase("an old epoch is void after another one finished the job, too") { bench in
            try await bench.submit(cost: 1)
            try await bench.submit(cost: 1)
            let worker = try await bench.worker()
            let store = bench.store
            let stale = try await bench.claim(worker, 2).map(\.lease)
            try await store.snooze(stale, after: .zero)
            let current = try await bench.claim(worker, 2).map(\.lease)
            try await store.complete(current[0], with: 1, effects: [])
            try await store.fail(current[1], with: Bench.giveUp)
            for lease in stale {
                await bench.expect(.leaseLost) { try await store.complete(lease, with: 2, effects: []) }
                await bench.expect(.leaseLost) { try await store.fail(lease, with: Bench.giveUp) }
            }
            #expect(try await bench.balance() == CreditBalance(granted: 10, held: 0, used: 1))
        },
        ConformanceCase("a lease on a job that does not exist is lost") { bench in
            let nowhere = Lease(job: bench.makeID(), epoch: 1)
            await bench.expect(.leaseLost) { try await bench.store.complete(nowhere, with: 1, effects: []) }
            await bench.expect(.leaseLost) { try await bench.store.fail(nowhere, with: Bench.giveUp) }
        },
        ConformanceCase("a job without cost moves no credits") { bench in
            try await bench.submit(cost: 0)
            let claimed = try await bench.claimOne(try await bench.worker())
            try await bench.store.complete(claimed.lease, with: 1, effects: [])
            #expect(try await bench.balance() == CreditBalance(granted: 10, held: 0, used: 0))
        },
    ]
}
