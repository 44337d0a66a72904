import HTTP
import JSON
import Testing

@testable import Simulator

@Suite struct BatchTests {
    private let time = TestTime()
    private static let prices: [String: BillPrice] = [
        "claude-sonnet-5-5": BillPrice(input: 2, output: 10, cacheRead: 0.1, cacheWrite5m: 2.5, cacheWrite1h: 4)
    ]

    private func run(
        _ settings: String = "seconds 100", _ body: (Harness) async throws -> Void
    ) async throws {
        var configuration = try time.configuration()
        configuration.batches = try BatchSettings(parsing: settings)
        try await Harness.run(configuration, body)
    }

    private func claude(_ method: HTTPMethod = .get, _ path: String = "", _ body: JSON? = nil) -> Call {
        var call = Call.claude()
        (call.method, call.path, call.body) = (method, "/v1/messages/batches" + path, body)
        return call
    }

    /// A batch of calls to Claude with ids `d-0`, `d-1`, ….
    private func claudeBatch(_ count: Int, _ change: (inout JSON, Int) -> Void = { _, _ in }) -> Call {
        let requests = (0..<count).map { number -> JSON in
            var params = Call.claude(["max_tokens": JSON(1_000 + number)]).body ?? .null
            change(&params, number)
            return ["custom_id": JSON("d-\(number)"), "params": params]
        }
        return claude(.post, "", ["requests": .array(requests)])
    }

    private func lines(_ response: HTTPResponse) throws -> [JSON] {
        try response.text.split(separator: "\n").map { try JSON(parsing: String($0)) }
    }

    @Test func aBatchEndsInItsTimeAndItsResultsComeInAnyOrder() async throws {
        try await run { harness async throws in
            let made = try await harness.send(claudeBatch(20))
            let id = made.json["id"]?.string ?? ""
            #expect(made.status == 200 && made.json["type"] == "message_batch")
            #expect(made.json["processing_status"] == "in_progress" && made.json["results_url"] == .null)
            #expect(made.json["request_counts"]?["processing"] == 20)
            time.advance(50)
            let half = try await harness.send(claude(.get, "/" + id)).json
            #expect(half["processing_status"] == "in_progress" && half["request_counts"]?["succeeded"] == 0)
            #expect(try await harness.send(claude(.get, "/\(id)/results")).status == 400)
            time.advance(50)
            let ended = try await harness.send(claude(.get, "/" + id)).json
            #expect(ended["processing_status"] == "ended" && ended["request_counts"]?["succeeded"] == 20)
            let results = try await harness.send(claude(.get, "/\(id)/results"))
            #expect(results.headers["content-type"] == "application/x-jsonl")
            let lines = try lines(results)
            let ids = lines.compactMap { $0["custom_id"]?.string }
            #expect(Set(ids) == Set((0..<20).map { "d-\($0)" }) && ids != (0..<20).map { "d-\($0)" })
            for line in lines {
                let message = line["result"]?["message"]
                #expect(line["result"]?["type"] == "succeeded" && message?["type"] == "message")
                #expect(message?["usage"]?["service_tier"] == "batch")
            }
            // The same call alone gets the same text.
            let number = Int64(ids[0].dropFirst(2)) ?? 0
            let alone = try await harness.send(.claude(["max_tokens": JSON(1_000 + number)])).json
            #expect(lines[0]["result"]?["message"]?["content"] == alone["content"])
        }
    }

    @Test func everyLineIsBilledOnceAtHalfThePrice() async throws {
        try await run { harness async throws in
            let id = try await harness.send(claudeBatch(10)).json["id"]?.string ?? ""
            #expect(harness.simulator.bill().isEmpty)
            time.advance(55)
            #expect(harness.simulator.bill().count == 5)
            time.advance(100)
            for _ in 0..<3 { _ = try await harness.send(claude(.get, "/\(id)/results")) }
            let bill = harness.simulator.bill()
            #expect(bill.count == 10 && Set(bill.compactMap(\.line)).count == 10)
            #expect(bill.allSatisfy { $0.batch == id && $0.isHalfPrice })
            _ = try await harness.send(.claude(["max_tokens": 1_000]))
            let price = try #require(Self.prices["claude-sonnet-5-5"])
            let alone = try #require(harness.simulator.bill().last)
            let line = try #require(bill.first { $0.line == "d-0" })
            #expect(line.tokens == alone.tokens)
            #expect(price.microDollars(line) == (price.microDollars(alone) + 1) / 2)
        }
    }

