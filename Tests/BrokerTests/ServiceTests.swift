import JobQueue
import SQLiteStore
import Broker
import DossierAPI
import HTTP
import JSON
import Testing

/// What is not about jobs.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ServiceTests {
    @Test func thePersonasOfTheBundleAreListed() async throws {
        try await Service.with { service in
            let personas = try await service.ask(.get, "/api/v1/personas").decoded(as: [PersonaResource].self)
            #expect(personas.map(\.id) == ["ann", "bob"])
            #expect(personas.first?.name == "Ann" && personas.first?.version == 3)
        }
    }

    @Test func creditsFollowTheJobs() async throws {
        try await Service.with {
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

    @Test func aBrokerIsReadyOnlyWithAWorker() async throws {
        try await Service.with { service in
            #expect(try await service.ask(.get, "/health")["data"] == ["status": "ok"])
            let alone = try await service.ask(.get, "/ready")
            #expect(alone.status == 503 && alone.code == "SYS_5002", "\(alone.text)")
            let worker = try await FakeWorker(service)
            let ready = try await service.ask(.get, "/ready")
            #expect(ready.status == 200 && ready["data"]?["status"] == "ready")
            try await worker.store.deregister(worker.id)
            #expect(try await service.ask(.get, "/ready").status == 503)
        }
    }

    @Test func withoutADatabaseAnswersAre503AndHealthStays() async throws {
        try await Service.with { service in
            let id = try await service.submit()
            await service.store.close()
            let requests: [(HTTPMethod, String, JSON?)] = [
                (.get, "/ready", nil), (.get, "/api/v1/credits", nil), (.get, "/api/v1/users/me", nil),
                (.get, "/api/v1/jobs", nil), (.get, "/api/v1/jobs/\(id)", nil),
                (.get, "/api/v1/jobs/\(id)?wait=1", nil),
                (.get, "/api/v1/jobs/\(id)/result", nil), (.get, "/api/v1/jobs/\(id)/events", nil),
                (.post, "/api/v1/jobs/\(id)/cancel", nil), (.post, "/api/v1/jobs/\(id)/retry", nil),
                (.post, "/api/v1/jobs", ["kind": "research", "input": Service.order]),
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
        }
    }
}
