import JobQueue
import JSON
import Testing
import TestSupport

extension ConformanceSuite {
    /// What jobs may store, and what is left of them afterwards.
    package static let history: [ConformanceCase] = [
        ConformanceCase("large inputs, outputs and results are returned unchanged") { harness in
            let store = harness.store
            let text = (0..<20_000).map { "\($0 % 977) ü \u{1F600}" }.joined(separator: " ")
            let value: JSON = ["text": JSON(text), "list": [1, 2, 3]]
            let job = try await harness.submit { $0.input = value }
            let claimed = try await harness.claimOne(try await harness.worker())
            #expect(claimed.input == value)
            #expect(try await harness.job(job.id).input == value)
            _ = try await store.append(
                StoreHarness.step("a", output: value), replacingFrom: nil, effects: [], under: claimed.lease)
            #expect(try await store.steps(of: claimed.lease).map(\.output) == [value])
            try await store.complete(claimed.lease, with: value, effects: [])
            #expect(try await store.jobWithResult(job.id, of: nil)?.result == value)
            #expect(try await store.journal(of: job.id).map(\.output) == [value])
        },
        ConformanceCase("a step, a result and their records beyond a limit are refused, and nothing of them is stored")
        {
            harness in
            let store = harness.store
            let lease = try await harness.running()
            let large = JSON(String(repeating: "x", count: JobLimit.result.maximum))
            let call = Effect.recordModelCall(.of(1))
            await harness.expect(.overLimit(.stepOutput)) {
                _ = try await store.append(
                    StoreHarness.step("a", output: large), replacingFrom: nil, effects: [call], under: lease)
            }
            await harness.expect(.overLimit(.result)) { try await store.complete(lease, with: large, effects: []) }
            let turn = ConversationTurn(
                job: lease.job.description, conversation: "c", user: 1, subject: "education", question: "?",
                answer: String(repeating: "y", count: JobLimit.effectTexts.maximum), citations: "[]", askedAt: 0,
                answeredAt: 0)
            await harness.expect(.overLimit(.effectTexts)) {
                try await store.complete(lease, with: 1, effects: [.record(.turn(turn))])
            }
            await harness.expect(.overLimit(.effects)) {
                try await store.complete(
                    lease, with: 1, effects: Array(repeating: call, count: JobLimit.effects.maximum + 1))
            }
            #expect(try await store.steps(of: lease).isEmpty)
            try await store.complete(lease, with: 1, effects: [])
        },
        ConformanceCase("a journal takes no more steps than its limit") { harness in
            let store = harness.store
            let lease = try await harness.running()
            let maximum = JobLimit.steps.maximum
            for index in 0..<maximum {
                _ = try await store.append(
                    StoreHarness.step("a", occurrence: index), replacingFrom: nil, effects: [], under: lease)
            }
            await harness.expect(.overLimit(.steps)) {
                _ = try await store.append(
                    StoreHarness.step("a", occurrence: maximum), replacingFrom: nil, effects: [], under: lease)
            }
            #expect(try await store.steps(of: lease).count == maximum)
            // A repetition of a present step is no further step, and neither is one that replaces it.
            _ = try await store.append(
                StoreHarness.step("a", occurrence: 7), replacingFrom: nil, effects: [], under: lease)
            _ = try await store.append(
                StoreHarness.step("a", occurrence: maximum - 1, hash: "h2"), replacingFrom: nil, effects: [],
                under: lease)
            #expect(try await store.steps(of: lease).count == maximum)
        },
        ConformanceCase("a job reads the same after it was archived") { harness in
            let store = harness.store
            let jobs = try await finishedJobs(harness)
            harness.clock.advance(by: .seconds(60))
            let before = try await Reading(of: jobs, harness)
            var archived = 0
            while case let count = try await store.archiveFinished(before: harness.clock.now, limit: 2), count > 0 {
                archived += count
                #expect(try await Reading(of: jobs, harness) == before)
            }
            #expect(archived == 4 || archived == 2, "the unfinished job stays; some stores move completed jobs alone")
            let after = try await Reading(of: jobs, harness)
            #expect(after == before)
            // Another user finds no more than before.
            #expect(try await store.job(jobs[0], of: 2) == nil)
            #expect(try await store.cancel(jobs[0], of: 2) == nil)
            #expect(try await store.jobs(JobListQuery(user: 2)).total == 0)
        },
        ConformanceCase("an archived job is found by its id and its idempotency key, and is not cancelled again") {
            harness in
            let store = harness.store
            let asked = harness.job { $0.idempotency = Idempotency(key: "k", fingerprint: "f") }
            _ = try await store.submit(asked)
            let lease = try await harness.claimOne(try await harness.worker()).lease
            try await store.complete(lease, with: 1, effects: [])
            harness.clock.advance(by: .seconds(60))
            _ = try await store.archiveFinished(before: harness.clock.now, limit: 10)
            #expect(try await store.submit(asked).existing?.id == asked.id)
            var again = harness.job { $0.idempotency = Idempotency(key: "k", fingerprint: "f") }
            #expect(try await store.submit(again).existing?.id == asked.id)
            again.idempotency?.fingerprint = "g"
            #expect(try await store.submit(again).isConflict)
            #expect(try await store.cancel(asked.id, of: nil)?.status == .completed)
            #expect(try await store.retry(asked.id, of: nil)?.existing?.status == .completed)
            // The worker repeats its report, whose answer was lost.
            try await store.complete(lease, with: 1, effects: [])
            await harness.expect(.leaseLost) { try await store.fail(lease, with: StoreHarness.giveUp) }
        },
        ConformanceCase("an archived job can be retried with its journal, by its owner alone") { harness in
            let store = harness.store
            let worker = try await harness.worker()
            let job = try await harness.submit(cost: 2) { $0.concurrencyKey = "c" }
            let first = try await harness.claimOne(worker).lease
            _ = try await store.append(StoreHarness.step("a"), replacingFrom: nil, effects: [], under: first)
            try await store.fail(first, with: StoreHarness.giveUp)
            harness.clock.advance(by: .seconds(60))
            _ = try await store.archiveFinished(before: harness.clock.now, limit: 10)
            try await store.fail(first, with: StoreHarness.giveUp)
            #expect(try await store.retry(job.id, of: 2) == nil)
            let retried = try #require(try await store.retry(job.id, of: job.user)?.accepted)
            #expect(retried.status == .pending && retried.attempt == 0)
            #expect(try await harness.balance() == CreditBalance(granted: 10, held: 2, used: 0))
            let second = try await harness.claimOne(worker)
            #expect(second.lease.job == job.id && second.lease.epoch > first.epoch)
            #expect(try await store.steps(of: second.lease).map(\.name) == ["a"])
            try await store.complete(second.lease, with: 5, effects: [])
            harness.clock.advance(by: .seconds(60))
            _ = try await store.archiveFinished(before: harness.clock.now, limit: 10)
            #expect(try await store.jobWithResult(job.id, of: job.user)?.result == 5)
            #expect(try await store.deleteFinished(before: harness.clock.now, limit: 10) == 1)
            #expect(try await store.job(job.id, of: nil) == nil)
            #expect(try await store.journal(of: job.id).isEmpty)
        },
        ConformanceCase("journals of completed jobs are deleted after a time, those of failed jobs are kept") {
            harness in
            let store = harness.store
            let worker = try await harness.worker()
            var jobs: [JobID] = []
            for index in 0..<4 {
                jobs.append(try await harness.submit().id)
                let lease = try await harness.claimOne(worker).lease
                _ = try await store.append(StoreHarness.step("a"), replacingFrom: nil, effects: [], under: lease)
                if index == 1 {
                    try await store.fail(lease, with: StoreHarness.giveUp)
                } else {
                    try await store.complete(lease, with: 1, effects: [])
                }
                harness.clock.advance(by: .seconds(10))
            }
            _ = try await store.archiveFinished(before: harness.clock.now - .seconds(15), limit: 10)
            let timestamp = harness.clock.now - .seconds(10)
            while try await store.deleteJournals(before: timestamp, limit: 2) > 0 {}
            var lengths: [Int] = []
            for job in jobs { lengths.append(try await store.journal(of: job).count) }
            #expect(lengths == [0, 1, 0, 1])
            #expect(try await store.jobWithResult(jobs[0], of: nil)?.result == 1)
            #expect(try await store.retry(jobs[1], of: nil)?.accepted != nil)
        },
        ConformanceCase("a long input goes with the cancel of a job that has not run") { harness in
            let store = harness.store
            let long: JSON = ["text": JSON(String(repeating: "x", count: 5000))]
            let unused = try await harness.submit(cost: 1) { $0.input = long }
            let cancelled = try #require(try await store.cancel(unused.id, of: nil))
            #expect(cancelled.status == .cancelled && cancelled.inputText == "null")
            #expect(try await store.retry(unused.id, of: nil)?.existing?.status == .cancelled)
            #expect(try await harness.balance() == CreditBalance(granted: 10, held: 0, used: 0))
            // A short input, and the input of a job that has run, are kept for a retry.
            let short = try await harness.submit()
            _ = try await store.cancel(short.id, of: nil)
            #expect(try await store.retry(short.id, of: nil)?.accepted?.input == short.input)
            _ = try await store.cancel(short.id, of: nil)
            let used = try await harness.submit { $0.input = long }
            _ = try await harness.claimOne(try await harness.worker())
            _ = try await store.cancel(used.id, of: nil)
            #expect(try await store.retry(used.id, of: nil)?.accepted?.input == long)
        },
    ]

