import DossierAPI
import HTTP
import HTTPServer
import JobQueue
import JSON
import SQLiteStore
import Testing

@testable import Broker

/// Accounts, readiness and unknown addresses.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ServiceTests {
    @Test func thePersonasOfTheBundleAreListed() async throws {
        try await TestService.with { service in
            let personas = try await service.ask(.get, "/api/v1/personas").decoded(as: [PersonaResource].self)
            #expect(personas.map(\.id) == ["ann", "bob"])
            #expect(personas.first?.name == "Ann" && personas.first?.version == 3)
        }
    }

    @Test func creditsFollowTheJobs() async throws {
        try await TestService.with {
            $0.startingCredits = 3
        } _: { service in
            #expect(try await service.credits(user: "9") == "3 granted, 3 left, 0 held, 0 used")
            let id = try await service.submit(user: "9")
            #expect(try await service.credits(user: "9") == "3 granted, 2 left, 1 held, 0 used")
            try await FakeWorker(service).finish(id)
            #expect(try await service.credits(user: "9") == "3 granted, 2 left, 0 held, 1 used")
            #expect(try await service.credits(user: "10") == "3 granted, 3 left, 0 held, 0 used")
            #expect(try await service.store.auditCredits().isEmpty)
        }
    }

    @Test func aBrokerIsReadyOnlyWithALiveWorker() async throws {
        try await TestService.with { service in
            #expect(try await service.ask(.get, "/health")["data"] == ["status": "ok"])
            let alone = try await service.ask(.get, "/ready")
            #expect(alone.status == 503 && alone.code == "SYS_5002", "\(alone.text)")
            let worker = try await FakeWorker(service)
            // The store is asked once a second at most.
            var ready = alone
            while ready.status == 503 { ready = try await service.ask(.get, "/ready") }
            #expect(ready.status == 200 && ready["data"]?["status"] == "ready")
            try await worker.store.deregister(worker.id)
            while ready.status == 200 { ready = try await service.ask(.get, "/ready") }
            #expect(ready.status == 503)
        }
    }

    @Test func withoutADatabaseAnswersAre503AndHealthStays() async throws {
        try await TestService.with { service in
            let id = try await service.submit()
            _ = try await service.client.send(HTTPRequest(.get, service.url + "/metrics"))
            await service.store.close()
            // The last reading of the workers is shown for a second.
            while try await service.ask(.get, "/ready").code != "EXT_4003" {}
            let requests: [(HTTPMethod, String, JSON?)] = [
                (.get, "/ready", nil), (.get, "/api/v1/credits", nil), (.get, "/api/v1/users/me", nil),
                (.get, "/api/v1/jobs", nil), (.get, "/api/v1/jobs/\(id)", nil),
                (.get, "/api/v1/jobs/\(id)?wait=1", nil),
                (.get, "/api/v1/jobs/\(id)/result", nil), (.get, "/api/v1/jobs/\(id)/events", nil),
                (.post, "/api/v1/jobs/\(id)/cancel", nil), (.post, "/api/v1/jobs/\(id)/retry", nil),
                (.post, "/api/v1/jobs", ["kind": "research", "input": TestService.order]),
                (.post, "/api/v1/research/generate", ["ticker": "AAPL", "investor_persona": "ann"]),
                (.get, "/api/v1/research/reports", nil), (.get, "/api/v1/research/reports/\(id)", nil),
            ]
            for (method, path, body) in requests {
                let answer = try await service.ask(method, path, body)
                #expect(answer.status == 503 && answer.code == "EXT_4003", "\(path): \(answer.text)")
                #expect(answer.header("Retry-After") == "2", "\(path)")
            }
            let stranger = try await service.ask(.get, "/api/v1/credits", headers: ["X-User-ID": "never-seen"])
            #expect(stranger.status == 503)
            #expect(try await service.ask(.get, "/health").status == 200)
            // The store is gone; what was read before stays, with its age.
            var metrics = try await service.client.send(HTTPRequest(.get, service.url + "/metrics"))
            while !metrics.text.contains("\ndossier_store_up 0\n") {
                metrics = try await service.client.send(HTTPRequest(.get, service.url + "/metrics"))
            }
            #expect(metrics.status == 200)
            #expect(metrics.text.contains("\ndossier_store_reading_age_seconds "))
            #expect(metrics.text.contains("\ndossier_jobs_unfinished"))
        }
    }
}

@Suite(.serialized, .timeLimit(.minutes(10))) struct OperationsTests {
    @Test func metricsCoverRequestsJobsWorkersAndCache() async throws {
        try await TestService.with { service in
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
            // Every sample follows the header of its family.
            var family = ""
            for line in response.text.split(separator: "\n") {
                if line.hasPrefix("# TYPE ") { family = String(line.split(separator: " ")[2]) }
                #expect(line.hasPrefix("#") || line.hasPrefix(family), "\(line)")
            }
        }
    }

    @Test func everyRouteHasADescriptionAndEveryDescriptionARoute() async throws {
        try await TestService.with { service in
            let document = OpenAPIDocument(routes: service.broker.router.routes)
            #expect(document.undescribed.map(\.name) == [])
            #expect(document.unanswered == [])
        }
    }

    @Test func theServedDescriptionIsConsistent() async throws {
        try await TestService.with { service in
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
    /// All strings that are members of this name, at any depth.
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
