import JSON
import JobQueue
import SQLiteStore
import TestSupport
import Testing

@testable import LanguageModels

@Suite struct BatchDispatcherTests {
    /// Runs a body with a fixture that is removed afterwards.
    private func withFixture(
        faults: [BatchProvider.Fault] = [], _ body: (BatchFixture) async throws -> Void
    ) async throws {
        let fixture = try await BatchFixture(faults: faults)
        do {
            try await body(fixture)
        } catch {
            await fixture.remove()
            throw error
        }
        await fixture.remove()
    }

    /// Lets time pass in steps, with a round of work in each, until all jobs are done.
    private func finish(
        _ jobs: [JobID], _ fixture: BatchFixture, step: Duration = .seconds(60), limit: Int = 2000,
        dispatcher: () throws -> BatchDispatcher
    ) async throws {
        for _ in 0..<limit {
            let dispatcher = try dispatcher()
            await dispatcher.work()
            try await fixture.runJobs(on: try fixture.dispatcher())
            var open = 0
            for job in jobs where try await fixture.store.job(job, of: nil)?.status != .completed { open += 1 }
            if open == 0, try await fixture.states().allSatisfy({ $0 == .collected }) { return }
            fixture.clock.advance(by: step)
        }
        Issue.record("jobs or batches are not done: \(try await fixture.states())")
    }

    /// Every line that was billed is booked, at half the price: 1,100 tokens at $2 a million.
    private func expectBooks(_ fixture: BatchFixture, lines: Int) async throws {
        #expect(fixture.provider.now.billed.count == lines)
        let user = UserID(rawValue: 1)
        let cost = try await fixture.store.modelSpend(of: user, since: Timestamp(milliseconds: 0))
        #expect(cost == Int64(lines) * 2200)
    }

    @Test func linesOfJobsGatherAndComeBackAtHalfThePrice() async throws {
        try await withFixture { fixture in
            let jobs = try await fixture.submit(5)
            let dispatcher = try fixture.dispatcher()
            try await fixture.runJobs(on: dispatcher)
            await dispatcher.work()
            #expect(try await fixture.states().isEmpty, "lines gather for ten minutes")
            fixture.clock.advance(by: .seconds(600))
            await dispatcher.work()
            #expect(try await fixture.states() == [.out])
            try await finish(jobs, fixture) { dispatcher }
            #expect(fixture.provider.now.created.map(\.lines.count) == [5])
            try await expectBooks(fixture, lines: 5)
            for job in jobs {
                let result = try await fixture.store.jobWithResult(job, of: nil)?.result?.string
                let id = BatchLineKey(job: job, step: "draft", occurrence: 0, inputHash: "h").customID(try: 1)
                #expect(result == "answer to \(id)")
            }
            #expect(try await fixture.store.batchTimes(limit: 50).count == 1)
        }
    }

    @Test func jobsGetTheirAnswersThoughTimePassesWhileTheyAsk() async throws {
        try await withFixture { fixture in
            fixture.clock.advanceAtEachReading(by: .milliseconds(1))
            let jobs = try await fixture.submit(3)
            let dispatcher = try fixture.dispatcher()
            try await fixture.runJobs(on: dispatcher)
            try await finish(jobs, fixture) { dispatcher }
            try await expectBooks(fixture, lines: 3)
            for job in jobs {
                let result = try await fixture.store.jobWithResult(job, of: nil)?.result?.string
                #expect(result?.hasPrefix("answer to") == true, "it waited for its last chance")
            }
        }
    }

    /// A process dies after each of its commits in turn; the next one goes on. Nothing is bought twice, everything is
    /// booked, every job gets its own answer.
    @Test(arguments: 0..<24, [BatchProvider.Fault.none, .lostAnswer])
    func aDeathAfterAnyCommitCostsTimeOnly(_ commits: Int, _ fault: BatchProvider.Fault) async throws {
        try await withFixture(faults: [fault]) { fixture in
            let jobs = try await fixture.submit(20)
            try await fixture.runJobs(on: try fixture.dispatcher())
            fixture.clock.advance(by: .seconds(600))
            let dying = try fixture.dispatcher(dyingAfter: commits)
            var isDead = false
            var rounds = 0
            try await finish(jobs, fixture) {
                rounds += 1
                if rounds > 30 { isDead = true }
                return isDead ? try fixture.dispatcher() : dying
            }
            #expect(fixture.provider.now.created.count == 1)
            try await expectBooks(fixture, lines: 20)
        }
    }

    /// A process dies after each commit, over and over.
    @Test(arguments: 2...6) func aProcessThatDiesOverAndOverStillComesToAnEnd(_ commits: Int) async throws {
        try await withFixture { fixture in
            let jobs = try await fixture.submit(40)
            try await fixture.runJobs(on: try fixture.dispatcher())
            fixture.clock.advance(by: .seconds(600))
            try await finish(jobs, fixture, step: .seconds(130)) { try fixture.dispatcher(dyingAfter: commits) }
            #expect(fixture.provider.now.created.count == 1)
            try await expectBooks(fixture, lines: 40)
        }
    }

