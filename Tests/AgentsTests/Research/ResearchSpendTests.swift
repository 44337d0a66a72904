import DossierAPI
import JobQueue
import JSON
import LanguageModels
import Simulator
import SQLiteStore
import TestSupport
import Testing

@testable import Agents

/// The books of model calls, compared with what the provider saw.
@Suite struct ResearchSpendTests {
    private static let user = UserID(rawValue: 1)

    /// Runs a report until its first text arrives, and cancels it as a user does.
    ///
    /// - Returns: The error of the attempt, or `nil` when it completed.
    private func cancelWhileWriting(
        _ fixture: ResearchFixture, _ agent: ResearchAgent
    ) async throws -> AgentError? {
        let job = try await fixture.job()
        let (started, signal) = AsyncStream.makeStream(of: Void.self)
        let run = Task { () -> AgentError? in
            defer { signal.finish() }
            do throws(AgentError) {
                _ = try await fixture.attempt(
                    job, agent, report: { percent, _ in if percent >= 30 { signal.yield() } })
                return nil
            } catch {
                return error
            }
        }
        // Thirty percent are passed twice: before the call and with its first text.
        var texts = started.makeAsyncIterator()
        for _ in 0..<2 { await texts.next() }
        _ = try await fixture.test.store.cancel(job.lease.job, of: Self.user)
        run.cancel()
        return await run.value
    }

    @Test func cancelsWhileAReportIsWrittenReachTheLimitOfTheUsersDay() async throws {
        // The one delta before the stall is the first text, so that a cancel finds everything generated delivered.
        try await ResearchFixture.run(deltaLength: 1200) { fixture in
            let agent = try fixture.agent(router: fixture.router(), limits: SpendLimits(user: 80_000))
            // From a whole answer the estimates learn the tokens of a byte.
            let first = try await fixture.job()
            let report = try await fixture.attempt(first, agent)
            try await fixture.test.store.complete(first.lease, with: report, effects: [])
            let whole = try await fixture.test.store.spend(of: Self.user).user
            fixture.simulator.faults.add(FaultRule(.stallMidStream(after: 1), service: .claude))
            var cancelled = 0
            var refusal: AgentFailure?
            while refusal == nil, cancelled < 40 {
                switch try await cancelWhileWriting(fixture, agent) {
                case .interrupted: cancelled += 1
                case .failed(let failure): refusal = failure
                case let other: Issue.record("\(other as Any)")
                }
            }
            // Of the prompt, they read the company from the provider's cache.
            #expect(refusal?.error.code == .spendLimitReached && (3...20).contains(cancelled), "\(cancelled) cancels")
            #expect(fixture.modelCalls == cancelled + 1)
            let spend = try await fixture.test.store.spend(of: Self.user)
            #expect(spend.user <= 80_000)
            let costs = try await fixture.test.store.modelCosts(by: .user, since: 0)
            #expect(costs.map(\.cancelledMicroDollars) == [spend.user - whole])
            #expect(costs.map(\.calls) == [Int64(cancelled) + 1])
            try await expectBooksOfProvider(fixture)
            #expect(try await fixture.test.store.auditCredits().isEmpty)
        }
    }

    @Test func theBooksEqualWhatTheProviderSawAfterEveryKindOfEnd() async throws {
        try await ResearchFixture.run(deltaLength: 240) { fixture in
            let agent = try fixture.agent(router: fixture.router())
            let faults: [FaultAction?] = [
                nil, .status(529), .status(400), .status(500), .rateLimit(.perMinute, retryAfter: .zero),
                .cut(after: 4), .errorMidStream(after: 3), .inventedFigure, .truncation, .refusal,
                .stallMidStream(after: 1), nil,
            ]
            for fault in faults {
                fixture.simulator.faults.clear()
                if let fault { fixture.simulator.faults.add(FaultRule(fault, service: .claude, times: 1)) }
                if case .stallMidStream = fault {
                    _ = try await cancelWhileWriting(fixture, agent)
                    continue
                }
                let job = try await fixture.job()
                do throws(AgentError) {
                    let result = try await fixture.attempt(job, agent)
                    try? await fixture.test.store.complete(job.lease, with: result, effects: [])
                } catch {
                    guard case .failed(let failure) = error else { continue }
                    // As the worker ends it.
                    try? await fixture.test.store.fail(
                        job.lease, with: JobFailure(error: failure.error, next: .giveUp, effects: failure.effects))
                }
            }
            try await expectBooksOfProvider(fixture)
            let calls = try await fixture.test.store.modelCosts(by: .user, since: 0).reduce(0) { $0 + $1.calls }
            #expect(calls == Int64(fixture.modelCalls))
            let left = try await fixture.test.store.closeAbandonedCalls(limit: 100)
            #expect(left == 0)
        }
    }

