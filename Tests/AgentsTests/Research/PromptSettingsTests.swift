import JSON
import JobQueue
import LanguageModels
import Prompts
import Simulator
import Testing

@testable import Agents

/// What a prompt's front matter says is what the provider gets.
@Suite struct PromptSettingsTests {
    private static let prompt = "prompts/research.prompt"

    /// The body of the only model call that a report with an edited prompt makes.
    private func sent(_ old: String, _ new: String, to service: SimulatedService = .claude) async throws -> JSON {
        let body = Box()
        try await World.run { world in
            let bundle = try Home.bundle(Self.prompt, old, new)
            let router = try world.router(fallback: service == .gemini)
            if service == .gemini { world.simulator.faults.add(FaultRule(.status(529), service: .claude)) }
            _ = try await world.attempt(try await world.job(), world.agent(router: router), bundle: bundle)
            body.value = world.simulator.requests().last { $0.service == service }.flatMap(\.body)
        }
        return try #require(body.value)
    }

    private final class Box: @unchecked Sendable {
        // Written by the one task that the test waits for.
        var value: JSON?
    }

    @Test func theTierOfThePromptComesBeforeThatOfTheKind() async throws {
        #expect(try await sent("model: deep", "model: fast")["model"]?.string?.contains("haiku") == true)
        #expect(try await sent("model: deep\n", "")["model"]?.string?.contains("sonnet") == true)
    }

    @Test func theSettingsOfThePromptAreSent() async throws {
        let body = try await sent(
            "maxOutputTokens: 8000\n  effort: medium", "maxOutputTokens: 7777\n  effort: low\n  stopSequences: [HALT]")
        #expect(body["max_tokens"]?.integer == 7777)
        #expect(body["output_config"]?["effort"]?.string == "low")
        #expect(body["stop_sequences"] == ["HALT"])
    }

    @Test func aTemperatureGoesToWhomeverTakesOne() async throws {
        let edit = ("effort: medium", "effort: medium\n  temperature: 0.25")
        let gemini = try await sent(edit.0, edit.1, to: .gemini)
        #expect(gemini["generationConfig"]?["temperature"]?.double == 0.25)
        let claude = try await sent(edit.0, edit.1)
        #expect(claude["temperature"] == nil)
    }

    @Test(arguments: [("cost", "threshold: 0.50", "threshold: 0.0001")])
    func aLimitThatIsPassedFailsTheJobWithoutARepair(check: String, old: String, new: String) async throws {
        try await World.run { world in
            let bundle = try Home.bundle(Self.prompt, old, new)
            let failure = try await world.failure(try await world.job(), world.agent(), bundle: bundle)
            #expect(failure.error.code == "BIZ_2003" && failure.error.message.hasSuffix("checks: \(check)."))
            #expect(world.modelCalls == 1)
        }
    }

    @Test func aRubricIsNotAskedInProduction() async throws {
        try await World.run { world in
            _ = try await world.attempt(try await world.job(), world.agent())
            #expect(world.modelCalls == 1)
        }
    }
}
