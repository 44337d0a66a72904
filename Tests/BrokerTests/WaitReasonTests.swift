import DossierAPI
import HTTP
import JobQueue
import JSON
import SQLiteStore
import TestSupport
import Testing

@testable import Broker

/// The reasons to wait that no revision tells: they come and go with the workers.
@Suite(.serialized, .timeLimit(.minutes(10))) struct WaitReasonTests {
    private static func reason(_ answer: Answer) -> String? { answer["data"]?["blocked_by"]?["reason"]?.string }

    /// Registers a worker that cannot run some kinds.
    private static func register(_ service: TestService, without kinds: [String] = []) async throws {
        try await service.store.register(
            WorkerRegistration(
                id: WorkerID(rawValue: "partial"), host: "here", processID: 1, concurrency: 1,
                abilities: WorkerAbilities(
                    missing: Dictionary(kinds.map { ($0, "no key") }, uniquingKeysWith: { first, _ in first }))))
    }

    @Test func aReadyJobSaysThatNoWorkerIsAlive() async throws {
        try await TestService.with { service in
            let path = "/api/v1/jobs/\(try await service.submit())"
            let answer = try await service.ask(.get, path)
            #expect(Self.reason(answer) == "no_worker")
            #expect(answer["data"]?["blocked_by"]?["until"] == .null)
            let list = try await service.ask(.get, "/api/v1/jobs")
            #expect(list["data"]?[0]?["blocked_by"]?["reason"]?.string == "no_worker")
            let tag = try #require(answer.header("ETag"))
            #expect(try await service.ask(.get, path, headers: ["If-None-Match": tag]).status == 304)
        }
    }

    @Test func aKindThatNoWorkerCanRunWaitsForOne() async throws {
        try await TestService.with { service in
            try await Self.register(service, without: ["note"])
            for (kind, reason) in [("note", "no_worker"), ("solo", nil)] {
                let answer = try await service.ask(.post, "/api/v1/jobs", ["kind": JSON(kind), "input": [:]])
                let id = try #require(answer["data"]?["id"]?.string)
                #expect(Self.reason(try await service.ask(.get, "/api/v1/jobs/\(id)")) == reason, "\(kind)")
            }
        }
    }

    @Test func aCallerWhoseKindNoWorkerCanRunHearsSoAtOnceAndSubmitsNothing() async throws {
        try await TestService.with { service in
            try await Self.register(service, without: ["education"])
            let answer = try await service.ask(
                .post, "/api/v1/education/chat", ["question": "What is a margin of safety?"])
            #expect(answer.status == 503 && answer.header("Retry-After") == "30", "\(answer)")
            #expect(answer["error"]?["message"]?.string?.contains("'education': no key") == true, "\(answer)")
            #expect(try await service.ask(.get, "/api/v1/jobs")["data"] == [])
        }
    }

    @Test func aWaitingPollHearsOfAWorkerAlthoughTheRevisionStays() async throws {
        try await TestService.with { service in
            let path = "/api/v1/jobs/\(try await service.submit())"
            let before = try await service.ask(.get, path)
            let tag = try #require(before.header("ETag"))
            try await withThrowingTaskGroup(of: Answer.self) { group in
                group.addTask {
                    try await service.ask(.get, path + "?wait=60", headers: ["If-None-Match": tag])
                }
                #expect(await eventually { service.broker.held.count == 1 })
                try await Self.register(service)
                let after = try #require(try await group.next())
                #expect(after.status == 200 && after["data"]?["blocked_by"] == .null)
                #expect(after.header("ETag") != tag)
            }
        }
    }

    @Test func aStreamHearsOfAWorkerAlthoughTheRevisionStays() async throws {
        try await TestService.with { service in
            let id = try await service.submit()
            let stream = try await service.client.stream(
                HTTPRequest(.get, service.url + "/api/v1/jobs/\(id)/events", headers: ["Accept": "text/event-stream"]))
            var events = stream.events.makeAsyncIterator()
            let first = try #require(try await events.next())
            #expect(try JSON(parsing: first.data)["blocked_by"]?["reason"]?.string == "no_worker")
            try await Self.register(service)
            let second = try #require(try await events.next())
            #expect(try JSON(parsing: second.data)["blocked_by"] == .null)
            #expect(first.id != second.id)
        }
    }
}
