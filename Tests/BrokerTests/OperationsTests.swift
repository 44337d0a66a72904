import HTTPServer
import HTTP
import JSON
import Testing

@testable import Broker

@Suite(.serialized, .timeLimit(.minutes(10))) struct OperationsTests {
    @Test func metricsTellOfRequestsJobsWorkersAndTheCache() async throws {
        try await Service.with { service in
            let worker = try await FakeWorker(service)
            try await worker.finish(try await service.submit())
            _ = try await service.submit("note", input: [:])
            for _ in 0..<3 { _ = try await service.ask(.get, "/api/v1/credits") }
            _ = try await service.ask(.get, "/api/v1/jobs/none")
            _ = try await service.ask(.get, "/nothing")
            let response = try await service.client.send(HTTPRequest(.get, service.url + "/metrics"))
            #expect(response.status == 200)
            #expect(response.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
            let lines = Set(response.text.split(separator: "\n").map(String.init))
            for line in [
                #"dossier_http_requests_total{method="GET",route="/api/v1/credits",status="200"} 3"#,
                #"dossier_http_requests_total{method="GET",route="/api/v1/jobs/{id}",status="404"} 1"#,
                #"dossier_http_requests_total{method="any",route="none",status="404"} 1"#,
                #"dossier_http_request_duration_seconds_count{method="GET",route="/api/v1/credits"} 3"#,
                #"dossier_jobs_last_hour{kind="research",status="completed"} 1"#,
                #"dossier_jobs_unfinished{kind="note",place="ready"} 1"#,
                "dossier_queue_depth 1", "dossier_workers_alive 1", "dossier_store_up 1",
            ] { #expect(lines.contains(line), "\(line)\n\(response.text)") }
            // Every sample stands below its family.
            var family = ""
            for line in response.text.split(separator: "\n") {
                if line.hasPrefix("# TYPE ") { family = String(line.split(separator: " ")[2]) }
                #expect(line.hasPrefix("#") || line.hasPrefix(family), "\(line)")
            }
        }
    }

    @Test func everyRouteIsDescribedAndEveryDescriptionHasARoute() async throws {
        try await Service.with { service in
            let document = OpenAPIDocument(routes: service.broker.router.routes)
            #expect(document.undescribed.map(\.name) == [])
            #expect(document.unanswered == [])
        }
    }

    @Test func theDescriptionIsServedAndHoldsTogether() async throws {
        try await Service.with { service in
            let response = try await service.client.send(HTTPRequest(.get, service.url + "/openapi.json"))
            #expect(response.status == 200)
            let document = try JSON(parsing: response.body)
            #expect(document["openapi"] == "3.1.0")
            let paths = try #require(document["paths"]?.object)
            #expect(
                Set(
                    paths.flatMap { path, methods in (methods.object?.keys ?? []).map { "\($0.uppercased()) \(path)" } }
                )
                    == Set(service.broker.router.routes.map(\.name)))
            let schemas = Set(document["components"]?["schemas"]?.object?.keys ?? [])
            var ids: Set<String> = []
            for reference in document.texts(of: "$ref") {
                #expect(schemas.contains(String(reference.dropFirst("#/components/schemas/".count))), "\(reference)")
            }
            for id in document.texts(of: "operationId") { #expect(ids.insert(id).inserted, "\(id)") }
            let stock = document["paths"]?["/api/v1/stocks/{ticker}"]?["get"]
            #expect(stock?["parameters"]?[0]?["name"] == "ticker")
        }
    }
}

extension JSON {
    /// All texts that are members of this name, wherever they stand.
    fileprivate func texts(of name: String) -> [String] {
        switch self {
        case .array(let elements): elements.flatMap { $0.texts(of: name) }
        case .object(let members):
            members.flatMap { key, value in
                (key == name ? value.string.map { [$0] } ?? [] : []) + value.texts(of: name)
            }
        default: []
        }
    }
}