    @Test func linesFailExpireAndAreWrongByThemselves() async throws {
        try await run("seconds 10, errored 0.2, expired 0.2, seed 4") { harness async throws in
            let call = claudeBatch(50) { params, number in
                if number == 0 { params["stream"] = true }
                if number == 1 { params["max_tokens"] = 0 }
                if number == 2 { params["nonsense"] = 1 }
            }
            let id = try await harness.send(call).json["id"]?.string ?? ""
            time.advance(10)
            let counts = try await harness.send(claude(.get, "/" + id)).json["request_counts"]
            func count(_ name: String) -> Int64 { counts?[name]?.integer ?? -1 }
            #expect(count("errored") > 5 && count("expired") > 2 && count("succeeded") > 15)
            #expect(count("errored") + count("expired") + count("succeeded") == 50 && count("processing") == 0)
            let lines = try lines(try await harness.send(claude(.get, "/\(id)/results")))
            for wrong in ["d-0", "d-1", "d-2"] {
                let result = lines.first { $0["custom_id"]?.string == wrong }?["result"]
                #expect(result?["type"] == "errored")
                #expect(result?["error"]?["error"]?["type"] == "invalid_request_error")
            }
            #expect(lines.contains { $0["result"]?["error"]?["error"]?["type"] == "api_error" })
            #expect(harness.simulator.bill().count == Int(count("succeeded")))
        }
    }

    @Test func aCancelledBatchKeepsWhatWasAnswered() async throws {
        try await run { harness async throws in
            let id = try await harness.send(claudeBatch(10)).json["id"]?.string ?? ""
            time.advance(35)
            let cancelled = try await harness.send(claude(.post, "/\(id)/cancel")).json
            #expect(cancelled["cancel_initiated_at"]?.string != nil)
            let ended = try await harness.send(claude(.get, "/" + id)).json
            #expect(ended["processing_status"] == "ended")
            #expect(ended["request_counts"]?["succeeded"] == 3 && ended["request_counts"]?["canceled"] == 7)
            #expect(harness.simulator.bill().count == 3)
            #expect(try await harness.send(claude(.delete, "/" + id)).json["type"] == "message_batch_deleted")
            #expect(try await harness.send(claude(.get, "/" + id)).status == 404)
        }
    }

    @Test func anExpiredBatchHoldsAnswersThatWereBilled() async throws {
        try await run("seconds 172800") { harness async throws in
            let id = try await harness.send(claudeBatch(10)).json["id"]?.string ?? ""
            time.advance(86_400)
            let counts = try await harness.send(claude(.get, "/" + id)).json["request_counts"]
            #expect(counts?["succeeded"] == 5 && counts?["expired"] == 5)
            #expect(harness.simulator.bill().count == 5)
        }
    }

    @Test func aBatchWhoseCreationGotNoAnswerIsInTheList() async throws {
        try await run { harness async throws in
            harness.simulator.faults.add(FaultRule(.lostAnswer, path: "/v1/messages/batches", times: 1))
            harness.simulator.faults.add(FaultRule(.status(529), path: "/v1/messages/batches", times: 1))
            await #expect(throws: HTTPClientError.self) { try await harness.send(claudeBatch(3)) }
            #expect(try await harness.send(claudeBatch(4)).status == 529)
            let second = try await harness.send(claudeBatch(5)).json["id"]
            let list = try await harness.send(claude()).json
            #expect(list["data"]?.array?.map { $0["request_counts"]?["processing"] } == [5, 3])
            #expect(list["first_id"] == second && list["has_more"] == false)
            let page = try await harness.send(claude(.get, "?limit=1")).json
            #expect(page["has_more"] == true)
            let next = try await harness.send(claude(.get, "?limit=1&after_id=\(page["last_id"]?.string ?? "")")).json
            #expect(next["data"]?[0]?["request_counts"]?["processing"] == 3)
        }
    }

