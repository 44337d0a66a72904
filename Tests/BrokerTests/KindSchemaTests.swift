import HTTP
import HTTPServer
import JSON
import JSONSchema
import JobQueue
import Prompts
import TestSupport
import Testing

@testable import Broker

/// What the description says of the kinds of jobs, and the page that shows it to people.
@Suite(.serialized, .timeLimit(.minutes(10))) struct KindSchemaTests {
    private static func document(_ service: TestService) -> JSON {
        OpenAPIDocument(
            routes: service.broker.router.routes, kinds: service.broker.bundle.value.kinds.values
        ).json
    }

    @Test func eachKindOfAUserHasAnInputARequestAndAResult() async throws {
        try await TestService.with { service in
            let document = Self.document(service)
            let schemas = try #require(document["components"]?["schemas"]?.object)
            let kinds = service.broker.bundle.value.kinds.values.filter { !$0.isForOperators }
            #expect(!kinds.isEmpty)
            for kind in kinds {
                let name = String(KindSchemas.resultName(of: kind.name).dropLast("Result".count))
                #expect(schemas[name + "Input"] != nil)
                #expect(schemas[name + "JobRequest"]?["properties"]?["kind"]?["const"] == JSON(kind.name))
                #expect(schemas[name + "Result"]?["properties"]?["kind"]?["const"] == JSON(kind.name))
                #expect(schemas["JobResult"]?["discriminator"]?["mapping"]?[kind.name] != nil)
            }
            #expect(schemas["JobRequest"]?["oneOf"]?.array?.count == kinds.count)
        }
    }

    @Test func alternativesOfAnInputAreWholeObjects() throws {
        let explanation: JSON = [
            "type": "object", "oneOf": [["required": ["story_id"]], ["required": ["articles"]]],
            "properties": [
                "story_id": ["type": "integer"], "title": ["type": "string"],
                "articles": ["type": "array", "items": ["type": "string"]],
            ],
            "additionalProperties": false,
        ]
        let kind = JobKind(
            name: "explanation", title: "An explanation", agent: "explanation", credits: 1, queue: .background,
            deadline: .seconds(60), estimate: .seconds(5),
            retries: RetryPolicy(attempts: 1, initialPause: .zero, longestPause: .zero), tier: "fast", prompts: [:],
            stages: [], inputSchema: explanation)
        var schemas: JSONObject = ["JobRequest": ["type": "object", "properties": ["kind": [:], "input": [:]]]]
        KindSchemas([kind], notes: .bundled).add(to: &schemas)
        let names = ["ExplanationInputWithStoryId", "ExplanationInputWithArticles"]
        let references = names.map { ["$ref": JSON("#/components/schemas/\($0)")] as JSON }
        #expect(schemas["ExplanationInput"] == ["oneOf": .array(references)])
        let alternatives = try names.map { try #require(schemas[$0]) }
        #expect(alternatives.map { $0["required"] } == [["story_id"], ["articles"]])
        #expect(
            alternatives.map { $0["properties"]?.object?.keys ?? [] } == [
                ["story_id", "title"], ["title", "articles"],
            ])
    }

    @Test func everyBodyAndEveryAnswerHasAnExampleThatItsSchemaAccepts() async throws {
        try await TestService.with { service in
            let document = Self.document(service)
            let schemas = try #require(document["components"]?["schemas"])
            for (path, methods) in document["paths"]?.object ?? [:] {
                for (method, operation) in methods.object ?? [:] {
                    var contents = [("body", operation["requestBody"]?["content"]?["application/json"])]
                    for (status, answer) in operation["responses"]?.object ?? [:] where status.hasPrefix("2") {
                        contents.append((status, answer["content"]?["application/json"]))
                    }
                    for case (let place, let content?) in contents {
                        let schema = try #require(content["schema"])
                        let example = content["example"]
                        #expect(example != nil, "\(method) \(path) \(place) has no example")
                        let compiled = try AnswerSchemas.schema(schema, among: schemas)
                        if let example { #expect(compiled.isValid(example), "\(method) \(path) \(place)") }
                    }
                }
            }
        }
    }

    @Test func everyErrorCodeHasAMeaningAndAPlaceOnThePage() async throws {
        try await TestService.with { service in
            let answer = try await service.ask(.get, "/api/v1/jobs/none")
            let link = answer.json["error"]?["doc_url"]?.string
            #expect(link == "/docs#\(answer.json["error"]?["code"]?.string ?? "")")
            let page = try await service.client.send(HTTPRequest(.get, service.url + "/docs"))
            #expect(page.status == 200 && page.headers["Content-Type"] == "text/html; charset=utf-8")
            #expect(page.headers["Content-Security-Policy"]?.hasPrefix("default-src 'none'") == true)
            #expect(page.body.count < 200 * 1024)
            for (code, meaning) in APINotes.bundled.codes {
                #expect(page.text.contains("id=\"\(code)\""), "\(code)")
                #expect(meaning.string?.isEmpty == false)
            }
            for operation in service.broker.router.routes { #expect(page.text.contains(operation.pattern)) }
            #expect(!page.text.contains("<script") && !page.text.contains("src="))
        }
    }
}
