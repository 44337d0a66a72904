import DossierAPI
import HTTP
import HTTPServer
import JobQueue
import JSON
import Synchronization
import TestSupport
import Testing

@testable import Broker

/// Event streams and waiting polls have limits, a lifetime, and none is held for a job that is not due.
@Suite(.serialized, .timeLimit(.minutes(10))) struct HeldRequestTests {
    /// A service with limits of streams and polls for each user.
    private static func with(
        streams: Int = 2, polls: Int = 2, all: Int = 8000, lifetime: Duration = .seconds(900),
        _ body: (TestService) async throws -> Void
    ) async throws {
        try await TestService.with {
            var plan = Plan()
            (plan.streams, plan.waitingPolls, plan.requestsPerMinute) = (streams, polls, 1_000_000)
            $0.plans = CurrentPlans(Plans(standard: plan))
            $0.heldRequests = all
            $0.streamLifetime = lifetime
        } _: { service in
            try await body(service)
        }
    }

    private static func stream(_ path: String, _ service: TestService, user: String = "1") async throws
        -> HTTPStreamingResponse
    {
        try await service.client.stream(
            HTTPRequest(.get, service.url + path, headers: ["X-User-ID": user, "Accept": "text/event-stream"]))
    }

    /// Submits a job that is not due within the hour.
    private static func submitForLater(_ service: TestService, seconds: Int64 = 3600) async throws -> JobID {
        let runAt = Timestamp(milliseconds: service.time.now) + .seconds(seconds)
        let answer = try await service.ask(
            .post, "/api/v1/jobs", ["kind": "note", "input": [:], "run_at": JSON(runAt.iso8601)])
        return try #require(answer["data"]?["id"]?.string.flatMap(JobID.init), "\(answer.text)")
    }

    @Test func aUserHasALimitOfStreamsThatOthersDoNotShare() async throws {
        try await Self.with { service in
            let id = try await service.submit()
            let other = try await service.submit(user: "2")
            let path = "/api/v1/jobs/\(id)/events"
            var open = try await [Self.stream(path, service), Self.stream("/api/v1/events?jobs=\(id)", service)]
            #expect(open.allSatisfy { $0.status == 200 })
            let refused = try await service.ask(.get, path)
            #expect(refused.status == 429 && refused.code == "BIZ_2007")
            #expect(refused["error"]?["details"] == ["what": "streams", "limit": 2])
            #expect(refused.header("Retry-After") == "15")
            let theirs = try await Self.stream("/api/v1/jobs/\(other)/events", service, user: "2")
            #expect(theirs.status == 200)
            // A client that leaves gives its place back.
            open.removeLast()
            #expect(await eventually { service.broker.held.count == 2 })
            let again = try await Self.stream(path, service)
            #expect(again.status == 200)
        }
    }

    @Test func thousandsOfStreamsOfOneUserLeaveTheOthersServed() async throws {
        try await Self.with(streams: 20) { service in
            let id = try await service.submit()
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                var statuses: [Int: Int] = [:]
                var open: [HTTPStreamingResponse] = []
                for _ in 0..<20 { open.append(try await Self.stream("/api/v1/jobs/\(id)/events", service)) }
                for _ in 0..<8 {
                    group.addTask {
                        var refused = 0
                        for _ in 0..<250 {
                            let answer = try await service.client.send(
                                HTTPRequest(.get, service.url + "/api/v1/jobs/\(id)/events"))
                            refused += answer.status == 429 ? 1 : 0
                        }
                        return refused
                    }
                }
                for try await refused in group { statuses[429, default: 0] += refused }
                #expect(open.count == 20 && service.broker.held.count == 20)
                return statuses
            }
            #expect(statuses == [429: 2000])
            let other = try await service.ask(.get, "/api/v1/credits", headers: ["X-User-ID": "2"])
            #expect(other.status == 200)
            #expect(await eventually { service.broker.held.count == 0 })
        }
    }

    @Test func allUsersTogetherHaveALimitToo() async throws {
        try await Self.with(all: 3) { service in
            var open: [HTTPStreamingResponse] = []
            for user in ["1", "2", "3"] {
                let id = try await service.submit(user: user)
                open.append(try await Self.stream("/api/v1/jobs/\(id)/events", service, user: user))
            }
            #expect(open.allSatisfy { $0.status == 200 })
            let id = try await service.submit(user: "4")
            let refused = try await service.ask(.get, "/api/v1/jobs/\(id)/events", headers: ["X-User-ID": "4"])
            #expect(refused.status == 503 && refused.code == "SYS_5002" && refused.header("Retry-After") == "60")
            let poll = try await service.ask(.get, "/api/v1/jobs/\(id)?wait=9", headers: ["X-User-ID": "4"])
            #expect(poll.status == 503)
            let plain = try await service.ask(.get, "/api/v1/jobs/\(id)", headers: ["X-User-ID": "4"])
            #expect(plain.status == 200)
            #expect(open.count == 3)
        }
    }

    @Test func aUserHasALimitOfWaitingPolls() async throws {
        try await Self.with { service in
            let id = try await service.submit()
            let path = "/api/v1/jobs/\(id)?wait=60"
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<2 { group.addTask { try await service.ask(.get, path).status } }
                #expect(await eventually { service.broker.held.count == 2 })
                let refused = try await service.ask(.get, path)
                #expect(refused.status == 429 && refused.code == "BIZ_2007" && refused.header("Retry-After") == "15")
                #expect(refused["error"]?["details"] == ["what": "waiting_polls", "limit": 2])
                // A poll that does not wait takes no place, and streams have places of their own.
                #expect(try await service.ask(.get, "/api/v1/jobs/\(id)").status == 200)
                let stream = try await Self.stream("/api/v1/jobs/\(id)/events", service)
                #expect(stream.status == 200)
                _ = try await service.ask(.post, "/api/v1/jobs/\(id)/cancel")
                for try await status in group { #expect(status == 200) }
            }
            #expect(await eventually { service.broker.held.count == 0 })
        }
    }

    @Test func aPollerThatLeavesGivesItsPlaceBack() async throws {
        try await Self.with { service in
            let id = try await service.submit()
            let poll = Task {
                try await service.client.send(HTTPRequest(.get, service.url + "/api/v1/jobs/\(id)?wait=60"))
            }
            #expect(await eventually { service.broker.held.count == 1 })
            poll.cancel()
            _ = try? await poll.value
            #expect(await eventually { service.broker.held.count == 0 })
        }
    }

    @Test func withoutALimitOfRequestsStreamsHaveNone() async throws {
        try await TestService.with { service in
            let id = try await service.submit()
            var open: [HTTPStreamingResponse] = []
            for _ in 0..<25 { open.append(try await Self.stream("/api/v1/jobs/\(id)/events", service)) }
            #expect(open.allSatisfy { $0.status == 200 })
        }
    }

    // MARK: Lifetime

    @Test func aStreamEndsAfterItsLifetimeAndItsSuccessorMissesNothing() async throws {
        try await Self.with(lifetime: .milliseconds(50)) { service in
            let worker = try await FakeWorker(service)
            let id = try await service.submit()
            var seen: [String] = []
            var lastEventID: String?
            var lease: Lease?
            var streams = 0
            while !seen.contains("completed 100") {
                streams += 1
                var headers: HTTPHeaders = [:]
                headers["Last-Event-ID"] = lastEventID
                let response = try await service.client.stream(
                    HTTPRequest(.get, service.url + "/api/v1/jobs/\(id)/events", headers: headers))
                #expect(response.status == 200)
                for try await event in response.events {
                    lastEventID = event.id ?? lastEventID
                    let job = try JSON(parsing: event.data)
                    seen.append("\(job["status"]?.string ?? "") \(job["progress"]?.integer ?? -1)")
                }
                // The job changes while no stream is open.
                switch streams {
                case 1: lease = try await worker.claim(id)
                case 2: try await worker.report(try #require(lease), 40)
                case 4: try await worker.complete(try #require(lease))
                default: break
                }
            }
            #expect(seen == ["pending 0", "processing 0", "processing 40", "completed 100"])
            #expect(await eventually { service.broker.held.count == 0 })
        }
    }

    // MARK: Jobs that are not due

    @Test func aStreamOfAJobThatIsNotDueEndsWithItsState() async throws {
        try await Self.with { service in
            let id = try await Self.submitForLater(service)
            for path in ["/api/v1/jobs/\(id)/events", "/api/v1/events?jobs=\(id)"] {
                let text = try await service.client.send(HTTPRequest(.get, service.url + path)).text
                #expect(text.hasPrefix("retry: 60000\n\n"), "\(text)")
                #expect(text.contains("event: progress\n") && text.contains("\"reason\":\"run_at\""))
            }
            let events = try await Self.stream("/api/v1/jobs/\(id)/events", service).events
            var iterator = events.makeAsyncIterator()
            let first = try await iterator.next()
            let state = try #require(first)
            #expect(try await iterator.next() == nil)
            // A client that has seen it gets the pause alone.
            let again = try await service.client.send(
                HTTPRequest(
                    .get, service.url + "/api/v1/jobs/\(id)/events", headers: ["Last-Event-ID": state.id ?? ""]))
            #expect(again.text == "retry: 60000\n\n")
            #expect(service.broker.held.count == 0)
        }
    }

    @Test func aStreamIsHeldWhileOneOfItsJobsIsDue() async throws {
        try await Self.with { service in
            let later = try await Self.submitForLater(service)
            let id = try await service.submit()
            let stream = try await Self.stream("/api/v1/events?jobs=\(later),\(id)", service)
            #expect(service.broker.held.count == 1)
            _ = try await service.ask(.post, "/api/v1/jobs/\(later)/cancel")
            _ = try await service.ask(.post, "/api/v1/jobs/\(id)/cancel")
            var last: [String] = []
            for try await event in stream.events { if event.event == "cancelled" { last.append(event.event) } }
            #expect(last.count == 2)
        }
    }

    @Test func aPollOfAJobThatIsNotDueDoesNotWait() async throws {
        try await Self.with { service in
            let id = try await Self.submitForLater(service)
            let start = ContinuousClock.now
            let answer = try await service.ask(.get, "/api/v1/jobs/\(id)?wait=60")
            #expect(answer.status == 200 && answer["data"]?["status"] == "pending")
            #expect(answer.header("Retry-After") == "60")
            #expect(ContinuousClock.now - start < .seconds(50))
        }
    }
}

@Suite struct HeldRequestCountTests {
    private static func held(streams: Int?, all: Int) -> HeldRequests {
        var plan = Plan()
        plan.streams = streams
        return HeldRequests(plans: CurrentPlans(Plans(standard: plan)), limit: all)
    }

    @Test func aPlaceIsGivenBackOnceHoweverOftenItIsReleased() throws {
        let held = Self.held(streams: 2, all: 10)
        let first = try held.take(.streams, for: UserID(rawValue: 1), lasting: .seconds(9))
        let second = try held.take(.streams, for: UserID(rawValue: 1), lasting: .seconds(9))
        first.release()
        first.release()
        #expect(held.count == 1)
        second.release()
        #expect(held.count == 0)
    }

    @Test func aForgottenPlaceIsGivenBack() throws {
        let held = Self.held(streams: 1, all: 10)
        for _ in 0..<3 { _ = try held.take(.streams, for: UserID(rawValue: 1), lasting: .seconds(9)) }
        #expect(held.count == 0)
    }

    @Test func aFullServiceSaysWhenItsNextPlaceIsGivenBack() throws {
        let start = ContinuousClock.now
        let passed = Mutex(Duration.zero)
        let held = HeldRequests(plans: CurrentPlans(Plans(standard: Plan())), limit: 2) {
            start + passed.withLock { $0 }
        }
        func refusal() -> Int? {
            do {
                _ = try held.take(.callers, for: UserID(rawValue: 9), lasting: .seconds(5))
                return nil
            } catch {
                return error.retryAfter
            }
        }
        let stream = try held.take(.streams, for: UserID(rawValue: 1), lasting: .seconds(900))
        var poll: HeldRequests.Place? = try held.take(.waitingPolls, for: UserID(rawValue: 2), lasting: .seconds(40))
        #expect(refusal() == 40)
        passed.withLock { $0 = .seconds(33) }
        #expect(refusal() == 7)
        passed.withLock { $0 = .seconds(41) }
        #expect(refusal() == 1, "the poll is late")
        poll?.release()
        #expect(refusal() == nil)
        poll = try held.take(.streams, for: UserID(rawValue: 2), lasting: .seconds(900))
        #expect(refusal() == 60, "clients leave before the end of their streams")
        stream.release()
        poll?.release()
        #expect(held.count == 0)
    }
}
