import Basics
import HTTP
import JobQueue
import SQLiteStore
import JSON
import Synchronization
import Testing

@testable import Broker

/// What the service failed and did not let in is logged without `--verbose`, and no flood of it fills the log.
@Suite(.serialized, .timeLimit(.minutes(10))) struct FailureLogTests {
    @Test func everyErrorOfTheServiceIsLogged() async throws {
        try await TestService.with { service in
            await service.store.close()
            let answer = try await service.ask(
                .get, "/api/v1/users/me", headers: ["X-Request-ID": "r-1", "X-User-ID": "unseen"])
            #expect(answer.status == 503)
            let line = try #require(service.log.lines("request failed").first)
            #expect(line["level"] == "error" && line["request_id"] == "r-1" && line["status"] == 503)
            #expect(line["code"] == "EXT_4003" && line["path"] == "/api/v1/users/me" && line["method"] == "GET")
        }
    }

    @Test func theLineOfACallerWhoseTimeIsOverNamesTheJob() async throws {
        try await TestService.with {
            $0.timeout = .milliseconds(200)
        } _: { service in
            let answer = try await service.ask(
                .post, "/api/v1/education/chat", ["question": "What is a margin of safety?"])
            #expect(answer.status == 504)
            let line = try #require(service.log.lines("request failed").first)
            let job = try await service.onlyJob()
            #expect(line["job"]?.string == job.description, "\(line)")
        }
    }

    @Test func aFailedSignInIsLoggedWithItsAddressAndWithoutItsSecrets() async throws {
        try await TestService.with {
            $0.authentication = .gateway(secret: Secret("s3cret-of-the-gateway"))
        } _: { service in
            _ = try await service.ask(
                .get, "/api/v1/credits", headers: ["X-Gateway-Secret": "guess-of-a-secret", "X-User-ID": "7"])
            _ = try await service.ask(
                .post, "/api/v1/jobs", ["kind": "note"], headers: ["Authorization": "Bearer header.claims.signature"])
            let lines = service.log.lines("sign-in failed")
            #expect(lines.count == 2)
            for line in lines {
                #expect(line["level"] == "warning" && line["address"] == "127.0.0.1")
                #expect(line["reason"]?.string?.isEmpty == false && line["code"]?.string?.hasPrefix("AUTH_") == true)
                #expect(!line.compact.contains("guess") && !line.compact.contains("signature"))
            }
            // What is no matter of signing in is not logged.
            _ = try await service.ask(.get, "/nowhere")
            #expect(service.log.all.count == 2)
        }
    }

    @Test func aFloodOfFailuresLeavesAFewLinesAndACount() async throws {
        try await TestService.with {
            $0.authentication = .gateway(secret: Secret("s3cret-of-the-gateway"))
        } _: { service in
            service.time.stop(at: 1_800_000_000_000)
            for _ in 0..<200 { _ = try await service.ask(.get, "/api/v1/credits") }
            #expect(service.log.lines("sign-in failed").count == FailureLog.linesPerMinute)
            #expect(service.log.lines("lines were left out").isEmpty)
            service.time.stop(at: 1_800_000_060_000)
            _ = try await service.ask(.get, "/api/v1/credits")
            #expect(service.log.lines("sign-in failed").count == FailureLog.linesPerMinute + 1)
            let count = try #require(service.log.lines("lines were left out").first)
            #expect(count["of"] == "sign-in failed" && count["count"] == 140)
        }
    }

    @Test func theCountComesWithoutAFurtherFailure() {
        let lines = LogLines()
        let time = Mutex<Int64>(0)
        let log = FailureLog(logger: lines.logger, now: { Timestamp(milliseconds: time.withLock { $0 }) })
        for _ in 0..<100 { log.recordRefusedConnection(from: "192.0.2.1") }
        log.flush()
        #expect(lines.lines("lines were left out").isEmpty, "the minute is not over")
        time.withLock { $0 = 60_000 }
        log.flush()
        log.flush()
        #expect(lines.lines("lines were left out").map { $0["count"] } == [40])
        #expect(lines.lines("connection refused").count == 60)
    }
}
