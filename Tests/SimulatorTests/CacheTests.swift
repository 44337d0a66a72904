import HTTP
import JSON
import Testing

@testable import Simulator

@Suite struct CacheTests {
    private let time = TestTime()

    /// A text of about this many tokens.
    private static func text(_ tokens: Int, _ name: String = "rule") -> String {
        String(String(repeating: "A \(name) for the analyst to keep. ", count: tokens / 5).prefix(tokens * 4))
    }

    private static func block(_ tokens: Int, _ name: String, mark: String? = nil) -> JSON {
        var block: JSON = ["type": "text", "text": JSON(text(tokens, name))]
        if let mark { block["cache_control"] = ["type": "ephemeral", "ttl": JSON(mark)] }
        return block
    }

    private static func call(
        system: [JSON] = [], _ messages: [JSON], model: String = "claude-sonnet-5-5"
    ) -> Call {
        .claude([
            "model": JSON(model), "system": .array(system.isEmpty ? [["type": "text", "text": "Be brief."]] : system),
            "messages": [["role": "user", "content": .array(messages)]],
        ])
    }

    private struct Usage: Equatable {
        var written5m: Int64, written1h: Int64, read: Int64

        init(_ response: HTTPResponse) {
            let usage = response.json["usage"]
            written5m = usage?["cache_creation"]?["ephemeral_5m_input_tokens"]?.integer ?? -1
            written1h = usage?["cache_creation"]?["ephemeral_1h_input_tokens"]?.integer ?? -1
            read = usage?["cache_read_input_tokens"]?.integer ?? -1
            #expect(usage?["cache_creation_input_tokens"]?.integer == written5m + written1h)
        }
    }

    @Test func aPrefixIsFoundByItsContentInAnyRequest() async throws {
        try await Harness.run(at: time) { harness async throws in
            let shared = Self.block(2_000, "shared", mark: "5m")
            let first = Usage(try await harness.send(Self.call(system: [shared], [Self.block(50, "one")])))
            #expect(first.written5m > 1_900 && first.read == 0)
            let second = Usage(try await harness.send(Self.call(system: [shared], [Self.block(50, "two")])))
            #expect(second.read == first.written5m && second.written5m == 0)
            // The mark itself is not part of the content, and the end of a longer text is not found.
            let longer = Usage(
                try await harness.send(
                    Self.call(
                        system: [Self.block(2_000, "shared"), Self.block(1_000, "own", mark: "5m")],
                        [Self.block(50, "one")])))
            #expect(longer.read == first.written5m && longer.written5m > 900)
            let other = Usage(
                try await harness.send(
                    Self.call(system: [Self.block(2_000, "other", mark: "5m")], [Self.block(50, "one")])))
            #expect(other.read == 0)
            // Each model has its own.
            let opus = Usage(
                try await harness.send(
                    Self.call(system: [shared], [Self.block(50, "one")], model: "claude-opus-5")))
            #expect(opus.read == 0 && opus.written5m > 0)
        }
    }

    @Test(arguments: [("claude-opus-5", 512), ("claude-sonnet-5-5", 1_024), ("claude-haiku-4-5", 4_096)])
    func aPrefixBelowTheShortestIsSilentlyNotKept(model: String, shortest: Int) async throws {
        try await Harness.run(at: time) { harness async throws in
            for (tokens, isKept) in [(shortest - 60, false), (shortest + 60, true)] {
                let call = Self.call([Self.block(tokens, "text", mark: "5m")], model: model)
                _ = try await harness.send(call)
                let second = Usage(try await harness.send(call))
                #expect((second.read > 0) == isKept && second.written5m == 0)
            }
        }
    }

    @Test func fourMarksAreTheMostAndLongerOnesComeFirst() async throws {
        try await Harness.run(at: time) { harness async throws in
            let four = (1...4).map { Self.block(1_100, "part \($0)", mark: $0 < 3 ? "1h" : "5m") }
            let usage = Usage(try await harness.send(Self.call(four)))
            #expect(usage.written1h > 2_100 && usage.written5m > 2_100)
            let five = try await harness.send(Self.call(four + [Self.block(20, "more", mark: "5m")]))
            #expect(five.status == 400)
            #expect(five.json["error"]?["message"]?.string?.contains("maximum of 4 blocks") == true)
            let wrong = try await harness.send(
                Self.call([Self.block(1_100, "a", mark: "5m"), Self.block(1_100, "b", mark: "1h")]))
            #expect(wrong.status == 400)
            // The mark of the whole request goes to its last block.
            var whole = Self.call([Self.block(1_500, "whole")])
            whole.body?["cache_control"] = ["type": "ephemeral"]
            #expect(Usage(try await harness.send(whole)).written5m > 1_400)
        }
    }

