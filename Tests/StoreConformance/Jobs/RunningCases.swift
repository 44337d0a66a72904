import JobQueue
import JSON
import Testing
import TestSupport

extension ConformanceSuite {
    /// Progress and the journal of a running job.
    package static let running: [ConformanceCase] = [
        ConformanceCase("progress never goes backwards within an attempt") { harness in
            let job = try await harness.submit()
            let lease = try await harness.claimOne(try await harness.worker()).lease
            try await harness.store.report([ProgressReport(lease: lease, progress: 30, currentStep: "draft")])
            let first = try await harness.job(job.id)
            try await harness.store.report([ProgressReport(lease: lease, progress: 20, currentStep: "verify")])
            let second = try await harness.job(job.id)
            #expect(first.progress == 30 && first.currentStep == "draft")
            #expect(second.progress == 30 && second.currentStep == "verify" && second.revision > first.revision)
            try await harness.store.report([ProgressReport(lease: lease, progress: 900, currentStep: "verify")])
            #expect(try await harness.job(job.id).progress == 100)
        },
        ConformanceCase("a report without news changes no revision") { harness in
            let job = try await harness.submit()
            let lease = try await harness.claimOne(try await harness.worker()).lease
            let report = ProgressReport(lease: lease, progress: 30, currentStep: "draft")
            try await harness.store.report([report])
            let revision = try await harness.job(job.id).revision
            try await harness.store.report([report, report])
            #expect(try await harness.job(job.id).revision == revision)
        },
        ConformanceCase("one call reports many jobs and ignores void leases") { harness in
            let worker = try await harness.worker()
            for _ in 0..<3 { try await harness.submit() }
            let leases = try await harness.claim(worker, 3).map(\.lease)
            _ = try await harness.store.cancel(leases[1].job, of: nil)
            try await harness.store.report(leases.map { ProgressReport(lease: $0, progress: 50, currentStep: "x") })
            let progress = [
                try await harness.job(leases[0].job).progress, try await harness.job(leases[1].job).progress,
                try await harness.job(leases[2].job).progress,
            ]
            #expect(progress == [50, 0, 50])
        },
        ConformanceCase("the journal keeps its order and its outputs") { harness in
            try await harness.submit()
            let lease = try await harness.claimOne(try await harness.worker()).lease
            let output: JSON = ["text": "ok \u{7f}", "n": .number(JSONNumber(12))]
            var places: [Int64] = []
            for (name, occurrence) in [("b", 0), ("a", 0), ("b", 1)] {
                places.append(
                    try await harness.store.append(
                        StoreHarness.step(name, occurrence: occurrence, output: output), replacingFrom: nil,
                        effects: [],
                        under: lease))
            }
            let steps = try await harness.store.steps(of: lease)
            #expect(steps.map(\.name) == ["b", "a", "b"] && steps.map(\.occurrence) == [0, 0, 1])
            #expect(steps.map(\.sequence) == places && places == places.sorted() && Set(places).count == 3)
            #expect(steps.allSatisfy { $0.output == output && $0.inputHash == "h" })
        },
        ConformanceCase("outputs with the same beginning are read as they were written") { harness in
            for _ in 0..<3 { try await harness.submit() }
            let leases = try await harness.claim(try await harness.worker(), 3).map(\.lease)
            let figures = JSON.array((0..<200).map { ["id": JSON("revenue.FY\($0)"), "value": JSON($0 * 7919)] })
            let own: [JSONObject] = [["at": 1, "note": "ü \u{7f}"], [:], ["at": 2, "note": .null]]
            for company in [figures, "short"] {
                let shared = SharedMembers(["company": company])
                for (lease, own) in zip(leases, own) {
                    let step = Step(
                        name: "\(company.kind)", occurrence: 0, inputHash: "h", shared: SharedOutput(shared, own))
                    _ = try await harness.store.append(step, replacingFrom: nil, effects: [], under: lease)
                }
                for (lease, own) in zip(leases, own) {
                    let read = try await harness.store.steps(of: lease).last?.output
                    #expect(read?.compact == JSON.object(JSONObject([("company", company)] + Array(own))).compact)
                }
            }
            for (shared, own): (JSONObject, JSONObject) in [
                (["company": figures], ["note": "a\0b"]), (["company": "a\0b"], ["note": figures]),
            ] {
                let output = SharedOutput(SharedMembers(shared), own)
                await harness.expect(.invalidText(field: "step.output")) {
                    _ = try await harness.store.append(
                        Step(name: "n", occurrence: 0, inputHash: "h", shared: output), replacingFrom: nil,
                        effects: [], under: leases[0])
                }
            }
        },
        ConformanceCase("a repeated step returns the present one") { harness in
            try await harness.submit()
            let lease = try await harness.claimOne(try await harness.worker()).lease
            let store = harness.store
            let first = try await store.append(StoreHarness.step("a"), replacingFrom: nil, effects: [], under: lease)
            let again = try await store.append(StoreHarness.step("a"), replacingFrom: nil, effects: [], under: lease)
            #expect(first == again)
            #expect(try await store.steps(of: lease).count == 1)
        },
        ConformanceCase("a replacing step drops the following steps") { harness in
            try await harness.submit()
            let lease = try await harness.claimOne(try await harness.worker()).lease
            let store = harness.store
            var places: [Int64] = []
            for name in ["a", "b", "c"] {
                places.append(
                    try await store.append(StoreHarness.step(name), replacingFrom: nil, effects: [], under: lease))
            }
            _ = try await store.append(
                StoreHarness.step("b", hash: "h2"), replacingFrom: places[1], effects: [], under: lease)
            let steps = try await store.steps(of: lease)
            #expect(steps.map(\.name) == ["a", "b"] && steps.map(\.inputHash) == ["h", "h2"])
        },
        ConformanceCase("a step with another input at its position drops the journal from there on") { harness in
            try await harness.submit()
            let lease = try await harness.claimOne(try await harness.worker()).lease
            let store = harness.store
            for name in ["a", "b", "c"] {
                _ = try await store.append(StoreHarness.step(name), replacingFrom: nil, effects: [], under: lease)
            }
            _ = try await store.append(
                StoreHarness.step("b", hash: "h2"), replacingFrom: nil, effects: [], under: lease)
            #expect(try await store.steps(of: lease).map(\.inputHash) == ["h", "h2"])
        },
        ConformanceCase("a journal survives a snooze and a failure, except for the steps that failed") { harness in
            try await harness.submit()
            let worker = try await harness.worker()
            let store = harness.store
            let first = try await harness.claimOne(worker).lease
            _ = try await store.append(StoreHarness.step("gather"), replacingFrom: nil, effects: [], under: first)
            let draft = try await store.append(
                StoreHarness.step("draft"), replacingFrom: nil, effects: [], under: first)
            try await store.snooze([first], after: .zero)
            let second = try await harness.claimOne(worker).lease
            #expect(try await store.steps(of: second).map(\.name) == ["gather", "draft"])
            try await store.fail(second, with: StoreHarness.retry(after: .zero, dropStepsFrom: draft))
            let third = try await harness.claimOne(worker).lease
            #expect(try await store.steps(of: third).map(\.name) == ["gather"])
        },
        ConformanceCase("the journals of two jobs are separate") { harness in
            let worker = try await harness.worker()
            for _ in 0..<2 { try await harness.submit() }
            let leases = try await harness.claim(worker, 2).map(\.lease)
            let store = harness.store
            let first = try await store.append(
                StoreHarness.step("a"), replacingFrom: nil, effects: [], under: leases[0])
            _ = try await store.append(StoreHarness.step("a"), replacingFrom: nil, effects: [], under: leases[1])
            _ = try await store.append(StoreHarness.step("b"), replacingFrom: first, effects: [], under: leases[0])
            #expect(try await store.steps(of: leases[0]).map(\.name) == ["b"])
            #expect(try await store.steps(of: leases[1]).map(\.name) == ["a"])
        },
        ConformanceCase("only leases in force are returned") { harness in
            let worker = try await harness.worker()
            for _ in 0..<5 { try await harness.submit() }
            let leases = try await harness.claim(worker, 5).map(\.lease)
            let store = harness.store
            #expect(try await store.leases(of: worker) == Set(leases))
            try await store.complete(leases[0], with: 1, effects: [])
            try await store.fail(leases[1], with: StoreHarness.giveUp)
            try await store.snooze([leases[2]], after: .seconds(1))
            _ = try await store.cancel(leases[3].job, of: nil)
            #expect(try await store.leases(of: worker) == [leases[4]])
            #expect(try await store.leases(of: WorkerID(rawValue: "nobody")).isEmpty)
        },
        ConformanceCase("a snoozed job keeps its attempt, its progress and its position") { harness in
            let job = try await harness.submit(cost: 1)
            let worker = try await harness.worker()
            let first = try await harness.claimOne(worker)
            try await harness.store.report([ProgressReport(lease: first.lease, progress: 60, currentStep: "draft")])
            try await harness.store.snooze([first.lease], after: .seconds(3))
            let waiting = try await harness.job(job.id)
            #expect(waiting.status == .pending && waiting.attempt == 1 && waiting.progress == 60)
            #expect(waiting.blockedBy == .notBefore(harness.clock.now + .seconds(3)))
            harness.clock.advance(by: .seconds(3))
            let second = try await harness.claimOne(worker)
            #expect(second.attempt == 1 && second.progress == 60)
            #expect(try await harness.balance().held == 1)
        },
        ConformanceCase("a postponed job tells the reason until its next claim, and its error names it") { harness in
            let worker = try await harness.worker()
            let id = try await harness.submit().id
            for reason in WaitReason.allCases where reason != .noWorker {
                let wait = WaitCause(
                    reason, provider: "claude", budget: "claude/sonnet \"x\"", status: 429, failures: 5,
                    work: "annual report \"7\"")
                let lease = try await harness.claimOne(worker).lease
                try await harness.store.snooze([lease], after: .seconds(5), waitingFor: wait)
                let until = harness.clock.now + .seconds(5)
                #expect(try await harness.job(id).blockedBy == .postponed(wait, until: until))
                harness.clock.advance(by: .seconds(6))
                #expect(try await harness.job(id).blockedBy == nil)
            }
            let lease = try await harness.claimOne(worker).lease
            try await harness.store.snooze([lease], after: .seconds(5))
            #expect(try await harness.job(id).blockedBy == .notBefore(harness.clock.now + .seconds(5)))
            harness.clock.advance(by: .seconds(6))
            let last = try await harness.claimOne(worker).lease
            try await harness.store.snooze(
                [last], after: .seconds(99_999), waitingFor: WaitCause(.breakerOpen, provider: "claude", failures: 5))
            harness.clock.advance(by: .seconds(9999))
            #expect(try await harness.store.expire(limit: 9) == [id])
            let error = try #require(try await harness.job(id).error)
            #expect(error == .deadlinePassed(waitingFor: .breakerOpen))
            #expect(error.message.contains("failed too often"))
        },
        ConformanceCase("jobs that were snoozed for one cause go on together, and no others") { harness in
            let (store, clock) = (harness.store, harness.clock)
            let worker = try await harness.worker()
            let cause = WaitCause(.sharedWork, work: "a")
            var woken: [JobID] = []
            for (user, pause) in [(1, 10), (2, 60), (1, 20)] as [(Int64, Int)] {
                woken.append(try await harness.submit(user).id)
                let lease = try await harness.claimOne(worker).lease
                try await store.snooze([lease], after: .seconds(pause), waitingFor: cause)
            }
            let causes: [(WaitCause?, Int)] = [
                (cause, 61), (WaitCause(.sharedWork, work: "b"), 10), (WaitCause(.sharedWork), 10), (nil, 10),
            ]
            var others: [JobID] = []
            for (cause, pause) in causes {
                others.append(try await harness.submit(3).id)
                let lease = try await harness.claimOne(worker).lease
                try await store.snooze([lease], after: .seconds(pause), waitingFor: cause)
            }
            let revision = try await harness.job(woken[0]).revision
            #expect(try await store.wake(waitingFor: cause, within: .seconds(60), limit: 2) == 2)
            #expect(try await store.wake(waitingFor: cause, within: .seconds(60), limit: 2) == 1)
            #expect(try await store.wake(waitingFor: cause, within: .seconds(60), limit: 2) == 0)
            #expect(try await harness.job(woken[0]).revision > revision)
            clock.advance(by: .seconds(1))
            let claimed = try await harness.claim(worker, 9)
            #expect(Set(claimed.map(\.lease.job)) == Set(woken))
            for id in others { #expect(try await harness.job(id).blockedBy != nil) }
            clock.advance(by: .seconds(61))
            #expect(Set(try await harness.claim(worker, 9).map(\.lease.job)) == Set(others))
        },
        ConformanceCase("a snoozed second attempt never shows as the first one or with less progress") {
            harness in
            let job = try await harness.submit { $0.maxAttempts = 2 }
            let worker = try await harness.worker()
            let first = try await harness.claimOne(worker)
            try await harness.store.report([ProgressReport(lease: first.lease, progress: 60, currentStep: "draft")])
            try await harness.store.fail(first.lease, with: StoreHarness.retry(after: .zero))
            let second = try await harness.claimOne(worker)
            try await harness.store.report([ProgressReport(lease: second.lease, progress: 10, currentStep: "gather")])
            try await harness.store.snooze([second.lease], after: .zero)
            let waiting = try await harness.job(job.id)
            #expect(waiting.status == .pending && waiting.attempt == 2 && waiting.progress == 10)
            let third = try await harness.claimOne(worker)
            #expect(third.attempt == 2 && third.progress == 10)
        },
    ]
}
