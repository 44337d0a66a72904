import JSON
import JobQueue
import Testing

extension ConformanceSuite {
    /// Workers: how they come, live, leave and die.
    package static let liveness: [ConformanceCase] = [
        ConformanceCase("every beat moves the counter") { bench in
            let worker = try await bench.worker()
            let before = try #require(try await bench.store.heartbeats().first)
            try await bench.store.heartbeat(worker)
            let after = try #require(try await bench.store.heartbeats().first)
            #expect(before.worker == worker && after.worker == worker && after.count > before.count)
        },
        ConformanceCase("a worker that is not registered is told so") { bench in
            let nobody = WorkerID(rawValue: "nobody")
            await bench.expect(.workerUnknown) { try await bench.store.heartbeat(nobody) }
            await bench.expect(.workerUnknown) {
                _ = try await bench.store.claim(for: nobody, upTo: [.background: 1])
            }
        },
        ConformanceCase("registering again is a beat, not another worker") { bench in
            _ = try await bench.worker()
            let before = try await bench.store.heartbeats()
            _ = try await bench.worker()
            let after = try await bench.store.heartbeats()
            #expect(after.count == 1 && after[0].count > before[0].count)
        },
        ConformanceCase("a rescue requeues the jobs of a dead worker without costing an attempt") { bench in
            let worker = try await bench.worker("dying")
            let job = try await bench.submit(cost: 1)
            let first = try await bench.claimOne(worker)
            try await bench.store.report([ProgressReport(lease: first.lease, progress: 70, currentStep: "draft")])
            let beat = try #require(try await bench.store.heartbeats().first)
            let rescue = try await bench.store.rescue(beat)
            #expect(rescue == Rescue(requeued: [job.id], poisoned: []))
            #expect(try await bench.store.heartbeats().isEmpty)
            await bench.expect(.workerUnknown) { try await bench.store.heartbeat(worker) }
            await bench.expect(.leaseLost) { try await bench.store.complete(first.lease, with: 1, effects: []) }
            let second = try await bench.claimOne(try await bench.worker("w2"))
            #expect(second.attempt == 1 && second.progress == 70 && second.lease.epoch > first.lease.epoch)
            #expect(try await bench.store.rescue(beat) == Rescue(requeued: [], poisoned: []))
            #expect(try await bench.balance().held == 1)
        },
        ConformanceCase("nobody is rescued whose counter moved") { bench in
            let worker = try await bench.worker()
            try await bench.submit()
            let lease = try await bench.claimOne(worker).lease
            let stale = try #require(try await bench.store.heartbeats().first)
            try await bench.store.heartbeat(worker)
            #expect(try await bench.store.rescue(stale) == Rescue(requeued: [], poisoned: []))
            #expect(try await bench.store.leases(of: worker) == [lease])
        },
        ConformanceCase("a job whose workers die three times without a new step fails as poison") { bench in
            let job = try await bench.submit(cost: 1)
            #expect(try await bench.die(3) == [.requeued, .requeued, .poisoned])
            let failed = try await bench.job(job.id)
            #expect(failed.status == .failed && failed.error == .poison)
            #expect(try await bench.balance() == CreditBalance(granted: 10, held: 0, used: 0))
        },
        ConformanceCase("a new step between deaths starts the count anew") { bench in
            try await bench.submit()
            #expect(try await bench.die(2) == [.requeued, .requeued])
            #expect(try await bench.die(1, journalling: "a") == [.requeued])
            #expect(try await bench.die(2) == [.requeued, .poisoned])
        },
        ConformanceCase("an orderly leave or hand back is no death") { bench in
            try await bench.submit()
            #expect(try await bench.die(2) == [.requeued, .requeued])
            let worker = try await bench.worker("leaving")
            try await bench.store.snooze([try await bench.claimOne(worker).lease], after: .zero)
            _ = try await bench.claimOne(worker)
            try await bench.store.deregister(worker)
            #expect(try await bench.die(1) == [.poisoned])
        },
        ConformanceCase("a job is not to blame while more workers die without it, but for a quarter from its tenth on")
        {
            bench in
            let job = try await bench.submit(cost: 1)
            for death in 1...9 {
                #expect(try await bench.die(1) == [.requeued], "death \(death)")
                for other in 0..<2 { try await bench.dieIdle("other-\(death)-\(other)") }
            }
            #expect(try await bench.die(1) == [.poisoned])
            #expect(try await bench.job(job.id).error == .poison)
        },
        ConformanceCase("a job that took half of all workers that died meanwhile is to blame") { bench in
            try await bench.submit()
            try await bench.dieIdle("before")
            #expect(try await bench.die(1) == [.requeued])
            for other in 0..<3 { try await bench.dieIdle("other-\(other)") }
            #expect(try await bench.die(2) == [.requeued, .poisoned])
        },
        ConformanceCase("jobs that saw as many workers die start one after the other, and one alone is to blame") {
            bench in
            let first = try await bench.submit(cost: 1)
            let second = try await bench.submit(cost: 1)
            let dying = WorkerID(rawValue: "dying")
            for _ in 0..<3 {
                let worker = try await bench.worker(dying.rawValue)
                #expect(try await bench.claim(worker, 9).count == 2)
                #expect(try await bench.rescue(worker).poisoned.isEmpty)
            }
            let worker = try await bench.worker(dying.rawValue)
            #expect(try await bench.claim(worker, 9).map(\.lease.job) == [first.id])
            #expect(try await bench.rescue(worker) == Rescue(requeued: [], poisoned: [first.id]))
            bench.clock.advance(by: PoisonRule.pause(atPosition: 1))
            let living = try await bench.worker("living")
            let spared = try await bench.claim(living, 9)
            #expect(spared.map(\.lease.job) == [second.id] && spared.first?.attempt == 1)
        },
        ConformanceCase("a worker that leaves gives its jobs back") { bench in
            let worker = try await bench.worker()
            let job = try await bench.submit()
            let first = try await bench.claimOne(worker)
            try await bench.store.deregister(worker)
            try await bench.store.deregister(worker)
            let waiting = try await bench.job(job.id)
            #expect(waiting.status == .pending && waiting.attempt == 1)
            #expect(try await bench.store.heartbeats().isEmpty)
            let second = try await bench.claimOne(try await bench.worker("w2"))
            #expect(second.attempt == first.attempt)
        },
    ]
}

extension Bench {
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

    /// Lets workers claim a job and die, one after the other, and says what became of it each time.
    func die(_ times: Int, journalling step: String? = nil) async throws -> [Fate] {
        var fates: [Fate] = []
        for _ in 0..<times {
            let worker = try await worker("mortal")
            let lease = try await claimOne(worker).lease
            if let step {
                _ = try await store.append(Bench.step(step), replacingFrom: nil, effects: [], under: lease)
            }
            let beat = try #require(try await store.heartbeats().first { $0.worker == worker })
            let rescue = try await store.rescue(beat)
            fates.append(
                rescue.requeued == [lease.job] ? .requeued : rescue.poisoned == [lease.job] ? .poisoned : .untouched)
        }
        return fates
    }
}