    /// A text that is compressed when its job is archived, and one that is compressed when it is stored.
    private static let report = (0..<100).map { "Revenue \($0) of ü in 20\($0)" }.joined(separator: "; ")
    private static let longReport = String(repeating: report, count: 3)

    /// A completed, a failed and a cancelled job, one with a stored result, and one that is pending.
    private static func finishedJobs(_ harness: StoreHarness) async throws -> [JobID] {
        let store = harness.store
        let worker = try await harness.worker()
        var jobs: [JobID] = []
        for index in 0..<3 {
            let job = try await harness.submit(cost: 1) { job in
                job.idempotency = Idempotency(key: "k\(index)", fingerprint: "f")
                job.requestID = "r\(index)"
                job.kind = index == 1 ? "summary" : "research"
                job.priority = 3 - index
                job.maxAttempts = 5 - index
                job.input = index == 0 ? ["text": JSON(report)] : ["ticker": "AAPL"]
            }
            jobs.append(job.id)
            let lease = try await harness.claimOne(worker).lease
            _ = try await store.append(
                StoreHarness.step("a"), replacingFrom: nil, effects: [.recordModelCall(.of(Int64(index)))], under: lease
            )
            try await store.report([ProgressReport(lease: lease, progress: 40, currentStep: "draft")])
            harness.clock.advance(by: .seconds(3))
            switch index {
            case 0: try await store.complete(lease, with: ["report": JSON(longReport)], effects: [])
            case 1: try await store.fail(lease, with: StoreHarness.giveUp)
            default: _ = try await store.cancel(job.id, of: nil)
            }
        }
        let stored = try await harness.submit { $0.source = .stored(["report": JSON(report)]) }
        let pending = try await harness.submit()
        return jobs + [stored.id, pending.id]
    }
}

