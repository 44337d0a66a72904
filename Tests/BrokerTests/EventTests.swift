import DossierAPI
import Foundation
import HTTP
import JSON
import JobQueue
import Testing

@Suite(.serialized, .timeLimit(.minutes(10))) struct EventTests {
    @Test func aStreamSendsEveryStateAndEndsWithTheJob() async throws {
        try await TestService.with { service in
            let id = try await service.submit()
            let worker = try await FakeWorker(service)
            var events = try await Self.open("/api/v1/jobs/\(id)/events", service)
            try await Self.expect(&events, "progress", ["status": "pending", "progress": 0])
            let lease = try await worker.claim(id)
            try await Self.expect(&events, "progress", ["status": "processing", "progress": 0])
            try await worker.report(lease, 40)
            try await Self.expect(&events, "progress", ["progress": 40, "current_step": "Writing"])
            try await worker.complete(lease)
            try await Self.expect(&events, "completed", ["status": "completed", "progress": 100])
            #expect(try await events.next() == nil)
        }
    }

    @Test func anOperatorFollowsTheJobsOfAnyUsersAndAnotherUserDoesNot() async throws {
        try await TestService.with { service in
            let (first, second) = (try await service.submit(user: "7"), try await service.submit(user: "8"))
            let path = "/events?jobs=\(first),\(second)"
            var events = try await Self.open("/api/v1/admin" + path, service)
            try await Self.expect(&events, "progress", ["id": JSON(first.description), "status": "pending"])
            try await Self.expect(&events, "progress", ["id": JSON(second.description), "status": "pending"])
            for (id, user) in [(first, "7"), (second, "8")] {
                _ = try await service.ask(.post, "/api/v1/jobs/\(id)/cancel", headers: ["X-User-ID": user])
                try await Self.expect(&events, "cancelled", ["id": JSON(id.description), "status": "cancelled"])
            }
            #expect(try await events.next() == nil)
            let own = try await service.ask(.get, "/api/v1" + path, headers: ["X-User-ID": "7"])
            #expect(own.status == 404)
            let none = try await service.ask(.get, "/api/v1/admin/events?jobs=x")
            #expect(none.status == 422 && none.field == "jobs")
        }
    }

    @Test func failuresAndCancellationsHaveTheirOwnEvents() async throws {
        try await TestService.with { service in
            let worker = try await FakeWorker(service)
            let failing = try await service.submit()
            try await worker.fail(worker.claim(failing))
            var events = try await Self.open("/api/v1/jobs/\(failing)/events", service)
            try await Self.expect(&events, "failed", ["status": "failed"])
            #expect(try await events.next() == nil)

            let cancelled = try await service.submit()
            events = try await Self.open("/api/v1/jobs/\(cancelled)/events", service)
            try await Self.expect(&events, "progress", ["status": "pending"])
            _ = try await service.ask(.post, "/api/v1/jobs/\(cancelled)/cancel")
            try await Self.expect(&events, "cancelled", ["status": "cancelled"])
            #expect(try await events.next() == nil)
        }
    }

    @Test func aClientThatReconnectsGetsOnlyLaterChanges() async throws {
        try await TestService.with { service in
            let id = try await service.submit()
            let path = "/api/v1/jobs/\(id)/events"
            let worker = try await FakeWorker(service)
            var first = try await Self.open(path, service)
            let seen = try #require(try await first.next()?.id)
            // Nothing has changed: the next event is the next change.
            var second = try await Self.open(path, service, lastEventID: seen)
            let lease = try await worker.claim(id)
            let claimed = try await Self.expect(&second, "progress", ["status": "processing"])
            // Missed changes come at once, as the latest state.
            try await worker.report(lease, 10)
            try await worker.report(lease, 70)
            var third = try await Self.open(path, service, lastEventID: claimed.id ?? "")
            try await Self.expect(&third, "progress", ["progress": 70])
            try await worker.complete(lease)
            let last = try await Self.expect(&third, "completed", [:])
            // No event is left.
            var fourth = try await Self.open(path, service, lastEventID: last.id ?? "")
            #expect(try await fourth.next() == nil)
            for nonsense in ["x", "\(id)", "\(id):x", ":::,,,", "\(id):-1"] {
                var stream = try await Self.open(path, service, lastEventID: nonsense)
                try await Self.expect(&stream, "completed", [:])
            }
        }
    }

    @Test func oneStreamCoversSeveralJobsUntilTheLastHasEnded() async throws {
        try await TestService.with { service in
            let worker = try await FakeWorker(service)
            let first = try await service.submit()
            let second = try await service.submit()
            var events = try await Self.open("/api/v1/events?jobs=\(first),\(second),\(first)", service)
            try await Self.expect(&events, "progress", ["id": JSON(min(first, second).description)])
            try await Self.expect(&events, "progress", ["id": JSON(max(first, second).description)])
            _ = try await service.ask(.post, "/api/v1/jobs/\(first)/cancel")
            let cancelled = try await Self.expect(&events, "cancelled", ["id": JSON(first.description)])
            let lease = try await worker.claim(second)
            try await Self.expect(&events, "progress", ["id": JSON(second.description), "status": "processing"])
            try await worker.complete(lease)
            try await Self.expect(&events, "completed", ["id": JSON(second.description)])
            #expect(try await events.next() == nil)

            var again = try await Self.open(
                "/api/v1/events?jobs=\(first),\(second)", service, lastEventID: cancelled.id ?? "")
            try await Self.expect(&again, "completed", ["id": JSON(second.description)])
            #expect(try await again.next() == nil)
        }
    }

    @Test func aStreamOfTheMostJobsCanBeReopened() async throws {
        try await TestService.with { service in
            var ids: [JobID] = []
            for _ in 0..<50 { ids.append(try await service.submit("note", input: [:])) }
            let path = "/api/v1/events?jobs=" + ids.map(\.description).joined(separator: ",")
            var events = try await Self.open(path, service)
            var last: ServerSentEvent?
            for _ in ids { last = try await events.next() }
            _ = try await service.ask(.post, "/api/v1/jobs/\(ids[7])/cancel")
            // With the further headers of a browser.
            let browser: HTTPHeaders = [
                "User-Agent": String(repeating: "Mozilla/5.0 ", count: 15), "Accept-Language": "en-GB,en;q=0.5",
                "Accept-Encoding": "gzip, deflate, br, zstd", "Referer": service.url + "/console",
                "Cookie": String(repeating: "c", count: 200), "Sec-Fetch-Mode": "cors", "Sec-Fetch-Site": "same-origin",
            ]
            var again = try await Self.open(path, service, lastEventID: last?.id ?? "", headers: browser)
            try await Self.expect(&again, "cancelled", ["id": JSON(ids[7].description)])
        }
    }

    @Test func aStreamOfAnUnknownJobIs404BeforeItBegins() async throws {
        try await TestService.with { service in
            let known = try await service.submit()
            let unknown = "01a1fdbc-a70f-7b97-b80d-3ae07a36bd68"
            for path in ["/api/v1/jobs/\(unknown)/events", "/api/v1/events?jobs=\(known),\(unknown)"] {
                let answer = try await service.ask(.get, path)
                #expect(answer.status == 404 && answer.code == "BIZ_2005")
                #expect(answer["error"]?["details"]?["job_id"]?.string == unknown)
            }
        }
    }

    // MARK: Reading

    private typealias Events = ServerSentEvents.AsyncIterator

    private static func open(
        _ path: String, _ service: TestService, lastEventID: String? = nil, headers: HTTPHeaders = [:]
    ) async throws -> Events {
        var headers = headers
        headers["Accept"] = "text/event-stream"
        headers["Last-Event-ID"] = lastEventID
        let response = try await service.client.stream(HTTPRequest(.get, service.url + path, headers: headers))
        #expect(response.status == 200)
        #expect(response.headers["Content-Type"] == "text/event-stream")
        #expect(response.headers["X-API-Version"] == "1.0")
        #expect(response.headers["X-Request-ID"]?.isEmpty == false)
        #expect(response.headers["Cache-Control"] == "no-store")
        return response.events.makeAsyncIterator()
    }

    /// The next event, which must have this type and these members and decode as a job.
    @discardableResult
    private static func expect(
        _ events: inout Events, _ type: String, _ members: JSONObject,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> ServerSentEvent {
        let event = try #require(try await events.next(), "the stream has ended", sourceLocation: sourceLocation)
        #expect(event.event == type, "\(event.data)", sourceLocation: sourceLocation)
        _ = try JSONDecoder().decode(JobResource.self, from: Data(event.data.utf8))
        let job = try JSON(parsing: event.data)
        for (name, value) in members {
            #expect(job[name] == value, "\(event.data)", sourceLocation: sourceLocation)
        }
        return event
    }
}
