import JSON
import JobQueue
import Testing

extension ConformanceSuite {
    /// What becomes of a submit: credits, idempotency keys, join keys, ids.
    package static let submitting: [ConformanceCase] = [
        ConformanceCase("the first thing a user does grants the starting credits once") { bench in
            let first = bench.job(cost: 1) { $0.startingCredits = 3 }
            _ = try await bench.store.submit(first)
            _ = try await bench.store.submit(bench.job(cost: 1) { $0.startingCredits = 50 })
            #expect(try await bench.balance() == CreditBalance(granted: 3, held: 2, used: 0))
        },
        ConformanceCase("without a credit left nothing is stored") { bench in
            let job = bench.job(cost: 4) { $0.startingCredits = 3 }
            let refusal = try #require(try await bench.store.submit(job).missing)
            #expect(refusal.balance == CreditBalance(granted: 3, held: 0, used: 0) && refusal.required == 4)
            #expect(try await bench.store.job(job.id, of: nil) == nil)
            #expect(try await bench.store.balance(of: job.user, startingCredits: 7).granted == 7)
        },
        ConformanceCase("held credits cannot be held again") { bench in
            try await bench.submit(cost: 6)
            #expect(try await bench.store.submit(bench.job(cost: 5)).missing?.balance.remaining == 4)
            try await bench.submit(cost: 4)
            #expect(try await bench.balance() == CreditBalance(granted: 10, held: 10, used: 0))
        },
        ConformanceCase("the same id again is the same job and holds nothing more") { bench in
            let job = bench.job(cost: 1)
            _ = try await bench.store.submit(job)
            let again = try #require(try await bench.store.submit(job).existing)
            #expect(again.id == job.id)
            #expect(try await bench.balance().held == 1)
        },
        ConformanceCase("another user's id is a conflict that shows nothing") { bench in
            let job = try await bench.submit(1)
            let theft = try await bench.store.submit(bench.job(2) { $0.id = job.id })
            #expect(theft.isConflict)
            #expect(try await bench.store.job(job.id, of: UserID(rawValue: 1))?.user == UserID(rawValue: 1))
        },
        ConformanceCase("the same idempotency key and body answers with the first job") { bench in
            let promise = Idempotency(key: "k", fingerprint: "body")
            let first = try await bench.submit(cost: 1) { $0.idempotency = promise }
            let second = try await bench.store.submit(bench.job(cost: 1) { $0.idempotency = promise })
            #expect(second.existing?.id == first.id)
            #expect(try await bench.balance().held == 1)
            let claimed = try await bench.claimOne(try await bench.worker())
            try await bench.store.complete(claimed.lease, with: 1, effects: [])
            bench.clock.advance(by: .seconds(23 * 3600))
            let later = try await bench.store.submit(bench.job(cost: 1) { $0.idempotency = promise })
            #expect(later.existing?.status == .completed)
        },
        ConformanceCase("the same idempotency key with another body is a conflict") { bench in
            try await bench.submit { $0.idempotency = Idempotency(key: "k", fingerprint: "one") }
            let other = bench.job { $0.idempotency = Idempotency(key: "k", fingerprint: "two") }
            #expect(try await bench.store.submit(other).isConflict)
            #expect(try await bench.store.job(other.id, of: nil) == nil)
        },
        ConformanceCase("an idempotency key belongs to its user") { bench in
            let promise = Idempotency(key: "k", fingerprint: "body")
            let one = try await bench.submit(1) { $0.idempotency = promise }
            let other = try await bench.submit(2) { $0.idempotency = promise }
            #expect(one.id != other.id)
        },
        ConformanceCase("an unfinished job with the join key is joined, a finished one is not") { bench in
            let first = try await bench.submit(cost: 1) { $0.uniqueKey = "aapl" }
            #expect(try await bench.store.submit(bench.job(cost: 1) { $0.uniqueKey = "aapl" }).existing?.id == first.id)
            #expect(try await bench.store.submit(bench.job(2) { $0.uniqueKey = "aapl" }).accepted != nil)
            #expect(try await bench.balance().held == 1)
            _ = try await bench.store.cancel(first.id, of: nil)
            #expect(try await bench.store.submit(bench.job(cost: 1) { $0.uniqueKey = "aapl" }).accepted != nil)
        },
        ConformanceCase("repeats are answered before credits are asked for") { bench in
            let promise = Idempotency(key: "k", fingerprint: "body")
            let job = bench.job(cost: 10) {
                $0.idempotency = promise
                $0.uniqueKey = "aapl"
            }
            _ = try await bench.store.submit(job)
            #expect(try await bench.store.submit(job).existing != nil)
            #expect(try await bench.store.submit(bench.job(cost: 10) { $0.idempotency = promise }).existing != nil)
            #expect(try await bench.store.submit(bench.job(cost: 10) { $0.uniqueKey = "aapl" }).existing != nil)
            #expect(try await bench.store.submit(bench.job(cost: 10)).missing != nil)
        },
        ConformanceCase("a job is not claimed before its time") { bench in
            let due = bench.clock.now + .seconds(60)
            let job = try await bench.submit { $0.runAt = due }
            #expect(job.blockedBy == .notBefore(due))
            let worker = try await bench.worker()
            let early = try await bench.store.claim(for: worker, upTo: [.background: 1])
            #expect(early.jobs.isEmpty && early.nextDue == due)
            bench.clock.advance(by: .seconds(60))
            #expect(try await bench.claimOne(worker).lease.job == job.id)
            #expect(try await bench.store.claim(for: worker, upTo: [:]).nextDue == nil)
        },
        ConformanceCase("a NUL is refused by the name of its field, wherever it hides") { bench in
            let store = bench.store
            await bench.expect(.invalidText(field: "kind")) {
                _ = try await store.submit(bench.job { $0.kind = "a\0" })
            }
            await bench.expect(.invalidText(field: "input")) {
                _ = try await store.submit(bench.job { $0.input = ["deep": [["\0": 1]]] })
            }
            await bench.expect(.invalidText(field: "idempotency_key")) {
                _ = try await store.submit(
                    bench.job { $0.idempotency = Idempotency(key: "\0", fingerprint: "f") })
            }
            try await bench.submit()
            let lease = try await bench.claimOne(try await bench.worker()).lease
            await bench.expect(.invalidText(field: "result")) {
                try await store.complete(lease, with: ["x\0y"], effects: [])
            }
            await bench.expect(.invalidText(field: "current_step")) {
                try await store.report([ProgressReport(lease: lease, progress: 1, currentStep: "\0")])
            }
        },
        ConformanceCase("text from outside comes back as it went in") { bench in
            let input: JSON = ["quote": "'; DROP TABLE job; -- \"\\u0000\" 😀 \u{1}", "": [nil, true, 1.5]]
            let job = try await bench.submit { $0.input = input }
            #expect(try await bench.job(job.id).input == input)
            #expect(try await bench.claimOne(try await bench.worker()).input == input)
        },
        ConformanceCase("an input of a megabyte costs a poll of its revision nothing and comes back whole") { bench in
            let input = JSON(String(repeating: "x", count: 1_000_000))
            let job = try await bench.submit { $0.input = input }
            #expect(try await bench.job(job.id).input == input)
            #expect(try await bench.store.revisions(of: [job.id]) == [job.id: job.revision])
        },
    ]
}
