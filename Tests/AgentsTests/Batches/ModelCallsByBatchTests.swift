import DossierAPI
import JSON
import JobQueue
import LanguageModels
import Prompts
import SQLiteStore
import Testing

@testable import Agents

/// `ModelCalls` of jobs that can wait for a batch.
@Suite struct ModelCallsByBatchTests {
    /// A job with time, in a database with a provider of batches, and a model for calls at the full price.
    private struct Run {
        let fixture: BatchFixture
        let job: JobID
        let model: ScriptedModel
        var limits = SpendLimits()

        /// Claims the job and asks in a new run.
        func ask(_ call: PromptCall = Self.call()) async throws -> ModelCalls.Answer {
            let job = try #require(
                await fixture.store.claim(for: BatchFixture.worker, upTo: [.background: 1]).jobs.first)
            let bundle = try ContentFiles.bundle.get()
            let context = JobContext(
                job: job, kind: try #require(bundle.kinds["research"]), bundle: bundle,
                journal: try await Journal(of: job.lease, in: fixture.store), isLive: { true }
            ) { _, _ in }
            let calls = ModelCalls(
                try model.router(), books: CallBooks(fixture.store, limits: { [limits] _ in limits }),
                batches: try fixture.dispatcher())
            return try await calls.ask("draft", call, in: context) { _ in }
        }

        static func call(_ output: ModelOutput = .text, models: [String] = []) -> PromptCall {
            var request = BatchFixture.request
            request.output = output
            return PromptCall(request: request, tier: "deep", route: PromptRoute(prompt: "p", models: models))
        }

        /// Expects that the run ends with a wait, and gives its end.
        func waits(_ call: PromptCall = Self.call()) async throws -> Timestamp {
            do {
                let answer = try await ask(call)
                throw Unexpected(text: answer.response.text)
            } catch let error as AgentError {
                guard case .waiting(let until) = error else { throw error }
                return until
            }
        }

        /// Lets the batch be made, answered and collected.
        func collect() async throws {
            let dispatcher = try fixture.dispatcher()
            for _ in 0..<30 {
                fixture.clock.advance(by: .seconds(60))
                await dispatcher.work()
            }
            #expect(try await fixture.states() == [.collected])
        }

        private struct Unexpected: Error { var text: String }
    }

    private func run(
        limits: SpendLimits = SpendLimits(), _ replies: ScriptedModel.Reply..., body: (Run) async throws -> Void
    ) async throws {
        let fixture = try await BatchFixture()
        do {
            let job = try #require(try await fixture.submit(1).first)
            try await body(Run(fixture: fixture, job: job, model: ScriptedModel(replies), limits: limits))
        } catch {
            await fixture.remove()
            throw error
        }
        await fixture.remove()
    }

    @Test func aRunEndsUntilItsLineIsAnsweredAndTheNextOneJournalsTheAnswer() async throws {
        try await run { run in
            let deadline = run.fixture.clock.now + BatchFixture.day
            #expect(try await run.waits() == deadline - .seconds(6 * 3600))
            try await run.collect()
            let answer = try await run.ask()
            #expect(answer.response.text.hasPrefix("answer to d-") && answer.problem == nil)
            #expect(answer.response.cost.rawValue == 2200, "half the price")
            #expect(try await run.fixture.store.journal(of: run.job).map(\.name) == ["draft"])
            #expect(run.model.requests.isEmpty, "nothing was asked at the full price")
            #expect(run.fixture.provider.now.billed.count == 1)
        }
    }

    @Test func aCallWhoseLastChanceHasComeIsMadeAtTheFullPrice() async throws {
        try await run(.json(["told": "at once"])) { run in
            let until = try await run.waits()
            run.fixture.clock.advance(by: until - run.fixture.clock.now)
            let answer = try await run.ask()
            #expect(answer.response.text == #"{"told":"at once"}"# && run.model.requests.count == 1)
            let dispatcher = try run.fixture.dispatcher()
            await dispatcher.work()
            #expect(run.fixture.provider.now.created.isEmpty, "the line has left")
        }
    }

    @Test func aFaultyAnswerOfALineIsJournalledWithItsProblem() async throws {
        try await run { run in
            let schema: JSON = [
                "type": "object", "properties": ["told": ["type": "string"]], "required": ["told"],
                "additionalProperties": false,
            ]
            let call = Run.call(.json(name: "report", schema: schema))
            _ = try await run.waits(call)
            try await run.collect()
            let answer = try await run.ask(call)
            #expect(answer.problem != nil && answer.response.text.hasPrefix("answer to d-"))
            #expect(run.model.requests.isEmpty)
        }
    }

    @Test func aLineOverALimitOfTheDaysSpendIsRefused() async throws {
        try await run(limits: SpendLimits(user: 0)) { run in
            let error = await #expect(throws: AgentError.self) { _ = try await run.ask() }
            guard case .failed(let failure)? = error else {
                Issue.record("not failed: \(String(describing: error))")
                return
            }
            #expect(failure.error.code == .spendLimitReached && run.model.requests.isEmpty)
        }
    }

    @Test func aCallRoutedToAModelWithoutBatchesIsMadeAtTheFullPrice() async throws {
        try await run(.json(["told": "by another model"])) { run in
            let answer = try await run.ask(Run.call(models: ["claude-haiku-4-5"]))
            #expect(answer.response.requestedModel == "claude-haiku-4-5" && run.model.requests.count == 1)
            #expect(try await run.fixture.store.gatherings().isEmpty)
        }
    }
}
