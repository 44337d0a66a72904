import JobQueue
import TestSupport
import HTTP
import JSON
import Testing

@testable import LanguageModels

@Suite struct EmbeddingModelTests {
    private static let catalogue = """
        embedding: gemini-embedding-001
        models:
          gemini-embedding-001:
            provider: gemini
            context: 2048
            max_output: 1
            prices: [{ input: 1000, output: 0 }]
        tiers: {}
        """

    private func model(_ transport: ScriptedTransport, cap: SpendCap? = nil) throws -> EmbeddingModel {
        try #require(
            EmbeddingModel(
                ModelCatalogue(parsing: Self.catalogue),
                configuration: ModelsConfiguration(gemini: .init(key: Fixture.key, baseURL: "https://gemini.example")),
                over: transport, clock: ManualClock().source, limit: .seconds(8), spendCap: cap))
    }

    @Test func theRequestSaysWhatEachVectorIsFor() async throws {
        let transport = ScriptedTransport(
            .answer(body: #"{"embeddings":[{"values":[1,0]},{"values":[0,1]},{"values":[0.5,-0.5]}]}"#))
        let answer = try await model(transport).vectors(of: [
            EmbeddingText("Why?", for: .question), EmbeddingText("Rates", for: .clustering),
            EmbeddingText("Moats\nThey last.", for: .document),
        ])
        #expect(answer.vectors == [[1, 0], [0, 1], [0.5, -0.5]])
        let request = try #require(transport.requests.first)
        #expect(
            request.url == "https://gemini.example/v1beta/models/gemini-embedding-001:batchEmbedContents")
        #expect(request.headers["x-goog-api-key"] == "sk-test-0123456789" && request.limits.total == .seconds(8))
        func one(_ text: String, _ type: String) -> JSON {
            [
                "model": "models/gemini-embedding-001", "content": ["parts": [["text": JSON(text)]]],
                "taskType": JSON(type), "outputDimensionality": 256,
            ]
        }
        let expected: JSON = [
            "requests": [
                one("Why?", "RETRIEVAL_QUERY"), one("Rates", "CLUSTERING"),
                one("Moats\nThey last.", "RETRIEVAL_DOCUMENT"),
            ]
        ]
        #expect(transport.bodies == [expected])
    }

    @Test func theTokensThatNobodyCountsAreEstimatedOnTheHighSide() async throws {
        let answer = try await model(ScriptedTransport(.answer(body: #"{"embeddings":[{"values":[1]}]}"#)))
            .vectors(of: [EmbeddingText("123456", for: .question)])
        #expect(answer.tokens == 3 && answer.cost == MicroDollars(rawValue: 3000))
    }

    @Test func aLongTextIsCutAndAnAnswerWithoutAVectorForEachTextIsNone() async throws {
        let transport = ScriptedTransport(.answer(body: #"{"embeddings":[]}"#))
        let error = await #expect(throws: ModelError.self) {
            _ = try await model(transport).vectors(of: [
                EmbeddingText(String(repeating: "word ", count: 9000), for: .document)
            ])
        }
        guard case .malformedAnswer? = error?.kind else {
            Issue.record("\(error as Any)")
            return
        }
        let sent = transport.bodies[0]["requests"]?[0]?["content"]?["parts"]?[0]?["text"]?.string
        #expect(sent?.utf8.count == 1500)
    }

    @Test func whoMaySpendNoMoreTodayHasNoCallMade() async throws {
        let transport = ScriptedTransport(.answer(body: #"{"embeddings":[{"values":[1]}]}"#))
        let model = try model(
            transport,
            cap: SpendCap(MicroDollars(rawValue: 5000)) { MicroDollars(rawValue: $0.rawValue == 1 ? 4000 : 0) })
        let texts = [EmbeddingText("123456", for: .question)]
        let error = await #expect(throws: ModelError.self) {
            _ = try await model.vectors(of: texts, for: UserID(rawValue: 1))
        }
        #expect(error?.kind == .spendCapReached && transport.requests.isEmpty)
        _ = try await model.vectors(of: texts, for: UserID(rawValue: 2))
        #expect(transport.requests.count == 1)
    }
}
