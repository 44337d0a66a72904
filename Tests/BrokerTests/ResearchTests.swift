import DossierAPI
import HTTP
import JSON
import JobQueue
import Testing

@Suite(.serialized, .timeLimit(.minutes(10))) struct ResearchTests {
    private static let prose: JSON = [
        "company": ["name": "Apple Inc.", "ticker": "AAPL", "cik": 320_193, "industry": nil],
        "persona": ["id": "ann", "name": "Ann"], "verdict": "abstains", "score": nil, "confidence": 10,
        "summary": "Calm.", "thesis": "Calm.", "strengths": [["title": "T", "detail": "D"]], "risks": [],
        "valuation": "None.", "what_would_change_the_view": [["text": "More years."]], "gaps": ["No price."],
        "sources": [["form": "10-K", "accession_number": "0000320193-25-000079", "filed": "2025-10-31", "url": nil]],
    ]
    private static let scorecard: JSON = [
        "verdict": "abstains", "score": nil, "confidence": 10, "remarks": [], "items": [], "walk_aways": [],
    ]

    private static func generate(
        _ service: TestService, _ body: JSON = ["stock_id": "AAPL", "investor_persona": "ann"],
        headers: HTTPHeaders = [:]
    ) async throws -> ReportSubmitted {
        let answer = try await service.ask(.post, "/api/v1/research/generate", body, headers: headers)
        try #require(answer.status == 202, "\(answer.text)")
        let report = try answer.decoded(as: ReportSubmitted.self)
        #expect(answer.header("Location") == "/api/v1/research/reports/\(report.reportID)")
        return report
    }

    private static func status(_ id: String, _ service: TestService) async throws -> ReportStatus {
        try await service.ask(.get, "/api/v1/research/reports/\(id)/status").decoded(as: ReportStatus.self)
    }

    @Test func aReportIsAJobWithAPollURL() async throws {
        try await TestService.with { service in
            let report = try await Self.generate(service)
            #expect(report.status == "pending" && report.estimatedSeconds == 30)
            #expect(report.pollURL == "/api/v1/research/reports/\(report.reportID)/status")
            let id = try #require(JobID(report.reportID))
            let worker = try await FakeWorker(service)
            let lease = try await worker.claim(id)
            try await worker.report(lease, 30, "Working through the checklist")
            let running = try await service.ask(.get, report.pollURL).decoded(as: ReportStatus.self)
            #expect(running.status == "processing" && running.progress == 30)
            #expect(running.currentStep == "Working through the checklist" && running.completedAt == nil)
            try await worker.complete(lease, with: ["report": Self.prose, "facts": [], "scorecard": Self.scorecard])
            let done = try await Self.status(report.reportID, service)
            #expect(done.status == "completed" && done.progress == 100 && done.errorMessage == nil)
            #expect(done.completedAt != nil)
            let whole = try await service.ask(.get, "/api/v1/research/reports/\(report.reportID)")
            #expect(whole["data"]?["report"] == Self.prose)
            #expect(whole["data"]?["ticker"] == "AAPL" && whole["data"]?["investor_persona"] == "ann")
            #expect(whole["data"]?["report_id"]?.string == report.reportID)
            #expect(whole["data"]?["status"] == "completed")
        }
    }

    @Test func anEqualUnfinishedRequestReturnsTheSameReport() async throws {
        try await TestService.with { service in
            let first = try await Self.generate(service)
            let lower = try await Self.generate(service, ["ticker": "aapl", "investor_persona": "ann"])
            let both = try await Self.generate(
                service, ["stock_id": "AAPL", "ticker": "MSFT", "investor_persona": "ann"])
            #expect(lower.reportID == first.reportID && both.reportID == first.reportID)
            let bob = try await Self.generate(service, ["stock_id": "AAPL", "investor_persona": "bob"])
            let other = try await Self.generate(service, headers: ["X-User-ID": "2"])
            #expect(Set([first, bob, other].map(\.reportID)).count == 3)
            #expect(try await service.credits() == "10 granted, 8 left, 2 held, 0 used")
            try await FakeWorker(service).finish(try #require(JobID(first.reportID)))
            #expect(try await Self.generate(service).reportID != first.reportID, "a finished report is not joined")
        }
    }

    @Test func aRepeatedKeyReturnsTheSameReportEvenAfterItsEnd() async throws {
        try await TestService.with { service in
            let first = try await Self.generate(service, headers: ["Idempotency-Key": "k"])
            try await FakeWorker(service).finish(try #require(JobID(first.reportID)))
            let again = try await Self.generate(service, headers: ["Idempotency-Key": "k"])
            #expect(again.reportID == first.reportID && again.status == "completed")
            #expect(try await service.credits() == "10 granted, 9 left, 0 held, 1 used")
        }
    }

    @Test func aCancelledReportHasTheStatusFailed() async throws {
        try await TestService.with { service in
            let id = try await Self.generate(service).reportID
            _ = try await service.ask(.post, "/api/v1/jobs/\(id)/cancel")
            let status = try await Self.status(id, service)
            #expect(status.status == "failed" && status.errorMessage?.contains("cancelled") == true)
            let list = try await service.ask(.get, "/api/v1/research/reports")
            #expect(list["data"]?[0]?["status"] == "failed")
            let whole = try await service.ask(.get, "/api/v1/research/reports/\(id)")
            #expect(whole["data"]?["status"] == "failed" && whole["data"]?["report"] == nil)
        }
    }

    @Test func aFailedReportHasAMessageForTheUser() async throws {
        try await TestService.with { service in
            let id = try await Self.generate(service).reportID
            let worker = try await FakeWorker(service)
            try await worker.fail(worker.claim(try #require(JobID(id))))
            let status = try await Self.status(id, service)
            #expect(status.status == "failed" && status.errorMessage == FakeWorker.error.userMessage)
            #expect(try await service.credits() == "10 granted, 10 left, 0 held, 0 used")
        }
    }

    @Test func aJobOfAnotherKindIsNotAReport() async throws {
        try await TestService.with { service in
            let note = try await service.submit("note", input: [:])
            for path in ["/api/v1/research/reports/\(note)", "/api/v1/research/reports/\(note)/status"] {
                let answer = try await service.ask(.get, path)
                #expect(answer.status == 404 && answer.code == "BIZ_2005")
            }
            let id = try await Self.generate(service).reportID
            let list = try await service.ask(.get, "/api/v1/research/reports?per_page=5")
            #expect(list["data"]?.array?.map { $0["report_id"]?.string } == [id])
            #expect(list["pagination"]?["total_items"] == 1)
        }
    }
}
