import JSON
import Testing

@testable import LanguageModels

/// Marks in the requests of each provider.
@Suite struct CacheMarkTests {
    private static func request(_ lifetime: CacheMark.Lifetime?) -> ModelRequest {
        let mark = ModelMessage.Part.cacheMark(CacheMark("material", lifetime: lifetime))
        let message = ModelMessage(role: .user, parts: [.text("The material."), mark, .text("\n\nThe question.")])
        return ModelRequest(system: SystemPrompt(stable: "Be calm."), messages: [message], maxOutputTokens: 10)
    }

    private static func body(
        _ request: ModelRequest, _ model: (ScriptedTransport) throws -> any LanguageModel
    ) async throws -> JSON {
        let transport = ScriptedTransport()
        _ = try await failure { try await model(transport).respond(to: request, onText: nil) }
        return try #require(transport.bodies.first)
    }

    @Test func aMarkIsWrittenOnTheBlockBeforeIt() async throws {
        let body = try await Self.body(Self.request(.fiveMinutes)) { try Fixture.claude($0) }
        #expect(
            body["messages"]?[0]?["content"] == [
                [
                    "type": "text", "text": "The material.",
                    "cache_control": ["type": "ephemeral", "ttl": "5m"],
                ],
                ["type": "text", "text": "\n\nThe question."],
            ])
        #expect(body["system"]?[0]?["cache_control"] == nil)
    }

    @Test func aMarkThatDoesNotPayDividesTheTextAllTheSame() async throws {
        let body = try await Self.body(Self.request(nil)) { try Fixture.claude($0) }
        #expect(
            body["messages"]?[0]?["content"] == [
                ["type": "text", "text": "The material."], ["type": "text", "text": "\n\nThe question."],
            ])
    }

    @Test func aMarkBeforeTheFirstTextBelongsToTheInstructions() async throws {
        var request = Self.request(nil)
        request.messages[0].parts.insert(.cacheMark(CacheMark("rules", lifetime: .oneHour)), at: 0)
        let body = try await Self.body(request) { try Fixture.claude($0) }
        #expect(body["system"]?[0]?["cache_control"] == ["type": "ephemeral", "ttl": "1h"])
    }

    @Test func otherProvidersGetOneText() async throws {
        let gemini = try await Self.body(Self.request(.fiveMinutes)) { try Fixture.gemini($0) }
        #expect(gemini["contents"]?[0]?["parts"] == [["text": "The material.\n\nThe question."]])
        let openai = try await Self.body(Self.request(.fiveMinutes)) { try Fixture.openai($0) }
        #expect(openai["messages"]?[1]?["content"] == "The material.\n\nThe question.")
    }

    @Test func whetherAMarkIsSentIsNoPartOfTheQuestion() throws {
        #expect(Self.request(.oneHour).encoded == Self.request(nil).encoded)
        #expect(try ModelRequest(decoding: JSONField(Self.request(nil).encoded)) == Self.request(nil))
    }

    @Test func aPrefixIsKnownByEveryByteBeforeItAndByWhatElseTheProviderCompares() throws {
        let sonnet = try Fixture.sonnet()
        func hash(_ change: (inout ModelRequest) -> Void) -> [String] {
            var request = Self.request(nil)
            change(&request)
            return PrefixKey.all(of: request, for: sonnet).map(\.hash)
        }
        let base = hash { _ in }
        #expect(base == hash { $0.messages[0].parts[2] = .text("Another question.") }, "what follows does not count")
        #expect(base == hash { $0.userLabel = "someone else" })
        #expect(base == hash { $0.maxOutputTokens = 11 })
        for change in [
            { $0.messages[0].parts[0] = .text("The material. ") }, { $0.system.stable = "Be Calm." },
            { $0.effort = .low }, { $0.output = .json(name: "x", schema: ["type": "object"]) },
            { $0.tools = [Fixture.quoteTool] },
        ] as [(inout ModelRequest) -> Void] {
            #expect(base != hash(change))
        }
        var haiku = sonnet
        haiku.wireName = "claude-haiku-5-5"
        #expect(base != PrefixKey.all(of: Self.request(nil), for: haiku).map(\.hash))
    }
}
