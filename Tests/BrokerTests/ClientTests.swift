import Broker
import BrokerClient
import HTTP
import JobQueue
import JSON
import Testing

@testable import DossierAPI

/// The client library with a real broker, so that both agree.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ClientTests {
    @Test func theClientFollowsAJobFromSubmitToResult() async throws {
        try await TestService.with { service in
            let client = service.dossier("ann")
            let order = ["ticker": "AAPL", "persona": "ann"]
            let job = try await client.submit(kind: "research", input: order, priority: 5, idempotencyKey: "k")
            #expect(job.status == "pending" && !job.isFinished)
            let same = try await client.submit(kind: "research", input: order, priority: 5, idempotencyKey: "k")
            #expect(same.id == job.id)
            #expect(try await client.credits() == CreditsResource(granted: 10, remaining: 9, held: 1, used: 0))

            let worker = try await FakeWorker(service)
            let id = try #require(JobID(job.id))
            var updates = client.updates(of: job.id).makeAsyncIterator()
            #expect(try await updates.next()?.status == "pending")
            let lease = try await worker.claim(id)
            #expect(try await updates.next()?.status == "processing")
            try await worker.report(lease, 55)
            #expect(try await updates.next()?.progress == 55)
            async let waiting = client.job(job.id, wait: 20)
            try await worker.complete(lease)
            #expect(try await updates.next()?.status == "completed")
            #expect(try await updates.next() == nil)
            #expect(try await waiting.isFinished)

            let result = try JSON(parsing: Array(try await client.result(of: job.id)))
            #expect(result["data"]?["report"] == ["summary": "Calm."])
            let (jobs, pagination) = try await client.jobs(status: "completed", kind: "research")
            #expect(jobs.map(\.id) == [job.id])
            #expect(pagination?.totalItems == 1 && pagination?.hasNext == false && pagination?.nextCursor == nil)
            #expect(try await client.credits() == CreditsResource(granted: 10, remaining: 9, held: 0, used: 1))
        }
    }

    @Test func theClientCancelsAndRetries() async throws {
        try await TestService.with { service in
            let client = service.dossier()
            let job = try await client.submit(kind: "note", input: ["text": "x"])
            #expect(try await client.cancel(job.id).status == "cancelled")
            #expect(try await client.retry(job.id).status == "pending")
        }
    }

    @Test func theClientRequestsAReportAndListsPersonas() async throws {
        try await TestService.with { service in
            let client = service.dossier()
            #expect(try await client.personas().map(\.id) == ["ann", "bob"])
            let report = try await client.generateReport(ticker: "aapl", persona: "bob")
            #expect(try await client.reportStatus(report.reportID).status == "pending")
        }
    }

    @Test func theClientDecodesStocksAndFigures() async throws {
        try await TestStockService.with { stocks in
            let client = stocks.service.dossier()
            let apple = try await client.stock("aapl")
            #expect(apple.ticker == "AAPL" && apple.quote?.price == 231.5 && apple.parts.quote.status == "ok")
            let years = try await client.fundamentals(of: "AAPL", limit: 2)
            #expect(years.filter { $0.period.kind == "annual" }.map(\.period.label) == ["FY2025", "FY2024"])
            let kinds = Set(try await client.fundamentals(of: "AAPL", periods: .quarter).map(\.period.kind))
            #expect(kinds.isSuperset(of: ["quarter"]) && !kinds.contains("annual"))
            #expect(try await client.searchStocks("apple").map(\.ticker) == ["AAPL"])
            #expect(try await client.searchStocks("Apple Inc.", limit: 1).map(\.name) == ["Apple Inc."])
            #expect(try await client.searchStocks("a & b?c=d/é").isEmpty)
        }
    }

    @Test func theClientAddsAndRemovesWatchedStocks() async throws {
        try await TestStockService.with(key: false) { stocks in
            let client = stocks.service.dossier("ann")
            #expect(try await client.watchlist().isEmpty)
            let item = try await client.watch("aapl")
            #expect(item.ticker == "AAPL" && item.name == "Apple Inc.")
            #expect(try await client.watch("AAPL") == item)
            #expect(try await client.watchlist() == [item])
            #expect(try await stocks.service.dossier("bob").watchlist().isEmpty)
            #expect(try await client.unwatch("AAPL"))
            #expect(try await client.unwatch("AAPL") == false)
        }
    }

    @Test(arguments: ["ZZZZ", "A B", "../jobs", "a/b", "x?y=1", "%00", ""])
    func aMalformedTickerIsRefused(ticker: String) async throws {
        try await TestStockService.with { stocks in
            let client = stocks.service.dossier()
            let refused = try await refusal { () async throws(ClientError) in _ = try await client.stock(ticker) }
            #expect([404, 422].contains(refused.status), "\(refused)")
            _ = try await refusal { () async throws(ClientError) in _ = try await client.watch(ticker) }
        }
    }

    @Test func aRefusalHasItsCodeAndDetails() async throws {
        try await TestService.with {
            $0.startingCredits = 0
        } _: { service in
            let client = service.dossier()
            let poor = try await refusal { () async throws(ClientError) in
                _ = try await client.submit(kind: "research", input: ["ticker": "AAPL", "persona": "ann"])
            }
            #expect(poor.status == 403 && poor.error.code == .insufficientCredits && poor.error.action == "upgrade")
            #expect(poor.error.details == ErrorDetails(field: nil, jobID: nil, currentCredits: 0, required: 1))
            let wrong = try await refusal { () async throws(ClientError) in
                _ = try await client.generateReport(ticker: "A B", persona: "ann")
            }
            #expect(wrong.status == 422 && wrong.error.code == .invalidTicker && wrong.error.details?.field == "ticker")
            let unknown = "01a1fdbc-a70f-7b97-b80d-3ae07a36bd68"
            let missing = try await refusal { () async throws(ClientError) in _ = try await client.job(unknown) }
            #expect(missing.status == 404 && missing.error.details?.jobID == unknown)
            await #expect(throws: ClientError.self) {
                for try await _ in client.updates(of: unknown) {}
            }
        }
    }

    private func refusal(
        _ body: () async throws(ClientError) -> Void
    ) async throws -> (status: Int, error: ErrorResource) {
        do throws(ClientError) {
            try await body()
        } catch {
            guard case .refused(let status, let resource) = error else { throw error }
            return (status, resource)
        }
        throw ClientError.unexpected("nothing was refused")
    }
}

/// The app of the AI Value Investor document, with the types that it prints.
@Suite(.serialized, .timeLimit(.minutes(10))) struct InvestorClientTests {
    @Test func anAppFollowsAReportFromRequestToEnd() async throws {
        try await TestService.with { service in
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

    @Test func everyListHasItsLength() async throws {
        try await TestService.with(news: ScriptedNews(3).sources) { service in
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

    @Test func everyRefusalHasACodeAndAMessageForTheUser() async throws {
        try await TestService.with {
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