    @Test func aMarkLooksBackTwentyBlocks() async throws {
        try await Harness.run(at: time) { harness async throws in
            func call(_ more: Int) -> Call {
                Self.call(
                    [Self.block(1_500, "start", mark: more == 0 ? "5m" : nil)]
                        + (0..<more).map { Self.block(10, "turn \($0)", mark: $0 == more - 1 ? "5m" : nil) })
            }
            let written = Usage(try await harness.send(call(0))).written5m
            #expect(Usage(try await harness.send(call(19))).read == written)
            harness.simulator.clear()
            _ = try await harness.send(call(0))
            #expect(Usage(try await harness.send(call(20))).read == 0)
        }
    }

    @Test func entriesExpireUnlessTheyAreRead() async throws {
        try await Harness.run(at: time) { harness async throws in
            let short = Self.call([Self.block(1_500, "short", mark: "5m")])
            let long = Self.call([Self.block(1_500, "long", mark: "1h")])
            _ = try await harness.send(short)
            _ = try await harness.send(long)
            for _ in 0..<3 {
                time.advance(290)
                #expect(Usage(try await harness.send(short)).read > 0)
            }
            time.advance(301)
            #expect(Usage(try await harness.send(short)).read == 0)
            #expect(Usage(try await harness.send(long)).read > 0)
            time.advance(3_601)
            #expect(Usage(try await harness.send(long)).written1h > 0)
        }
    }

    @Test func anEntryIsReadOnceTheFirstAnswerHasBegun() throws {
        let cache = PromptCache()
        var prompt = MarkedPrompt(model: "m", shortest: 0)
        prompt.add(block: ["type": "text", "text": "a", "cache_control": ["type": "ephemeral"]], role: "user")
        let first = cache.reading(of: .marked(prompt), at: 0)
        let beside = cache.reading(of: .marked(prompt), at: 0)
        #expect(first.writtenForFiveMinutes > 0 && beside.writtenForFiveMinutes > 0 && beside.read == 0)
        cache.begin(first, at: 5)
        #expect(cache.reading(of: .marked(prompt), at: 6).read > 0)
    }

    @Test func aCallThatIsNeverAnsweredWritesNothing() async throws {
        try await Harness.run(at: time) { harness async throws in
            let call = Self.call([Self.block(1_500, "text", mark: "5m")])
            var stalled = call.header("x-simulate", "stall").request(at: harness.url)
            stalled.limits.total = .milliseconds(200)
            await #expect(throws: HTTPClientError.self) { try await harness.client.send(stalled) }
            #expect(Usage(try await harness.send(call)).read == 0)
        }
    }

    @Test func anotherAnswerFormatIsAnotherPrefix() async throws {
        try await Harness.run(at: time) { harness async throws in
            let call = Self.call([Self.block(1_500, "text", mark: "5m")])
            _ = try await harness.send(call)
            #expect(Usage(try await harness.send(call.with("output_config", Sample.claudeFormat))).read == 0)
            #expect(Usage(try await harness.send(call.with("output_config", ["effort": "low"]))).read == 0)
            #expect(Usage(try await harness.send(call)).read > 0)
        }
    }

    @Test func geminiAndOpenAIKeepLongPrefixesUnasked() async throws {
        try await Harness.run(at: time) { harness async throws in
            func gemini(_ tokens: Int, _ end: String) -> Call {
                .gemini(["contents": [["role": "user", "parts": [["text": JSON(Self.text(tokens) + end)]]]]])
            }
            func openAI(_ tokens: Int, _ end: String) -> Call {
                .openAI(["messages": [["role": "user", "content": JSON(Self.text(tokens) + end)]]])
            }
            func geminiRead(_ call: Call) async throws -> Int64 {
                let usage = try await harness.send(call).json["usageMetadata"]
                #expect((usage?["promptTokenCount"]?.integer ?? 0) > (usage?["cachedContentTokenCount"]?.integer ?? 0))
                return usage?["cachedContentTokenCount"]?.integer ?? 0
            }
            func openAIRead(_ call: Call) async throws -> Int64? {
                try await harness.send(call).json["usage"]?["prompt_tokens_details"]?["cached_tokens"]?.integer
            }
            #expect(try await geminiRead(gemini(3_000, "one")) == 0)
            #expect((2_500...3_000).contains(try await geminiRead(gemini(3_000, "two"))))
            #expect(try await geminiRead(gemini(900, "one")) == 0)
            #expect(try await openAIRead(openAI(3_000, "one")) == 0)
            let read = try await openAIRead(openAI(3_000, "two")) ?? 0
            #expect((2_500...3_000).contains(read) && read % 128 == 0)
            #expect(try await openAIRead(openAI(800, "one")) == 0)
            #expect(try await openAIRead(openAI(800, "two")) == 0)
            time.advance(301)
            #expect(try await openAIRead(openAI(3_000, "two")) == 0)
        }
    }
}
