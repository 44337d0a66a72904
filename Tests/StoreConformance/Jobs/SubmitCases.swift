import JobQueue
import JSON
import Testing
import TestSupport

extension ConformanceSuite {
    /// Outcomes of submits: credits, idempotency keys, unique keys and ids.
    package static let submitting: [ConformanceCase] = [
        ConformanceCase("a user's first record grants the starting credits once") { harness in
            let first = harness.job(cost: 1) { $0.startingCredits = 3 }
            _ = try await harness.store.submit(first)
            _ = try await harness.store.submit(harness.job(cost: 1) { $0.startingCredits = 50 })
            #expect(try await harness.balance() == CreditBalance(granted: 3, held: 2, used: 0))
        },
        ConformanceCase("a submit without remaining credits stores nothing") { harness in
            let job = harness.job(cost: 4) { $0.startingCredits = 3 }
            let refusal = try #require(try await harness.store.submit(job).missing)
            #expect(refusal.balance == CreditBalance(granted: 3, held: 0, used: 0) && refusal.required == 4)
            #expect(try await harness.store.job(job.id, of: nil) == nil)
            #expect(try await harness.store.balance(of: job.user, startingCredits: 7).granted == 7)
        },
        ConformanceCase("every reading of a job has its subject, however it was submitted") { harness in
            let store = harness.store
            let line = "Zoë’s “town” — 🏦"
            let plain = try await harness.submit { $0.subject = line }
            #expect(plain.subject == line)
            let none = try await harness.submit { $0.subject = nil }
            #expect(none.subject == nil)
            let later = try await harness.submit {
                ($0.subject, $0.runAt) = (line, harness.clock.now + .seconds(60))
            }
            let serial = try await harness.submit { ($0.subject, $0.concurrencyKey) = (line, "chat/1") }
            let limited = try await harness.submit {
                ($0.subject, $0.kind, $0.limits) = (line, "limited", ConcurrencyLimits(fleet: 1))
            }
            let stored = try await harness.submit { ($0.subject, $0.source) = (line, .stored(["text": "calm"])) }
            let shared = harness.makeID()
            let joined = try await harness.submit { job in
                job.subject = line
                job.source = .shared(
                    SharedWork(id: shared, key: "story/7", input: ["story": 7], deadline: job.deadline))
            }
            let run = ScheduledRun(schedule: "daily", timestamp: harness.clock.now)
            _ = try await store.enqueueScheduledRun(run, submitting: harness.job())
            let next = ScheduledRun(schedule: "daily", timestamp: harness.clock.now + .seconds(60))
            let scheduled = harness.job { $0.subject = line }
            _ = try await store.enqueueScheduledRun(next, submitting: scheduled)
            for id in [plain.id, later.id, serial.id, limited.id, stored.id, joined.id, shared, scheduled.id] {
                #expect(try await harness.job(id).subject == line)
                #expect(try await store.jobWithResult(id, of: nil)?.job.subject == line)
                #expect(try await store.jobRecord(id, at: harness.clock.now)?.job.subject == line)
            }
            #expect(try await harness.job(none.id).subject == nil)
            let subjects = try await store.jobs(JobListQuery(user: 1)).jobs.map(\.subject)
            #expect(subjects.count(where: { $0 == line }) == 7 && subjects.contains(nil))
        },
        ConformanceCase("held credits cannot be held again") { harness in
            try await harness.submit(cost: 6)
            #expect(try await harness.store.submit(harness.job(cost: 5)).missing?.balance.remaining == 4)
            try await harness.submit(cost: 4)
            #expect(try await harness.balance() == CreditBalance(granted: 10, held: 10, used: 0))
        },
        ConformanceCase("a repeated id is the same job and holds nothing more") { harness in
            let job = harness.job(cost: 1)
            _ = try await harness.store.submit(job)
            let again = try #require(try await harness.store.submit(job).existing)
            #expect(again.id == job.id)
            #expect(try await harness.balance().held == 1)
        },
        ConformanceCase("another user's id is a conflict that reveals nothing") { harness in
            let job = try await harness.submit(1)
            let theft = try await harness.store.submit(harness.job(2) { $0.id = job.id })
            #expect(theft.isConflict)
            #expect(try await harness.store.job(job.id, of: UserID(rawValue: 1))?.user == UserID(rawValue: 1))
        },
        ConformanceCase("a repeated idempotency key and body returns the first job") { harness in
            let promise = Idempotency(key: "k", fingerprint: "body")
            let first = try await harness.submit(cost: 1) { $0.idempotency = promise }
            let second = try await harness.store.submit(harness.job(cost: 1) { $0.idempotency = promise })
            #expect(second.existing?.id == first.id)
            #expect(try await harness.balance().held == 1)
            let claimed = try await harness.claimOne(try await harness.worker())
            try await harness.store.complete(claimed.lease, with: 1, effects: [])
            harness.clock.advance(by: .seconds(23 * 3600))
            let later = try await harness.store.submit(harness.job(cost: 1) { $0.idempotency = promise })
            #expect(later.existing?.status == .completed)
        },
        ConformanceCase("an idempotency key with another body is a conflict") { harness in
            try await harness.submit { $0.idempotency = Idempotency(key: "k", fingerprint: "one") }
            let other = harness.job { $0.idempotency = Idempotency(key: "k", fingerprint: "two") }
            #expect(try await harness.store.submit(other).isConflict)
            #expect(try await harness.store.job(other.id, of: nil) == nil)
        },
        ConformanceCase("an idempotency key belongs to its user") { harness in
            let promise = Idempotency(key: "k", fingerprint: "body")
            let one = try await harness.submit(1) { $0.idempotency = promise }
            let other = try await harness.submit(2) { $0.idempotency = promise }
            #expect(one.id != other.id)
        },
        ConformanceCase("an unfinished job with the unique key is returned, a finished one is not") { harness in
            let first = try await harness.submit(cost: 1) { $0.uniqueKey = "aapl" }
            #expect(
                try await harness.store.submit(harness.job(cost: 1) { $0.uniqueKey = "aapl" }).existing?.id == first.id)
            #expect(try await harness.store.submit(harness.job(2) { $0.uniqueKey = "aapl" }).accepted != nil)
            #expect(try await harness.balance().held == 1)
            _ = try await harness.store.cancel(first.id, of: nil)
            #expect(try await harness.store.submit(harness.job(cost: 1) { $0.uniqueKey = "aapl" }).accepted != nil)
        },
        ConformanceCase("repetitions are answered before credits are checked") { harness in
            let promise = Idempotency(key: "k", fingerprint: "body")
            let job = harness.job(cost: 10) {
                $0.idempotency = promise
                $0.uniqueKey = "aapl"
            }
            _ = try await harness.store.submit(job)
            #expect(try await harness.store.submit(job).existing != nil)
            #expect(try await harness.store.submit(harness.job(cost: 10) { $0.idempotency = promise }).existing != nil)
            #expect(try await harness.store.submit(harness.job(cost: 10) { $0.uniqueKey = "aapl" }).existing != nil)
            #expect(try await harness.store.submit(harness.job(cost: 10)).missing != nil)
        },
        ConformanceCase("a job is not claimed before its time") { harness in
            let due = harness.clock.now + .seconds(60)
            let job = try await harness.submit { $0.runAt = due }
            #expect(job.blockedBy == .notBefore(due))
            let worker = try await harness.worker()
            let early = try await harness.store.claim(for: worker, upTo: [.background: 1])
            #expect(early.jobs.isEmpty && early.nextDue == due)
            harness.clock.advance(by: .seconds(60))
            #expect(try await harness.claimOne(worker).lease.job == job.id)
            #expect(try await harness.store.claim(for: worker, upTo: [:]).nextDue == nil)
        },
        ConformanceCase("a NUL is refused with the name of its field, even inside JSON") { harness in
            let store = harness.store
            await harness.expect(.invalidText(field: "kind")) {
                _ = try await store.submit(harness.job { $0.kind = "a\0" })
            }
            await harness.expect(.invalidText(field: "input")) {
                _ = try await store.submit(harness.job { $0.input = ["deep": [["\0": 1]]] })
            }
            await harness.expect(.invalidText(field: "idempotency_key")) {
                _ = try await store.submit(
                    harness.job { $0.idempotency = Idempotency(key: "\0", fingerprint: "f") })
            }
            try await harness.submit()
            let lease = try await harness.claimOne(try await harness.worker()).lease
            await harness.expect(.invalidText(field: "result")) {
                try await store.complete(lease, with: ["x\0y"], effects: [])
            }
            await harness.expect(.invalidText(field: "current_step")) {
                try await store.report([ProgressReport(lease: lease, progress: 1, currentStep: "\0")])
            }
        },
        ConformanceCase("external text is returned unchanged") { harness in
            let input: JSON = ["quote": "'; DROP TABLE job; -- \"\\u0000\" 😀 \u{1}", "": [nil, true, 1.5]]
            let job = try await harness.submit { $0.input = input }
            #expect(try await harness.job(job.id).input == input)
            let claimed = try await harness.claimOne(try await harness.worker())
            #expect(claimed.input == input)
            try await harness.store.complete(claimed.lease, with: input, effects: [])
            #expect(try await harness.store.jobWithResult(job.id, of: nil)?.result == input)
        },
        ConformanceCase("an input of a megabyte does not slow a poll of its revision and is returned whole") {
            harness in
            let input = JSON(String(repeating: "x", count: 1_000_000))
            let job = try await harness.submit { $0.input = input }
            #expect(try await harness.job(job.id).input == input)
            #expect(try await harness.store.revisions(of: [job.id]) == [job.id: job.revision])
        },
    ]
}
