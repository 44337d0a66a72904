import DossierAPI
import HTTP
import JSON
import JobQueue
import SQLiteStore
import Testing

@testable import Broker

@Suite(.serialized, .timeLimit(.minutes(10))) struct ResearchTests {
    static let prose: JSON = [
        "company": ["name": "Apple Inc.", "ticker": "AAPL", "cik": 320_193, "industry": nil],
        "persona": ["id": "ann", "name": "Ann"], "verdict": "abstains", "score": nil, "confidence": 10,
        "summary": "Calm.", "thesis": "Calm.", "strengths": [["title": "T", "detail": "D"]], "risks": [],
        "valuation": "None.", "what_would_change_the_view": [["text": "More years."]], "gaps": ["No price."],
        "sources": [["form": "10-K", "accession_number": "0000320193-25-000079", "filed": "2025-10-31", "url": nil]],
    ]
    static let scorecard: JSON = [
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

    @Test func aReportThatWaitsInTheMidstOfItsWorkIsProcessing() async throws {
        try await TestService.with { service in
            let report = try await Self.generate(service)
            let path = "/api/v1/research/reports/\(report.reportID)/status"
            #expect(try await service.ask(.get, path)["data"]?["status"] == "pending")
            let worker = try await FakeWorker(service)
            let lease = try await worker.claim(try #require(JobID(report.reportID)))
            try await worker.report(lease, 10, "Reading the figures")
            try await service.store.snooze([lease], after: .seconds(2), waitingFor: nil)
            let status = try await service.ask(.get, path)
            #expect(status["data"]?["status"] == "processing" && status["data"]?["progress"] == 10)
            #expect(status["data"]?["current_step"] == "Reading the figures")
            #expect(try await service.ask(.get, "/api/v1/jobs/\(report.reportID)")["data"]?["status"] == "pending")
        }
    }

    @Test func aReportIsExpectedToTakeWhatReportsTook() async throws {
        try await TestService.with { service in
            let worker = try await FakeWorker(service)
            for ticker in ["AAPL", "MSFT", "KO"] {
                let report = try await Self.generate(service, ["stock_id": JSON(ticker), "investor_persona": "ann"])
                #expect(report.estimatedSeconds == 30)
                let lease = try await worker.claim(try #require(JobID(report.reportID)))
                try await worker.complete(
                    lease, with: ["report": Self.prose, "facts": [], "scorecard": Self.scorecard])
            }
            // The fake worker takes no time, which is told as a second. The times are read again after a minute.
            service.time.stop(at: service.time.now + 61_000)
            #expect(try await Self.generate(service).estimatedSeconds == 1)
        }
    }

    @Test func theUsualTimeIsTheMedianOfThreeJobsOrMore() {
        let times = [("research", 9), ("research", 40), ("chat", 2), ("research", 12), ("chat", 3)]
        let medians = UsualTimes.medians(of: times.map { JobTime(kind: $0.0, duration: .seconds($0.1)) })
        #expect(medians == ["research": .seconds(12)])
    }

    @Test func anEqualUnfinishedRequestReturnsTheSameReport() async throws {
        try await TestService.with { service in
            let first = try await Self.generate(service)
            let lower = try await Self.generate(service, ["ticker": "aapl", "investor_persona": "ann"])
            let both = try await Self.generate(
                service, ["stock_id": "AAPL", "ticker": "aapl", "investor_persona": "ann"])
            #expect(lower.reportID == first.reportID && both.reportID == first.reportID)
            let bob = try await Self.generate(service, ["stock_id": "AAPL", "investor_persona": "bob"])
            let other = try await Self.generate(service, headers: ["X-User-ID": "2"])
            #expect(Set([first, bob, other].map(\.reportID)).count == 3)
            #expect(try await service.credits() == "10 granted, 8 left, 2 held, 0 used")
            try await FakeWorker(service).finish(try #require(JobID(first.reportID)))
            #expect(try await Self.generate(service).reportID != first.reportID, "a finished report is not joined")
        }
    }

    @Test func aStockIDWithAnotherTickerIsRefused() async throws {
        try await TestService.with { service in
            let answer = try await service.ask(
                .post, "/api/v1/research/generate",
                ["stock_id": "AAPL", "ticker": "MSFT", "investor_persona": "ann"])
            #expect(answer.status == 422 && answer["error"]?["details"]?["field"] == "ticker")
            #expect(try await service.credits() == "10 granted, 10 left, 0 held, 0 used")
        }
    }

    @Test func aCryptoAssetHasNoReport() async throws {
        try await TestService.with { service in
            let answer = try await service.ask(
                .post, "/api/v1/research/generate", ["stock_id": "btc", "investor_persona": "ann"])
            #expect(answer.status == 422 && answer["error"]?["code"] == "VAL_3002")
            #expect(answer["error"]?["message"]?.string?.contains("Bitcoin, which files no reports") == true)
            #expect(try await service.credits() == "10 granted, 10 left, 0 held, 0 used")
        }
    }

    @Test(arguments: ["BTC", "voo", "SPY"]) func whatFilesNoReportsIsRefusedBeforeACreditIsHeld(ticker: String)
        async throws
    {
        try await TestService.with { service in
            let job = try await service.ask(
                .post, "/api/v1/jobs", ["kind": "research", "input": ["ticker": JSON(ticker), "persona": "ann"]])
            #expect(job.status == 422 && job["error"]?["code"] == "VAL_3002")
            #expect(job["error"]?["message"]?.string?.contains("input.ticker") == true)
            #expect(job["error"]?["message"]?.string?.contains("files no reports") == true)
            let report = try await service.ask(
                .post, "/api/v1/research/generate", ["ticker": JSON(ticker), "investor_persona": "ann"])
            #expect(report.status == 422 && report["error"]?["message"]?.string?.contains("files no reports") == true)
            #expect(try await service.credits() == "10 granted, 10 left, 0 held, 0 used")
        }
    }

    @Test func aTickerThatNoCompanyHasIsRefusedBeforeACreditIsHeld() async throws {
        try await TestStockService.with { stocks in
            let service = stocks.service
            let answer = try await service.ask(
                .post, "/api/v1/research/generate", ["ticker": "QQQQQ", "investor_persona": "ann"])
            #expect(answer.status == 404 && answer["error"]?["code"] == "BIZ_2004")
            let inputs: [(kind: JSON, input: JSON, field: JSON)] = [
                ("research", ["ticker": "QQQQQ", "persona": "ann"], "input.ticker"),
                ("comparison", ["tickers": ["AAPL", "QQQQQ"], "personas": ["ann"]], "input.tickers[1]"),
            ]
            for (kind, input, field) in inputs {
                let job = try await service.ask(.post, "/api/v1/jobs", ["kind": kind, "input": input])
                #expect(job.status == 404 && job["error"]?["code"] == "BIZ_2004", "\(job.text)")
                #expect(job["error"]?["details"]?["field"] == field)
            }
            #expect(try await service.credits() == "10 granted, 10 left, 0 held, 0 used")
            let known = try await service.ask(
                .post, "/api/v1/research/generate", ["ticker": "AAPL", "investor_persona": "ann"])
            #expect(known.status == 202)
        }
    }

    @Test func aStatusShowsEachStepAndTheOneThatFailed() async throws {
        try await TestService.with { service in
            let report = try await Self.generate(service)
            let worker = try await FakeWorker(service)
            let lease = try await worker.claim(try #require(JobID(report.reportID)))
            func steps() async throws -> [String] {
                let status = try await service.ask(.get, report.pollURL)
                return status["data"]?["steps"]?.array?.map {
                    "\($0["progress"]?.integer ?? -1) \($0["state"]?.string ?? "")"
                } ?? []
            }
            #expect(try await steps() == ["100 running"])
            try await worker.complete(lease, with: ["report": Self.prose, "facts": [], "scorecard": Self.scorecard])
            #expect(try await steps().allSatisfy { $0.hasSuffix("done") })
            let other = try await Self.generate(service)
            let failing = try await worker.claim(try #require(JobID(other.reportID)))
            try await worker.fail(failing)
            let status = try await service.ask(.get, other.pollURL)
            #expect(status["data"]?["steps"]?[0]?["state"] == "failed")
        }
    }

    @Test func changesNameEachFigureThatDiffers() async throws {
        try await TestService.with { service in
            func fact(_ id: String, _ value: Int, _ accession: String) -> JSON {
                [
                    "id": JSON(id), "label": "Revenue", "concept": "revenue", "value": JSON(value), "unit": "USD",
                    "form": "10-K", "accession_number": JSON(accession), "filing_date": "2025-10-31",
                    "period": ["label": "FY2025"],
                ]
            }
            func finished(_ facts: [JSON], score: Int) async throws -> String {
                let report = try await Self.generate(service)
                let worker = try await FakeWorker(service)
                let lease = try await worker.claim(try #require(JobID(report.reportID)))
                var prose = Self.prose
                prose["score"] = JSON(score)
                try await worker.complete(
                    lease, with: ["report": prose, "facts": .array(facts), "scorecard": Self.scorecard])
                return report.reportID
            }
            let old = try await finished([fact("revenue.FY2024", 1, "a"), fact("debt.FY2024", 5, "a")], score: 60)
            let new = try await finished([fact("revenue.FY2024", 2, "b"), fact("revenue.FY2025", 3, "b")], score: 70)
            let answer = try await service.ask(.get, "/api/v1/research/reports/\(new)/changes?since=\(old)")
            let data = try #require(answer["data"])
            #expect(data["changed"]?[0]?["value"] == 2 && data["changed"]?[0]?["before"]?["value"] == 1)
            #expect(data["added"]?.array?.map { $0["id"] } == ["revenue.FY2025"])
            #expect(data["removed"]?.array?.map { $0["id"] } == ["debt.FY2024"])
            #expect(data["score"] == ["before": 60, "now": 70, "changed": true])
            let strange = try await service.ask(
                .get, "/api/v1/research/reports/\(new)/changes?since=\(old)", headers: ["X-User-ID": "2"])
            #expect(strange.status == 404)
            let missing = try await service.ask(.get, "/api/v1/research/reports/\(new)/changes")
            #expect(missing.status == 422 && missing["error"]?["details"]?["field"] == "since")
        }
    }

    @Test func anUnknownQueryParameterIsRefusedByNameEverywhere() async throws {
        try await TestService.with { service in
            for (path, status) in [
                ("/api/v1/news/top-headlines?country=de", 422), ("/api/v1/research/reports?status=completed", 422),
                ("/api/v1/jobs?pageSize=3", 422), ("/v1/feed?Limit=3", 400), ("/health?verbose=1", 422),
                ("/api/v1/watchlist?page=1", 422),
            ] {
                let answer = try await service.wait(path, "", method: .get)
                let name = path.split(separator: "?")[1].split(separator: "=")[0]
                #expect(answer.status == status && answer.response.text.contains("'\(name)'"), "\(path)")
            }
            #expect(try await service.ask(.get, "/api/v1/jobs?user_id=2&per_page=3").status == 200)
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