    @Test func aCallIsOnTheBooksWhileItRunsAndAfterItsWorkerHasDied() async throws {
        try await ResearchFixture.run { fixture in
            fixture.simulator.faults.add(FaultRule(.stallMidStream(after: 2), service: .claude, times: 1))
            let agent = try fixture.agent(router: fixture.router())
            let job = try await fixture.job()
            let (started, signal) = AsyncStream.makeStream(of: Void.self)
            let run = Task {
                try await fixture.attempt(
                    job, agent, report: { percent, _ in if percent >= 30 { signal.yield() } })
            }
            var texts = started.makeAsyncIterator()
            for _ in 0..<2 { await texts.next() }
            let running = try await fixture.test.store.spend(of: Self.user).user
            #expect(running > 0)
            // The rescue closes the call at the least that it can have used.
            let again = try await fixture.rescued()
            #expect(try await fixture.test.store.closeAbandonedCalls(limit: 10) == 1)
            let closed = try await fixture.test.store.spend(of: Self.user).user
            #expect(closed > 0 && closed < running)
            // What the process that was taken for dead knows replaces the estimate, without effects on the job.
            run.cancel()
            await expectInterrupted { _ = try await run.value }
            let told = try await fixture.test.store.spend(of: Self.user).user
            #expect(told > 0 && told != closed)
            #expect(try await fixture.test.steps(of: job.lease.job) == ["gather"])
            _ = try await fixture.attempt(again, agent)
            try await expectBooksOfProvider(fixture)
        }
    }

    @Test func whatADayCostIsTheSumOfItsTokensAtTheirPrices() async throws {
        try await ResearchFixture.run { fixture in
            let agent = try fixture.agent(router: fixture.router(), limits: SpendLimits())
            for _ in 1...2 {
                let job = try await fixture.job()
                let report = try await fixture.attempt(job, agent)
                try await fixture.test.store.complete(job.lease, with: report, effects: [])
            }
            let sums = try await fixture.test.store.modelCallSums(since: 0)
            let calls = sums.reduce(0) { $0 + $1.calls }
            let cost = sums.reduce(0) { $0 + $1.microDollars }
            // Claude Sonnet 5.5 in hundredths of a micro-dollar.
            let exact = sums.reduce(0 as Int64) { (sum: Int64, line: ModelCallSum) -> Int64 in
                sum + line.inputTokens * 200 + line.outputTokens * 1000 + line.cacheReadTokens * 10
                    + line.cacheWrite5mTokens * 250 + line.cacheWrite1hTokens * 400
            }
            #expect(abs(cost * 100 - exact) <= calls * 50, "each call is rounded once")
            let day = try await fixture.test.store.modelCosts(by: .day, since: 0)
            #expect(day.reduce(0) { $0 + $1.microDollars } == cost)
            let prompts = try await fixture.test.store.modelCosts(by: .prompt, since: 0)
            #expect(prompts.allSatisfy { !$0.group.isEmpty } && prompts.reduce(0) { $0 + $1.calls } == calls)
            let list = sums.reduce(0 as Int64) { (sum: Int64, line: ModelCallSum) -> Int64 in
                let input = line.inputTokens + line.cacheReadTokens + line.cacheWrite5mTokens + line.cacheWrite1hTokens
                return sum + input * 200 + line.outputTokens * 1000
            }
            let saved = sums.reduce(0) { $0 + $1.savedByCache }
            #expect(abs(saved * 100 - (list - exact)) <= calls * 100)
        }
    }

    /// Compares the tokens of all calls with those that the provider bills: exactly for prompts, and within a twentieth
    /// for the output, which the provider does not tell in the midst of an answer.
    private func expectBooksOfProvider(
        _ fixture: ResearchFixture, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let billed = fixture.simulator.calls(to: .claude).compactMap(\.billed)
        let booked = try await fixture.test.store.modelCosts(by: .model, since: 0)
        let input = booked.reduce(0) { $0 + $1.inputTokens }
        let output = booked.reduce(0) { $0 + $1.outputTokens }
        #expect(input == Int64(billed.reduce(0) { $0 + $1.input }), sourceLocation: sourceLocation)
        let generated = billed.reduce(0) { $0 + $1.output }
        #expect(
            abs(Double(output) - Double(generated)) <= max(50, Double(generated) * 0.05),
            "\(output) booked, \(generated) generated", sourceLocation: sourceLocation)
    }
}
