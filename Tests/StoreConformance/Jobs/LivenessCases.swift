import JobQueue
import JSON
import Testing
import TestSupport

extension ConformanceSuite {
    /// Registration, heartbeats and deaths of workers.
    package static let liveness: [ConformanceCase] = [
        ConformanceCase("every heartbeat moves the counter") { harness in
            let worker = try await harness.worker()
            let before = try #require(try await harness.store.heartbeats().first)
            try await harness.store.heartbeat(worker)
            let after = try #require(try await harness.store.heartbeats().first)
            #expect(before.worker == worker && after.worker == worker && after.count > before.count)
        },
        ConformanceCase("an unregistered worker is refused") { harness in
            let nobody = WorkerID(rawValue: "nobody")
            await harness.expect(.workerUnknown) { try await harness.store.heartbeat(nobody) }
            await harness.expect(.workerUnknown) {
                _ = try await harness.store.claim(for: nobody, upTo: [.background: 1])
            }
        },
        ConformanceCase("registering again is a heartbeat and no other worker") { harness in
            _ = try await harness.worker()
            let before = try await harness.store.heartbeats()
            _ = try await harness.worker()
            let after = try await harness.store.heartbeats()
            #expect(after.count == 1 && after[0].count > before[0].count)
        },
        ConformanceCase("abilities are written, and those of a dead worker do not bring it back") { harness in
            let worker = try await harness.worker()
            let abilities = WorkerAbilities(kinds: ["research"], missing: ["chat": "no model"], providers: ["claude"])
            try await harness.store.setAbilities(abilities, of: worker)
            let found = try await harness.store.workers(below: .max, limit: 10, id: worker, at: harness.clock.now)
            #expect(found.first?.worker.providers == ["claude"] && found.first?.worker.missing == ["chat": "no model"])
            _ = try await harness.store.rescue(try #require(try await harness.store.heartbeats().first))
            try await harness.store.setAbilities(abilities, of: worker)
            #expect(try await harness.store.heartbeats().isEmpty)
            await harness.expect(.workerUnknown) { try await harness.store.heartbeat(worker) }
        },
        ConformanceCase("a rescue requeues the jobs of a dead worker without costing an attempt") { harness in
            let worker = try await harness.worker("dying")
            let job = try await harness.submit(cost: 1)
            let first = try await harness.claimOne(worker)
            try await harness.store.report([ProgressReport(lease: first.lease, progress: 70, currentStep: "draft")])
            let beat = try #require(try await harness.store.heartbeats().first)
            let rescue = try await harness.store.rescue(beat)
            #expect(rescue == Rescue(requeued: [job.id], poisoned: []))
            #expect(try await harness.store.heartbeats().isEmpty)
            await harness.expect(.workerUnknown) { try await harness.store.heartbeat(worker) }
            await harness.expect(.leaseLost) { try await harness.store.complete(first.lease, with: 1, effects: []) }
            let second = try await harness.claimOne(try await harness.worker("w2"))
            #expect(second.attempt == 1 && second.progress == 70 && second.lease.epoch > first.lease.epoch)
            #expect(try await harness.store.rescue(beat) == Rescue(requeued: [], poisoned: []))
            #expect(try await harness.balance().held == 1)
        },
        ConformanceCase("a worker whose counter moved is not rescued") { harness in
            let worker = try await harness.worker()
            try await harness.submit()
            let lease = try await harness.claimOne(worker).lease
            let stale = try #require(try await harness.store.heartbeats().first)
            try await harness.store.heartbeat(worker)
            #expect(try await harness.store.rescue(stale) == Rescue(requeued: [], poisoned: []))
            #expect(try await harness.store.leases(of: worker) == [lease])
        },
        ConformanceCase("a job whose workers die three times without a new step fails as poison") { harness in
            let job = try await harness.submit(cost: 1)
            #expect(try await harness.die(3) == [.requeued, .requeued, .poisoned])
            let failed = try await harness.job(job.id)
            #expect(failed.status == .failed && failed.error == .poison)
            #expect(try await harness.balance() == CreditBalance(granted: 10, held: 0, used: 0))
        },
        ConformanceCase("a new step between deaths resets the count") { harness in
            try await harness.submit()
            #expect(try await harness.die(2) == [.requeued, .requeued])
            #expect(try await harness.die(1, journalling: "a") == [.requeued])
            #expect(try await harness.die(2) == [.requeued, .poisoned])
        },
        ConformanceCase("deregistration and snooze do not count as deaths") { harness in
            try await harness.submit()
            #expect(try await harness.die(2) == [.requeued, .requeued])
            let worker = try await harness.worker("leaving")
            try await harness.store.snooze([try await harness.claimOne(worker).lease], after: .zero)
            _ = try await harness.claimOne(worker)
            try await harness.store.deregister(worker)
            #expect(try await harness.die(1) == [.poisoned])
        },
        ConformanceCase(
            "a job is not to blame while most workers die without it; from its thirtieth death on a quarter is enough"
        ) {
            harness in
            let job = try await harness.submit(cost: 1)
            for death in 1...29 {
                #expect(try await harness.die(1) == [.requeued], "death \(death)")
                for other in 0..<2 { try await harness.dieIdle("other-\(death)-\(other)") }
            }
            #expect(try await harness.die(1) == [.poisoned])
            #expect(try await harness.job(job.id).error == .poison)
        },
        ConformanceCase("three deaths are enough only when nobody else died meanwhile, six when hardly anybody did") {
            harness in
            try await harness.submit()
            try await harness.dieIdle("before")
            #expect(try await harness.die(1) == [.requeued])
            try await harness.dieIdle("other")
            #expect(try await harness.die(5) == [.requeued, .requeued, .requeued, .requeued, .poisoned])
        },
        ConformanceCase("a job is not to blame when every second worker is killed, unless it is hit sixteen times") {
            harness in
            try await harness.submit()
            for death in 1...15 {
                #expect(try await harness.die(1) == [.requeued], "death \(death)")
                try await harness.dieIdle("other-\(death)")
            }
            #expect(try await harness.die(1) == [.poisoned])
        },
        ConformanceCase("jobs with equal deaths restart one after the other, and only a job alone is to blame") {
            harness in
            let first = try await harness.submit(cost: 1)
            let second = try await harness.submit(cost: 1)
            let dying = WorkerID(rawValue: "dying")
            for _ in 0..<3 {
                let worker = try await harness.worker(dying.rawValue)
                #expect(try await harness.claim(worker, 9).count == 2)
                #expect(try await harness.rescue(worker).poisoned.isEmpty)
            }
            let worker = try await harness.worker(dying.rawValue)
            #expect(try await harness.claim(worker, 9).map(\.lease.job) == [first.id])
            #expect(try await harness.rescue(worker) == Rescue(requeued: [], poisoned: [first.id]))
            harness.clock.advance(by: PoisonRule.pause(atPosition: 1))
            let living = try await harness.worker("living")
            let spared = try await harness.claim(living, 9)
            #expect(spared.map(\.lease.job) == [second.id] && spared.first?.attempt == 1)
        },
        ConformanceCase("a worker that deregisters releases its jobs") { harness in
            let worker = try await harness.worker()
            let job = try await harness.submit()
            let first = try await harness.claimOne(worker)
            try await harness.store.deregister(worker)
            try await harness.store.deregister(worker)
            let waiting = try await harness.job(job.id)
            #expect(waiting.status == .pending && waiting.attempt == 1)
            #expect(try await harness.store.heartbeats().isEmpty)
            let second = try await harness.claimOne(try await harness.worker("w2"))
            #expect(second.attempt == first.attempt)
        },
    ]
}

extension StoreHarness {
    enum Fate { case requeued, poisoned, untouched }

    /// Declares a worker dead.
    func rescue(_ worker: WorkerID) async throws -> Rescue {
        let beat = try #require(try await store.heartbeats().first { $0.worker == worker })
        return try await store.rescue(beat)
    }

    /// Lets a worker without a job die.
    func dieIdle(_ name: String) async throws {
        #expect(try await rescue(try await worker(name)) == Rescue(requeued: [], poisoned: []))
    }

    /// Lets workers claim a job and die, one after the other, and returns the outcome of each rescue.
    func die(_ times: Int, journalling step: String? = nil) async throws -> [Fate] {
        var fates: [Fate] = []
        for _ in 0..<times {
            let worker = try await worker("mortal")
            let lease = try await claimOne(worker).lease
            if let step {
                _ = try await store.append(StoreHarness.step(step), replacingFrom: nil, effects: [], under: lease)
            }
            let beat = try #require(try await store.heartbeats().first { $0.worker == worker })
            let rescue = try await store.rescue(beat)
            fates.append(
                rescue.requeued == [lease.job] ? .requeued : rescue.poisoned == [lease.job] ? .poisoned : .untouched)
        }
        return fates
    }
}