    /// Each process dies with the commit before the request, so that none ever sends it.
    @Test func aBatchThatNobodyCanSendIsGivenUpAfterItsJobsWentOnAtTheFullPrice() async throws {
        try await withFixture { fixture in
            let jobs = try await fixture.submit(3)
            try await fixture.runJobs(on: try fixture.dispatcher())
            fixture.clock.advance(by: .seconds(600))
            var rounds = 0
            try await finish(jobs, fixture, step: .seconds(1200)) {
                rounds += 1
                return try fixture.dispatcher(dyingAfter: rounds < 60 ? 1 : nil)
            }
            #expect(fixture.provider.now.created.isEmpty)
            for job in jobs {
                #expect(try await fixture.store.jobWithResult(job, of: nil)?.result?.string == "full price")
            }
        }
    }

    @Test func aLostRequestIsSentOnceMoreAfterFifteenMinutes() async throws {
        try await withFixture(faults: [.lostRequest]) { fixture in
            let jobs = try await fixture.submit(3)
            try await fixture.runJobs(on: try fixture.dispatcher())
            fixture.clock.advance(by: .seconds(600))
            let start = fixture.clock.now
            let dispatcher = try fixture.dispatcher()
            try await finish(jobs, fixture, step: .seconds(5)) { dispatcher }
            let created = fixture.provider.now.created
            #expect(created.count == 1)
            let pause = try #require(created.first).at - start
            #expect(pause >= BatchBounds().unclear && pause < .seconds(1100))
            try await expectBooks(fixture, lines: 3)
        }
    }

    @Test func refusalsForATimeAreNotCreations() async throws {
        try await withFixture(faults: [.rateLimited, .rateLimited, .rateLimited]) { fixture in
            let jobs = try await fixture.submit(1)
            try await fixture.runJobs(on: try fixture.dispatcher())
            fixture.clock.advance(by: .seconds(600))
            let dispatcher = try fixture.dispatcher()
            try await finish(jobs, fixture) { dispatcher }
            #expect(fixture.provider.now.created.count == 1)
            try await expectBooks(fixture, lines: 1)
        }
    }

    @Test func linesOfARefusedBatchAreTriedAloneAndThenAtTheFullPrice() async throws {
        try await withFixture { fixture in
            fixture.provider.change { $0.refusesCreations = true }
            let jobs = try await fixture.submit(3)
            try await fixture.runJobs(on: try fixture.dispatcher())
            fixture.clock.advance(by: .seconds(600))
            let dispatcher = try fixture.dispatcher()
            try await finish(jobs, fixture) { dispatcher }
            for job in jobs {
                #expect(try await fixture.store.jobWithResult(job, of: nil)?.result?.string == "full price")
            }
            #expect(try await fixture.states().count == 4)
            try await expectBooks(fixture, lines: 0)
        }
    }

    @Test(arguments: ["errored", "expired", "canceled", "missing"])
    func aLineWithoutAnAnswerGoesIntoTheNextBatch(_ type: String) async throws {
        try await withFixture { fixture in
            let jobs = try await fixture.submit(2)
            let key = BatchLineKey(job: jobs[0], step: "draft", occurrence: 0, inputHash: "h")
            fixture.provider.change { $0.failing = [key.customID(try: 1): type] }
            try await fixture.runJobs(on: try fixture.dispatcher())
            fixture.clock.advance(by: .seconds(600))
            let dispatcher = try fixture.dispatcher()
            try await finish(jobs, fixture) { dispatcher }
            let second = key.customID(try: 2)
            #expect(fixture.provider.now.created.map(\.lines.count) == [2, 1])
            #expect(fixture.provider.now.created.last?.lines == [second])
            #expect(try await fixture.store.jobWithResult(jobs[0], of: nil)?.result?.string == "answer to \(second)")
            try await expectBooks(fixture, lines: 2)
        }
    }

    @Test func atItsLastChanceAJobGoesOnAtTheFullPriceAndItsLineIsBookedWhenItComes() async throws {
        try await withFixture { fixture in
            let jobs = try await fixture.submit(1, within: .seconds(3600))
            let dispatcher = try fixture.dispatcher()
            try await fixture.runJobs(on: dispatcher)
            fixture.clock.advance(by: .seconds(1799))
            await dispatcher.work()
            #expect(try await fixture.states() == [.out])
            #expect(try await fixture.runJobs(on: dispatcher).isEmpty)
            fixture.clock.advance(by: .seconds(1))
            #expect(try await fixture.runJobs(on: dispatcher) == [.fullPrice])
            try await finish(jobs, fixture) { dispatcher }
            try await expectBooks(fixture, lines: 1)
        }
    }

    @Test func batchesOfOtherCallersAreNotTakenForALostOne() async throws {
        try await withFixture(faults: [.lostRequest]) { fixture in
            // Another batch of three lines at the same account.
            let foreign = ["x-1", "x-2", "x-3"]
            fixture.provider.change { state in
                state.created = [BatchProvider.Created(id: "msgbatch_foreign", at: fixture.clock.now, lines: foreign)]
            }
            let jobs = try await fixture.submit(3)
            try await fixture.runJobs(on: try fixture.dispatcher())
            fixture.clock.advance(by: .seconds(600))
            let dispatcher = try fixture.dispatcher()
            try await finish(jobs, fixture) { dispatcher }
            let created = fixture.provider.now.created
            #expect(created.count == 2)
            #expect(created.last?.lines.allSatisfy { $0.hasPrefix("d-") } == true)
            for job in jobs {
                let result = try await fixture.store.jobWithResult(job, of: nil)?.result?.string
                #expect(result?.hasPrefix("answer to d-") == true)
            }
        }
    }
}
