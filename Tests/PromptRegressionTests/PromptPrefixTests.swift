import Agents
import JSON
import LanguageModels
import Prompts
import Testing

@testable import PromptRegression

/// What two requests share, byte for byte, for every case of the repository.
@Suite struct PromptPrefixTests {
    private struct Sample {
        var id: PromptCase.ID
        var prompt: LoadedPrompt
        var input: JSON
    }

    /// The cases of prompts with marks, without those that are repairs already, and the bundle.
    private static func samples() throws -> (samples: [Sample], bundle: Prompts.Bundle) {
        let bundle = try BundleLoader.load(home: Workspace.repository, rules: Workspace.rules)
        let cases = CaseLibrary.load(home: Workspace.repository, bundle: bundle).cases
        let samples = cases.compactMap { item -> Sample? in
            guard let prompt = bundle.prompts[item.id.prompt], !prompt.cacheMarks.isEmpty,
                item.input["draft"] == nil
            else { return nil }
            return Sample(id: item.id, prompt: prompt, input: item.input)
        }
        return (samples, bundle)
    }

    private static func repair(of sample: Sample, in bundle: Prompts.Bundle) throws -> RenderedModelPrompt {
        var input = sample.input
        input["draft"] = "{\"summary\": \"It grew 99%.\"}"
        input["failures"] = ["summary: The figure 99% is not among the facts."]
        return try (bundle.prompts[sample.id.prompt + "-repair"] ?? sample.prompt).render(input: input)
    }

    private static func parts(
        of prompt: RenderedModelPrompt, before mark: String
    ) throws -> [RenderedModelPrompt.Message.Part] {
        let parts = prompt.messages.flatMap(\.parts)
        return Array(parts[...(try #require(parts.lastIndex(of: .cacheMark(mark)), "\(prompt.name)"))])
    }

    @Test func aRepairBeginsWithThePromptOfItsDraft() throws {
        let (samples, bundle) = try Self.samples()
        #expect(Set(samples.map(\.id.prompt)).count >= 10)
        for sample in samples {
            let draft = try sample.prompt.render(input: sample.input)
            let repair = try Self.repair(of: sample, in: bundle)
            #expect(repair.system == draft.system, "\(sample.id)")
            #expect(
                try Self.parts(of: repair, before: "draft") == Self.parts(of: draft, before: "draft"), "\(sample.id)")
            #expect(draft.messages.flatMap(\.parts).last == .cacheMark("draft"), "\(sample.id)")
            #expect(repair.messages.flatMap(\.parts).last != .cacheMark("draft"), "\(sample.id)")
            // Effort and schema are a part of what a provider compares.
            #expect(repair.config == draft.config && repair.output == draft.output, "\(sample.id)")
        }
    }

    @Test func twoRunsGiveTheSameBytes() throws {
        for sample in try Self.samples().samples {
            let first = ModelRequest(try sample.prompt.render(input: sample.input), userLabel: nil)
            let again = ModelRequest(
                try sample.prompt.render(input: try JSON(parsing: sample.input.compact)), userLabel: nil)
            #expect(first.encoded.compact.utf8.elementsEqual(again.encoded.compact.utf8), "\(sample.id)")
        }
    }

    @Test func anotherPersonaSharesEverythingUpToTheCompany() throws {
        let (samples, _) = try Self.samples()
        let sample = try #require(samples.first { "\($0.id)" == "research/apple" })
        var other = sample.input
        other["persona"] = ["name": "Somebody", "approach": "Otherwise.", "voice": "Loud."]
        other["scorecard"] = ["confidence": 1, "verdict": "abstains", "items": [], "walk_aways": []]
        other["persona_facts"] = []
        other["missing"] = ["Everything."]
        let (one, two) = (try sample.prompt.render(input: sample.input), try sample.prompt.render(input: other))
        #expect(one.system == two.system)
        let shared = try Self.parts(of: one, before: "company")
        #expect(try Self.parts(of: two, before: "company") == shared)
        #expect(one.messages[0].text.utf8.count < shared.description.utf8.count * 3 / 2, "most of it is shared")
    }

    @Test func theNextQuestionOfAConversationBeginsWithTheLastOne() throws {
        let (samples, _) = try Self.samples()
        for name in ["article-chat", "article-chat.watch", "education"] {
            let sample = try #require(samples.first { $0.id.prompt == name && $0.input["turns"] != nil })
            var next = sample.input
            next["turns"] = .array((next["turns"]?.array ?? []) + [["question": "And then?", "answer": "It rose."]])
            next["question"] = "Why?"
            let before = try Self.parts(of: sample.prompt.render(input: sample.input), before: "turns")
            let after = try Self.parts(of: sample.prompt.render(input: next), before: "turns")
            #expect(Array(after.prefix(before.count)) == before && after.count > before.count, "\(name)")
        }
    }
}
