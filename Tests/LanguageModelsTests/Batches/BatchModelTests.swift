import Foundation
import HTTP
import JSON
import Testing

@testable import LanguageModels

@Suite struct BatchModelTests {
    private static let request = ModelRequest(
        system: SystemPrompt(stable: "Rules."), messages: [.user("Why?")], maxOutputTokens: 100)

    private static func model(_ provider: ModelProvider) throws -> ModelDescription {
        ModelDescription(
            id: "test", provider: provider, contextTokens: 1000, maxOutputTokens: 1000, prices: try price("4", "8"))
    }

    private func claude(_ transport: ScriptedTransport) throws -> ClaudeBatches {
        ClaudeBatches(
            try Self.model(.claude), at: ProviderEndpoint(baseURL: "https://claude", key: Fixture.key), over: transport)
    }

    private func gemini(_ transport: ScriptedTransport) throws -> GeminiBatches {
        GeminiBatches(
            try Self.model(.gemini), at: ProviderEndpoint(baseURL: "https://gemini", key: Fixture.key), over: transport)
    }

    private func openAI(_ transport: ScriptedTransport) throws -> OpenAIBatches {
        OpenAIBatches(
            try Self.model(.openai), at: ProviderEndpoint(baseURL: "https://openai/v1", key: Fixture.key),
            over: transport)
    }

    private func results(_ model: any BatchModel, _ id: String) async throws -> [String: BatchResult.Outcome] {
        let found = Collector<BatchResult>()
        try await model.results(of: id) { found.add($0) }
        return Dictionary(found.values.map { ($0.customID, $0.outcome) }) { first, _ in first }
    }

    // MARK: Claude