    @Test func wrongBatchesAreRefused() async throws {
        try await run { harness async throws in
            let wrong: [JSON] = [
                ["requests": []], [:], ["requests": [["custom_id": "a b", "params": [:]]]],
                ["requests": [["custom_id": "a", "params": [:]], ["custom_id": "a", "params": [:]]]],
                ["requests": [["custom_id": JSON(String(repeating: "a", count: 65)), "params": [:]]]],
                ["requests": [["custom_id": "a", "params": [:]]], "more": 1],
            ]
            for body in wrong { #expect(try await harness.send(claude(.post, "", body)).status == 400) }
            #expect(try await harness.send(claude(.get, "/msgbatch_none")).status == 404)
            let settings = Call(
                path: "/simulator/batches", headers: ["content-type": "application/json"], body: "seconds 5, errored 2")
            #expect(try await harness.send(settings).status == 400)
            for text in ["seconds", "colour 5", "seconds -1"] {
                #expect(throws: SettingSyntaxError.self) { try BatchSettings(parsing: text) }
            }
        }
    }

    @Test func linesOfABatchReadTheCacheToo() async throws {
        try await run("seconds 10") { harness async throws in
            let text = String(repeating: "A rule for the analyst. ", count: 400)
            let call = claudeBatch(4) { params, _ in
                params["system"] = [
                    ["type": "text", "text": JSON(text), "cache_control": ["type": "ephemeral", "ttl": "1h"]]
                ]
            }
            _ = try await harness.send(call)
            time.advance(10)
            let tokens = harness.simulator.bill().map(\.tokens)
            #expect(tokens.count { $0.cacheWrite1h > 0 } == 1 && tokens.count { $0.cacheRead > 0 } == 3)
        }
    }

    @Test func geminiHasBatchesWithNamesAndKeys() async throws {
        try await run { harness async throws in
            func gemini(_ method: HTTPMethod, _ path: String, _ body: JSON? = nil) -> Call {
                var call = Call.gemini()
                (call.method, call.path, call.body) = (method, "/v1beta/" + path, body)
                return call
            }
            let requests = (0..<3).map { number -> JSON in
                let config: JSON = ["generationConfig": ["maxOutputTokens": JSON(number == 2 ? 0 : 1_000)]]
                return ["request": Call.gemini(config).body ?? .null, "metadata": ["key": JSON("k\(number)")]]
            }
            let body: JSON = [
                "batch": [
                    "display_name": "fingerprint-1", "input_config": ["requests": ["requests": .array(requests)]],
                ]
            ]
            let made = try await harness.send(gemini(.post, "models/gemini-3.8-flash:batchGenerateContent", body))
            let name = made.json["name"]?.string ?? ""
            #expect(made.status == 200 && name.hasPrefix("batches/"))
            #expect(made.json["metadata"]?["state"] == "BATCH_STATE_PENDING")
            #expect(made.json["metadata"]?["displayName"] == "fingerprint-1")
            time.advance(100)
            let ended = try await harness.send(gemini(.get, name)).json
            #expect(ended["done"] == true && ended["metadata"]?["state"] == "BATCH_STATE_SUCCEEDED")
            #expect(ended["metadata"]?["batchStats"]?["successfulRequestCount"] == "2")
            let answers = ended["response"]?["inlinedResponses"]?["inlinedResponses"]?.array ?? []
            #expect(answers.map { $0["metadata"]?["key"] } == ["k0", "k1", "k2"])
            #expect(answers[0]["response"]?["candidates"]?[0]?["finishReason"] == "STOP")
            #expect(answers[2]["error"]?["status"] == "INVALID_ARGUMENT")
            #expect(ended["metadata"]?["output"]?["inlinedResponses"]?["inlinedResponses"]?.array == answers)
            let list = try await harness.send(gemini(.get, "batches?pageSize=5")).json
            #expect(list["operations"]?[0]?["metadata"]?["displayName"] == "fingerprint-1")
            #expect(harness.simulator.bill().map(\.line).sorted { ($0 ?? "") < ($1 ?? "") } == ["k0", "k1"])
            let second = try await harness.send(gemini(.post, "models/gemini-3.8-flash:batchGenerateContent", body))
            let other = second.json["name"]?.string ?? ""
            #expect(try await harness.send(gemini(.post, other + ":cancel")).status == 200)
            #expect(try await harness.send(gemini(.get, other)).json["metadata"]?["state"] == "BATCH_STATE_CANCELLED")
            #expect(try await harness.send(gemini(.delete, other)).status == 200)
            #expect(try await harness.send(gemini(.get, other)).status == 404)
        }
    }

    @Test func openAIMakesBatchesOfFiles() async throws {
        try await run { harness async throws in
            func openAI(_ method: HTTPMethod, _ path: String, _ body: JSON? = nil) -> Call {
                var call = Call.openAI()
                (call.method, call.path, call.body) = (method, "/openai/v1/" + path, body)
                return call
            }
            let lines = (0..<3).map { number -> String in
                let call = Call.openAI(["max_tokens": JSON(number == 2 ? 0 : 1_000)])
                let line: JSON = [
                    "custom_id": JSON("d-\(number)"), "method": "POST", "url": "/v1/chat/completions",
                    "body": call.body ?? .null,
                ]
                return line.compact
            }
            let form = [
                "--xyz", "Content-Disposition: form-data; name=\"purpose\"", "", "batch", "--xyz",
                "Content-Disposition: form-data; name=\"file\"; filename=\"lines.jsonl\"",
                "Content-Type: application/jsonl", "", lines.joined(separator: "\n"), "--xyz--", "",
            ].joined(separator: "\r\n")
            var upload = openAI(.post, "files").request(at: harness.url)
            upload.headers["content-type"] = "multipart/form-data; boundary=xyz"
            upload.body = Array(form.utf8)
            let file = try await harness.client.send(upload).json
            #expect(file["object"] == "file" && file["filename"] == "lines.jsonl" && file["purpose"] == "batch")
            let content = try await harness.send(openAI(.get, "files/\(file["id"]?.string ?? "")/content"))
            #expect(content.text == lines.joined(separator: "\n"))
            let body: JSON = [
                "input_file_id": file["id"] ?? .null, "endpoint": "/v1/chat/completions", "completion_window": "24h",
                "metadata": ["fingerprint": "f1"],
            ]
            let made = try await harness.send(openAI(.post, "batches", body)).json
            let id = made["id"]?.string ?? ""
            #expect(made["status"] == "in_progress" && made["metadata"]?["fingerprint"] == "f1")
            time.advance(100)
            let ended = try await harness.send(openAI(.get, "batches/" + id)).json
            #expect(ended["status"] == "completed" && ended["request_counts"]?["completed"] == 2)
            let output = try await harness.send(
                openAI(.get, "files/\(ended["output_file_id"]?.string ?? "")/content"))
            let answers = try self.lines(output)
            #expect(Set(answers.compactMap { $0["custom_id"]?.string }) == ["d-0", "d-1"])
            #expect(answers.allSatisfy { $0["response"]?["body"]?["object"] == "chat.completion" })
            let errors = try self.lines(
                try await harness.send(openAI(.get, "files/\(ended["error_file_id"]?.string ?? "")/content")))
            #expect(errors.map { $0["custom_id"] } == ["d-2"] && errors[0]["response"]?["status_code"] == 400)
            let list = try await harness.send(openAI(.get, "batches?limit=1")).json
            #expect(list["data"]?[0]?["metadata"]?["fingerprint"] == "f1" && list["has_more"] == false)
            #expect(try await harness.send(openAI(.post, "batches", ["endpoint": "x"])).status == 400)
        }
    }
}