/// Everything that clients and operators read of some jobs.
private struct Reading: Equatable {
    var jobs: [String] = []
    var results: [JSON?] = []
    var journals: [[String]] = []
    var revisions: [JobID: Int64]
    var pages: [[JobID]] = []
    var totals: [Int] = []
    var counts: Set<JobCount>
    var costs: [CostLine]
    var balance: CreditBalance

    init(of ids: [JobID], _ harness: StoreHarness) async throws {
        let store = harness.store
        for id in ids {
            jobs.append("\(try await harness.job(id))")
            let found = try await store.jobWithResult(id, of: 1)
            results.append(found?.result)
            jobs.append("\(String(describing: found?.job))")
            journals.append(try await store.journal(of: id).map { "\($0)" })
        }
        revisions = try await store.revisions(of: ids)
        var position = JobListQuery.Position.page(1)
        while true {
            let page = try await store.jobs(JobListQuery(user: 1, position: position, perPage: 2))
            pages.append(page.jobs.map(\.id))
            totals.append(page.total)
            guard page.hasMore, let last = page.jobs.last else { break }
            position = .after(last.id)
        }
        for status in JobStatus.allCases {
            let list = try await store.jobs(JobListQuery(user: 1, statuses: [status]))
            pages.append(list.jobs.map(\.id))
            totals.append(list.total)
        }
        let summaries = try await store.jobs(JobListQuery(user: 1, kind: "summary", position: .page(1)))
        pages.append(summaries.jobs.map(\.id))
        counts = Set(try await store.jobCounts(submittedSince: harness.clock.now - .seconds(3600)))
        costs = try await store.modelCosts(by: .kind, since: harness.clock.now - .seconds(3600))
        balance = try await harness.balance()
    }
}