    @Test func claudeGetsLinesWithMarksOfAnHourAndNoStream() async throws {
        let transport = ScriptedTransport(.answer(body: #"{"id":"msgbatch_1","type":"message_batch"}"#))
        let model = try claude(transport)
        var marked = Self.request
        marked.messages[0].parts = [.text("Material."), .cacheMark(CacheMark("material")), .text("Why?")]
        let line = try model.line(marked, customID: "d-1")
        #expect(try await model.create([line], name: "f", within: .seconds(9)) == "msgbatch_1")
        let request = try #require(transport.requests.first)
        #expect(request.url == "https://claude/v1/messages/batches")
        #expect(request.headers["anthropic-version"] == "2026-10-21")
        let sent = try #require(transport.bodies.first?["requests"]?[0])
        #expect(sent["custom_id"] == "d-1" && sent["params"]?["stream"] == nil)
        let content = try #require(sent["params"]?["messages"]?[0]?["content"])
        #expect(content[0]?["text"] == "Material." && content[0]?["cache_control"]?["ttl"] == "1h")
        #expect(content[1]?["text"] == "Why?" && content[1]?["cache_control"] == nil)
    }

    @Test func claudesListIsSearchedByTheNumberOfLinesAndTheTime() async throws {
        func batch(_ id: String, _ lines: Int, _ created: String) -> String {
            #"{"id":"\#(id)","created_at":"\#(created)","request_counts":{"processing":\#(lines - 1),"succeeded":1}}"#
        }
        let page = [
            batch("known", 3, "2026-11-21T10:00:30Z"), batch("other", 4, "2026-11-21T10:00:30Z"),
            batch("ours", 3, "2026-11-21T10:00:20.5Z"), batch("old", 3, "2026-11-21T09:58:00Z"),
        ]
        let since = try #require(ClaudeBatches.milliseconds("2026-11-21T10:00:00Z"))
        #expect(since == 1_795_255_200_000)
        func find(_ batches: [String], _ known: Set<String>) async throws -> String? {
            let body = #"{"data":[\#(batches.joined(separator: ","))],"has_more":false}"#
            return try await claude(ScriptedTransport(.answer(body: body))).find(
                SoughtBatch(name: "f", lines: 3, since: since, known: known))
        }
        #expect(try await find(page, ["known"]) == "ours")
        #expect(try await find(page, ["known", "ours"]) == nil)
        #expect(try await find(Array(page[1...]), []) == "ours")
    }

    @Test func claudesResultsAreReadFromPiecesInAnyOrder() async throws {
        let answer =
            #"{"id":"m","type":"message","content":[{"type":"text","text":"Grüße"}],"stop_reason":"end_turn","usage":{"input_tokens":1000,"output_tokens":10}}"#
        let lines = [
            #"{"custom_id":"d-3","result":{"type":"expired"}}"#,
            #"{"custom_id":"d-1","result":{"type":"succeeded","message":\#(answer)}}"#,
            #"{"custom_id":"d-2","result":{"type":"errored","error":{"type":"error","error":{"type":"overloaded_error","message":"x"}}}}"#,
            #"{"custom_id":"d-4","result":{"type":"errored","error":{"type":"error","error":{"type":"invalid_request_error","message":"x"}}}}"#,
        ]
        let bytes = Array(lines.joined(separator: "\n").utf8)
        for cut in [1, 60, 71, 130, bytes.count - 1] {
            let model = try claude(
                ScriptedTransport(.pieces([Array(bytes[..<cut]), Array(bytes[cut...])])))
            let found = try await results(model, "msgbatch_1")
            #expect(found["d-2"] == .again && found["d-3"] == .again && found["d-4"] == .failed)
            guard case .answered(let message)? = found["d-1"] else {
                Issue.record("no answer, cut at \(cut)")
                continue
            }
            let response = try model.read(message, to: Self.request)
            #expect(response.text == "Grüße")
            #expect(response.cost.rawValue == 1000 * 2 + 10 * 4, "half of the price")
        }
    }

    @Test func theStateOfAClaudeBatchIsReadByItsID() async throws {
        let transport = ScriptedTransport(
            .answer(body: #"{"id":"a","processing_status":"in_progress"}"#),
            .answer(body: #"{"id":"a","processing_status":"canceling"}"#),
            .answer(body: #"{"id":"a","processing_status":"ended"}"#),
            .answer(status: 404, body: #"{"type":"error","error":{"type":"not_found_error","message":"x"}}"#))
        let model = try claude(transport)
        for expected in [BatchStatus.pending, .pending, .ended] { #expect(try await model.status(of: "a") == expected) }
        let error = await #expect(throws: ModelError.self) { try await _ = model.status(of: "a") }
        #expect(error?.kind == .notFound)
        #expect(transport.requests.allSatisfy { $0.method == .get && $0.url == "https://claude/v1/messages/batches/a" })
    }

    // MARK: Gemini

    @Test func geminiGetsLinesInlineUnderADisplayName() async throws {
        let transport = ScriptedTransport(
            .answer(body: #"{"name":"batches/1","metadata":{"state":"BATCH_STATE_PENDING"}}"#))
        let model = try gemini(transport)
        var marked = Self.request
        marked.messages[0].parts = [.text("Material."), .cacheMark(CacheMark("material")), .text("Why?")]
        let line = try model.line(marked, customID: "d-1")
        #expect(try await model.create([line], name: "fingerprint", within: .seconds(9)) == "batches/1")
        #expect(transport.requests.first?.url == "https://gemini/v1beta/models/test:batchGenerateContent")
        let batch = try #require(transport.bodies.first?["batch"])
        #expect(batch["displayName"] == "fingerprint")
        let sent = try #require(batch["inputConfig"]?["requests"]?["requests"]?[0])
        #expect(sent["metadata"]?["key"] == "d-1")
        #expect(sent["request"]?["contents"]?[0]?["parts"]?[0]?["text"] == "Material.Why?")
    }

    @Test func geminisListIsSearchedByNameOnAllPages() async throws {
        let first = #"{"operations":[{"name":"batches/1","metadata":{"displayName":"other"}}],"nextPageToken":"t"}"#
        let second =
            #"{"operations":[{"name":"batches/2","metadata":{"displayName":"f"}},{"name":"batches/3","metadata":{"displayName":"f"}}]}"#
        let transport = ScriptedTransport(.answer(body: first), .answer(body: second))
        let sought = SoughtBatch(name: "f", lines: 1, since: 0, known: ["batches/2"])
        #expect(try await gemini(transport).find(sought) == "batches/3")
        #expect(transport.requests.last?.url.hasSuffix("pageToken=t") == true)
    }

    @Test func geminisResultsAreInTheBatch() async throws {
        let answer =
            #"{"candidates":[{"content":{"role":"model","parts":[{"text":"Yes"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":100,"candidatesTokenCount":10}}"#
        let body =
            #"{"name":"batches/1","done":true,"metadata":{"state":"BATCH_STATE_SUCCEEDED","output":{"inlinedResponses":{"inlinedResponses":[{"metadata":{"key":"d-1"},"response":\#(answer)},{"metadata":{"key":"d-2"},"error":{"code":503,"message":"x","status":"UNAVAILABLE"}},{"metadata":{"key":"d-3"},"error":{"code":400,"message":"x","status":"INVALID_ARGUMENT"}}]}}}}"#
        let model = try gemini(ScriptedTransport(.answer(body: body), .answer(body: body)))
        #expect(try await model.status(of: "batches/1") == .ended)
        let found = try await results(model, "batches/1")
        #expect(found["d-2"] == .again && found["d-3"] == .failed)
        guard case .answered(let message)? = found["d-1"] else {
            Issue.record("no answer")
            return
        }
        #expect(try model.read(message, to: Self.request).cost.rawValue == 100 * 2 + 10 * 4)
    }

    // MARK: OpenAI

    @Test func openAIGetsAFileOfLinesAndABatchWithItsFingerprint() async throws {
        let transport = ScriptedTransport(
            .answer(body: #"{"id":"file-1","object":"file"}"#), .answer(body: #"{"id":"batch_1","object":"batch"}"#))
        let model = try openAI(transport)
        let lines = try ["d-1", "d-2"].map { try model.line(Self.request, customID: $0) }
        #expect(try await model.create(lines, name: "fingerprint", within: .seconds(9)) == "batch_1")
        #expect(transport.requests.map(\.url) == ["https://openai/v1/files", "https://openai/v1/batches"])
        let upload = try #require(transport.requests.first)
        #expect(upload.headers["content-type"] == "multipart/form-data; boundary=dossier-fingerprint")
        let parts = String(decoding: upload.body, as: UTF8.self).components(separatedBy: "--dossier-fingerprint")
        #expect(parts.count == 4 && parts[1].contains(#"name="purpose""#) && parts[1].hasSuffix("\r\n\r\nbatch\r\n"))
        let file = try #require(parts[2].components(separatedBy: "\r\n\r\n").last)
        let sent = try file.split(separator: "\n").filter { $0.hasPrefix("{") }.map { try JSON(parsing: String($0)) }
        #expect(sent.map { $0["custom_id"] } == ["d-1", "d-2"])
        #expect(sent[0]["url"] == "/v1/chat/completions" && sent[0]["body"]?["messages"]?[1]?["content"] == "Why?")
        let batch = try #require(transport.bodies.last)
        #expect(batch["input_file_id"] == "file-1" && batch["metadata"]?["fingerprint"] == "fingerprint")
    }

    @Test func withoutItsFileOpenAISurelyHasNoBatch() async throws {
        let model = try openAI(ScriptedTransport(.answer(status: 500, body: "{}")))
        let error = await #expect(throws: ModelError.self) {
            _ = try await model.create([["a": 1]], name: "f", within: .seconds(9))
        }
        #expect(error?.isUnsent == true)
        let second = try openAI(ScriptedTransport(.answer(body: #"{"id":"file-1"}"#), .answer(status: 500, body: "{}")))
        let late = await #expect(throws: ModelError.self) {
            _ = try await second.create([["a": 1]], name: "f", within: .seconds(9))
        }
        #expect(late?.isUnsent == false)
    }

    @Test func openAIsListIsSearchedByTheFingerprintOnAllNewPages() async throws {
        func page(_ id: String, _ fingerprint: String, created: Int, hasMore: Bool) -> ScriptedTransport.Reply {
            .answer(
                body:
                    #"{"data":[{"id":"\#(id)","created_at":\#(created),"metadata":{"fingerprint":"\#(fingerprint)"}}],"#
                    + #""has_more":\#(hasMore)}"#)
        }
        let sought = SoughtBatch(name: "f", lines: 1, since: 5000, known: ["known"])
        let transport = ScriptedTransport(
            page("known", "f", created: 9, hasMore: true), page("ours", "f", created: 6, hasMore: true))
        #expect(try await openAI(transport).find(sought) == "ours")
        #expect(transport.requests.last?.url == "https://openai/v1/batches?limit=100&after=known")
        let old = ScriptedTransport(page("other", "g", created: 4, hasMore: true))
        #expect(try await openAI(old).find(sought) == nil && old.requests.count == 1)
    }

    @Test func openAIsResultsAreInAFileOfAnswersAndAFileOfErrors() async throws {
        let answer =
            #"{"id":"c","model":"test","choices":[{"index":0,"message":{"role":"assistant","content":"Yes"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1000,"completion_tokens":10}}"#
        let batch = #"{"id":"b","status":"completed","output_file_id":"file-out","error_file_id":"file-err"}"#
        let answers = #"{"custom_id":"d-1","response":{"status_code":200,"body":\#(answer)},"error":null}"#
        let errors = [
            #"{"custom_id":"d-2","response":{"status_code":500,"body":{"error":{"type":"server_error"}}},"error":null}"#,
            #"{"custom_id":"d-3","response":{"status_code":400,"body":{"error":{"type":"invalid_request_error"}}}}"#,
            #"{"custom_id":"d-4","response":null,"error":{"code":"batch_expired","message":"x"}}"#,
        ]
        let transport = ScriptedTransport(
            .answer(body: #"{"id":"b","status":"finalizing"}"#), .answer(body: batch), .answer(body: batch),
            .pieces([Array(answers.utf8)]), .pieces([Array(errors.joined(separator: "\n").utf8)]))
        let model = try openAI(transport)
        for expected in [BatchStatus.pending, .ended] { #expect(try await model.status(of: "b") == expected) }
        let found = try await results(model, "b")
        #expect(transport.requests.last?.url == "https://openai/v1/files/file-err/content")
        #expect(found["d-2"] == .again && found["d-3"] == .failed && found["d-4"] == .again)
        guard case .answered(let message)? = found["d-1"] else {
            Issue.record("no answer")
            return
        }
        let response = try model.read(message, to: Self.request)
        #expect(response.text == "Yes" && response.cost.rawValue == 1000 * 2 + 10 * 4, "half of the price")
    }
}
