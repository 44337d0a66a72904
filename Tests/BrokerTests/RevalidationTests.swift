import HTTP
import JSON
import JobQueue
import Testing

/// Results that clients keep, and submits that they repeat.
@Suite(.serialized, .timeLimit(.minutes(10))) struct RevalidationTests {
    @Test func aFinishedResultAndReportAreAskedAboutAndNotSentAgain() async throws {
        try await TestService.with { service in
            let id = try await service.submit()
            let worker = try await FakeWorker(service)
            let lease = try await worker.claim(id)
            let paths = ["/api/v1/jobs/\(id)/result", "/api/v1/research/reports/\(id)"]
            for path in paths {
                let early = try await service.ask(.get, path)
                #expect(early.header("Cache-Control") == "no-store")
            }
            try await worker.complete(
                lease, with: ["report": ResearchTests.prose, "facts": [], "scorecard": ResearchTests.scorecard])
            for path in paths {
                let first = try await service.ask(.get, path)
                let tag = try #require(first.header("ETag"), "\(path)")
                #expect(first.status == 200 && first.header("Cache-Control") == "private, no-cache")
                for coding in ["gzip", "identity"] {
                    let again = try await service.ask(
                        .get, path, headers: ["If-None-Match": tag, "Accept-Encoding": coding])
                    #expect(again.status == 304 && again.header("ETag") == tag)
                    #expect(again.header("Cache-Control") == "private, no-cache")
                }
                let other = try await service.ask(.get, path, headers: ["If-None-Match": "\"other\""])
                #expect(other.status == 200)
            }
            // The tag tells nothing to somebody else.
            let tag = try #require(try await service.ask(.get, paths[0]).header("ETag"))
            let stranger = try await service.ask(.get, paths[0], headers: ["If-None-Match": tag, "X-User-ID": "2"])
            #expect(stranger.status == 404)
        }
    }

    @Test func aRepeatedSubmitSaysSoAndAnEqualOneDoesNot() async throws {
        try await TestService.with { service in
            let body: JSON = ["stock_id": "AAPL", "investor_persona": "ann"]
            func generate(_ key: String?) async throws -> Answer {
                try await service.ask(
                    .post, "/api/v1/research/generate", body,
                    headers: key.map { ["Idempotency-Key": $0] } ?? [:])
            }
            let first = try await generate("tap-1")
            #expect(first.status == 202 && first.header("Idempotent-Replayed") == nil)
            let again = try await generate("tap-1")
            #expect(again.status == 202 && again.header("Idempotent-Replayed") == "true")
            #expect(again["data"]?["report_id"] == first["data"]?["report_id"])
            for key in ["tap-2", nil] {
                let equal = try await generate(key)
                #expect(equal["data"]?["report_id"] == first["data"]?["report_id"], "joins the unfinished report")
                #expect(equal.header("Idempotent-Replayed") == nil)
            }
            let job: JSON = ["kind": "note", "input": [:]]
            for replayed in [nil, "true"] {
                let answer = try await service.ask(.post, "/api/v1/jobs", job, headers: ["Idempotency-Key": "job-1"])
                #expect(answer.status == 202 && answer.header("Idempotent-Replayed") == replayed)
            }
        }
    }
}
