import Broker
import HTTP
import JSON
import JobQueue
import Testing

/// The app of the AI Value Investor document, with the types that it prints.
@Suite(.serialized, .timeLimit(.minutes(10))) struct InvestorClientTests {
    @Test func aReportIsFollowedFromItsRequestToItsEnd() async throws {
        try await Service.with { service in
            let answer = try await service.wait(
                "/api/v1/research/generate", #"{"stock_id": "AAPL", "investor_persona": "ann"}"#)
            let job = try answer.camelCased(InvestorClient.Success<InvestorClient.ResearchJobResponse>.self).data
            #expect(job.status == "pending" && job.pollUrl == "/api/v1/research/reports/\(job.reportId)/status")
            func status() async throws -> InvestorClient.ReportStatusResponse {
                let answer = try await service.plain(.get, job.pollUrl)
                return try answer.camelCased(InvestorClient.Success<InvestorClient.ReportStatusResponse>.self).data
            }
            #expect(try await status().status == "pending")
            let worker = try await FakeWorker(service)
            let lease = try await worker.claim(try #require(JobID(job.reportId)))
            try await worker.report(lease, 45, "Writing the report")
            let running = try await status()
            #expect(running.status == "processing" && running.progress == 45)
            #expect(running.currentStep == "Writing the report" && running.completedAt == nil)
            try await worker.complete(lease)
            let ended = try await status()
            #expect(ended.status == "completed" && ended.completedAt != nil && ended.errorMessage == nil)
            let credits = try await service.plain(.get, "/api/v1/credits")
                .camelCased(InvestorClient.Success<InvestorClient.CreditBalance>.self).data
            #expect(credits.remaining == 9 && credits.used == 1)
        }
    }

    @Test func everyListSaysHowLongItIs() async throws {
        try await Service.with(news: ScriptedNews(3).sources) { service in
            _ = try await service.submit()
            _ = try await service.submit("note", input: [:])
            for (path, total) in [
                ("/api/v1/jobs?per_page=1", 2), ("/api/v1/research/reports?per_page=1", 1),
                ("/api/v1/conversations?per_page=1", 0), ("/api/v1/news/search?q=nothing&page_size=1", 0),
                ("/api/v1/news/top-headlines?category=science&page_size=1", 3),
            ] {
                let page = try await service.plain(.get, path).camelCased(InvestorClient.Page.self)
                #expect(page.pagination.totalItems == total && page.pagination.totalPages == total, "\(path)")
                #expect(page.pagination.hasNext == (total > 1) && !page.pagination.hasPrev, "\(path)")
                #expect(page.pagination.perPage == 1 && page.data.count == min(total, 1), "\(path)")
            }
        }
    }

    @Test func everyRefusalHasACodeAndWordsForItsReader() async throws {
        try await Service.with {
            $0.startingCredits = 0
        } _: { service in
            let order = #"{"stock_id": "AAPL", "investor_persona": "ann"}"#
            for (path, body, status, code, action) in [
                ("generate", order, 403, "BIZ_2001", "upgrade"),
                ("generate", #"{"stock_id": "AAPL", "investor_persona": "x"}"#, 422, "VAL_3003", nil),
                ("generate", #"{"stock_id": "A B", "investor_persona": "ann"}"#, 422, "VAL_3002", nil),
                ("generate", "{", 422, "VAL_3004", nil), ("nowhere", "{}", 404, "BIZ_2005", "go_back"),
            ] {
                let answer = try await service.wait("/api/v1/research/\(path)", body)
                let failure = try answer.camelCased(InvestorClient.Failure.self)
                #expect(answer.status == status && failure.error.code == code && !failure.success, "\(body)")
                #expect(failure.error.action == action && !failure.error.userMessage.isEmpty, "\(body)")
            }
        }
    }
}
