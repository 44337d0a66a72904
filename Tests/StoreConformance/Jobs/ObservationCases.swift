import JSON
import JobQueue
import TestSupport
import Testing

extension ConformanceSuite {
    /// Heartbeats as observations of the fleet: silence, processes of one machine, and turns.
    package static let observing: [ConformanceCase] = [
        ConformanceCase("a silent worker is found although no observer lives for longer than two seconds") { harness in
            let silent = try await harness.worker("silent")
            var found: Int?
            for second in 1...20 where found == nil {
                harness.clock.advance(by: .seconds(1))
                if second % 2 == 0 { _ = try await harness.worker("w\(second)") }
                let observer = second % 2 == 0 ? WorkerID(rawValue: "w\(second)") : nil
                let observation = try await harness.observe(observer)
                let isFound = observation.others.contains { $0.heartbeat.worker == silent && $0.isSilent }
                if isFound { found = second }
            }
            #expect((11...13).contains(found ?? 0), "\(found ?? 0) s")
        },
        ConformanceCase("a worker that is heard is never silent") { harness in
            let living = try await harness.worker("living")
            for _ in 1...30 {
                harness.clock.advance(by: .seconds(1))
                try await harness.store.heartbeat(living)
                #expect(try await harness.observe(nil).others.isEmpty)
            }
        },
        ConformanceCase("after a time without observers, or a jump of the clock, no worker is silent at once") {
            harness in
            _ = try await harness.worker("w1")
            for jump in [Duration.seconds(60), .seconds(7200), .seconds(-7200)] {
                harness.clock.advance(by: jump)
                for _ in 1...8 {
                    #expect(try await harness.observe(nil).others.isEmpty)
                    harness.clock.advance(by: .seconds(1))
                }
            }
        },
        ConformanceCase("an observer sees the processes of its own machine") { harness in
            for (name, machine) in [("here", "m1"), ("there", "m2"), ("nowhere", "")] {
                try await harness.store.register(
                    WorkerRegistration(
                        id: WorkerID(rawValue: name), host: "h", processID: 12, concurrency: 1, machine: machine,
                        processStart: 34))
            }
            let near = try await harness.store.observe(as: FleetObserver(worker: nil, machine: "m1")).others
            #expect(near.map(\.heartbeat.worker.rawValue) == ["here"])
            #expect(near.first?.processID == 12 && near.first?.processStart == 34 && near.first?.isSilent == false)
            #expect(try await harness.observe(nil).others.isEmpty)
        },
        ConformanceCase("of the observers within half a second one looks at all workers, the others at their machine") {
            harness in
            for (name, machine) in [("here", "m1"), ("there", "m2")] {
                try await harness.store.register(
                    WorkerRegistration(
                        id: WorkerID(rawValue: name), host: "h", processID: 12, concurrency: 1, machine: machine,
                        processStart: 34))
            }
            for _ in 1...12 {
                _ = try await harness.observe(nil)
                harness.clock.advance(by: .seconds(1))
            }
            let near = FleetObserver(worker: nil, machine: "m1")
            #expect(try await harness.store.observe(as: near).others.count == 2)
            for pause in [1, 200, 298] {
                harness.clock.advance(by: .milliseconds(pause))
                let others = try await harness.store.observe(as: near).others
                #expect(others.map(\.heartbeat.worker.rawValue) == ["here"])
                #expect(others.first?.isSilent == true)
                #expect(try await harness.observe(nil).others.isEmpty)
            }
            harness.clock.advance(by: .milliseconds(1))
            #expect(try await harness.observe(nil).others.count == 2, "half a second later another one looks")
        },
        ConformanceCase("the version of a worker's program is known, that of its last registration") { harness in
            for version in ["", "0.1.0", "0.2.0"] {
                try await harness.store.register(
                    WorkerRegistration(
                        id: WorkerID(rawValue: "w"), host: "h", processID: 12, concurrency: 1, version: version))
                let known = try await harness.store.workers(below: .max, limit: 9, id: nil, at: harness.clock.now)
                #expect(known.map(\.worker.version) == [version])
            }
        },
        ConformanceCase("one worker a second has the turn, and a broker never has it") { harness in
            let workers = [try await harness.worker("w1"), try await harness.worker("w2")]
            var turns = 0
            for step in 0..<40 {
                harness.clock.advance(by: .milliseconds(250))
                #expect(try await harness.observe(nil).hasTurn == false)
                if try await harness.observe(workers[step % 2]).hasTurn { turns += 1 }
            }
            #expect((9...11).contains(turns), "\(turns) turns in ten seconds")
        },
        ConformanceCase("an observation tells the number of leases, the bundle and the time") { harness in
            let worker = try await harness.worker()
            for _ in 0..<3 { try await harness.submit() }
            #expect(try await harness.claim(worker, 2).count == 2)
            try await harness.store.adopt(bundle: "b7", limits: [:])
            let observation = try await harness.observe(worker)
            #expect(observation.leases == 2 && observation.bundle == "b7" && observation.now == harness.clock.now)
        },
        ConformanceCase("a worker claims no job that it cannot run, and such a job delays no other") { harness in
            let worker = try await harness.worker()
            let excluded = ClaimExclusions(kinds: ["quiz"], bundles: ["b9"])
            var left: [JobID] = []
            for user in 1...3 {
                left.append(try await harness.submit(Int64(user)) { $0.kind = "quiz" }.id)
                left.append(
                    try await harness.submit(Int64(user)) {
                        $0.bundle = "b9"; $0.priority = 3
                    }.id)
                try await harness.submit(Int64(user))
                try await harness.submit(Int64(user))
            }
            let capacity: [QueueName: Int] = [.background: 4]
            let first = try await harness.store.claim(for: worker, upTo: capacity, excluding: excluded)
            #expect(first.jobs.count == 4 && Set(first.jobs.map(\.user.rawValue)).count == 3)
            let second = try await harness.store.claim(for: worker, upTo: capacity, excluding: excluded)
            #expect(second.jobs.count == 2)
            #expect((first.jobs + second.jobs).allSatisfy { $0.kind == "research" && $0.bundle == "b1" })
            let other = try await harness.worker("able")
            #expect(Set(try await harness.claim(other, 9).map(\.lease.job)) == Set(left))
        },
        ConformanceCase("jobs that a partial worker passed over are claimed by an able one in their turn") { harness in
            let abilities = WorkerAbilities(kinds: ["research"], missing: ["quiz": "no model"])
            let partial = WorkerID(rawValue: "partial")
            try await harness.store.register(
                WorkerRegistration(id: partial, host: "h", processID: 1, concurrency: 9, abilities: abilities))
            let able = try await harness.worker("able")
            let quiz = try await harness.submit(1) { $0.kind = "quiz" }.id
            for _ in 0..<20 { try await harness.submit(2) }
            let claim = try await harness.store.claim(
                for: partial, upTo: [.background: 15], excluding: ClaimExclusions(kinds: ["quiz"]))
            #expect(claim.jobs.count == 15)
            #expect(try await harness.claimOne(able).lease.job == quiz)
        },
        ConformanceCase("scheduled and blocked jobs are counted by what they wait for") { harness in
            let worker = try await harness.worker()
            for wait in [
                WaitCause(.providerBudget, provider: "claude", budget: "claude/fast"), WaitCause(.breakerOpen),
            ] {
                try await harness.submit()
                let lease = try await harness.claimOne(worker).lease
                try await harness.store.snooze([lease], after: .seconds(30), waitingFor: wait)
            }
            try await harness.submit()
            let failed = try await harness.claimOne(worker).lease
            try await harness.store.fail(failed, with: StoreHarness.retry(after: .seconds(30)))
            for _ in 0..<2 { try await harness.submit { $0.runAt = harness.clock.now + .seconds(60) } }
            for _ in 0..<3 { try await harness.submit { $0.concurrencyKey = "s" } }
            let counts = try await harness.store.jobCounts(submittedSince: harness.clock.now + .seconds(1))
            let blocked = counts.filter { $0.category == .scheduled || $0.category == .blocked }
            #expect(
                Dictionary(blocked.map { ($0.reason, $0.count) }, uniquingKeysWith: +) == [
                    .providerBudget: 1, .breakerOpen: 1, .retry: 1, .scheduled: 2, .serial: 2,
                ])
            #expect(counts.allSatisfy { ($0.reason != nil) == [.scheduled, .blocked].contains($0.category) })
        },
        ConformanceCase("the times of ended jobs are those from start to result, the failed and patient ones left out")
        {
            harness in
            #expect(try await harness.store.jobTimes(limit: 10).isEmpty)
            for seconds in [4, 9] {
                try await harness.submit()
                harness.clock.advance(by: .seconds(100))
                let lease = try await harness.claimOne(try await harness.worker()).lease
                harness.clock.advance(by: .seconds(seconds))
                try await harness.store.complete(lease, with: [:], effects: [])
            }
            let failed = try await harness.running()
            try await harness.store.fail(failed, with: StoreHarness.giveUp)
            try await harness.submit { $0.within = .seconds(3600) }
            let patient = try await harness.claimOne(try await harness.worker()).lease
            try await harness.store.complete(patient, with: [:], effects: [])
            let times = try await harness.store.jobTimes(limit: 10)
            #expect(
                Set(times) == [4, 9].reduce(into: []) { $0.insert(JobTime(kind: "research", duration: .seconds($1))) })
            #expect(try await harness.store.jobTimes(limit: 3).map(\.duration) == [.seconds(9)])
        },
        ConformanceCase("jobs that no worker can run, and jobs that are held and do not run, are counted") { harness in
            try await harness.submit { $0.kind = "quiz" }
            try await harness.submit()
            #expect(try await harness.reading("jobs_unserved") == 2, "no worker is registered")
            let worker = WorkerID(rawValue: "w")
            try await harness.store.register(
                WorkerRegistration(
                    id: worker, host: "h", processID: 1, concurrency: 1,
                    abilities: WorkerAbilities(kinds: ["research"], missing: ["quiz": "no model"])))
            #expect(try await harness.reading("jobs_unserved") == 1)
            #expect(try await harness.count(.unserved) == 1)
            let able = try await harness.worker("able")
            #expect(try await harness.reading("jobs_unserved") == 0)
            #expect(try await harness.claim(able, 2).count == 2)
            #expect(try await harness.reading("leases_idle") == 0, "their claim has just been made")
            harness.clock.advance(by: .seconds(6))
            _ = try await harness.store.observe(as: FleetObserver(worker: able, running: 1))
            #expect(try await harness.reading("leases_idle") == 1)
            #expect(try await harness.count(.idle) == 1)
            _ = try await harness.store.observe(as: FleetObserver(worker: able, running: 2))
            #expect(try await harness.reading("leases_idle") == 0)
        },
    ]
}

extension StoreHarness {
    /// The value of a health reading.
    fileprivate func reading(_ name: String) async throws -> Int64? {
        let readings = try await store.health()
        return readings.first { $0.name == name }?.value
    }

    /// The number of jobs in a category.
    fileprivate func count(_ category: JobCount.Category) async throws -> Int {
        let counts = try await store.jobCounts(submittedSince: clock.now)
        return counts.filter { $0.category == category }.reduce(0) { $0 + $1.count }
    }

    /// Observes as a worker, or as a broker.
    func observe(_ worker: WorkerID?) async throws -> FleetObservation {
        try await store.observe(as: FleetObserver(worker: worker))
    }
}
