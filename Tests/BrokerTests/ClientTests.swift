import Broker
@testable import DossierAPI
import DossierClient
import JSON
import JobQueue
import Testing

/// The client library against the real broker, so that neither can drift from the other.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ClientTests {
    @Test func aJobFromItsSubmitToItsResult() async throws {
        try await Service.with { service in
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

    @Test func cancelAndRetry() async throws {
        try await Service.with { service in
            let client = service.dossier()
            let job = try await client.submit(kind: "note", input: ["text": "x"])
            #expect(try await client.cancel(job.id).status == "cancelled")
            #expect(try await client.retry(job.id).status == "pending")
        }
    }

    @Test func aReportAndThePersonas() async throws {
        try await Service.with { service in
            let client = service.dossier()
            #expect(try await client.personas().map(\.id) == ["ann", "bob"])
            let report = try await client.generateReport(ticker: "aapl", persona: "bob")
            #expect(try await client.reportStatus(report.reportID).status == "pending")
        }
    }

    @Test func stocksAndTheirFiguresAreReadByType() async throws {
        try await StockService.with { stocks in
            let client = stocks.service.dossier()
            let apple = try await client.stock("aapl")
            #expect(apple.ticker == "AAPL" && apple.quote?.price == 231.5 && apple.parts.quote.status == "ok")
            let years = try await client.fundamentals(of: "AAPL", limit: 2)
            #expect(years.filter { $0.period.kind == "annual" }.map(\.period.label) == ["FY2025", "FY2024"])
            let kinds = Set(try await client.fundamentals(of: "AAPL", periods: .quarter).map(\.period.kind))
            #expect(kinds.isSuperset(of: ["quarter"]) && !kinds.contains("annual"))
            #expect(try await client.searchStocks("app").map(\.ticker) == ["AAPL"])
            #expect(try await client.searchStocks("Apple Inc.", limit: 1).map(\.name) == ["Apple Inc."])
            #expect(try await client.searchStocks("a & b?c=d/é").isEmpty)
        }
    }

    @Test func stocksAreWatchedAndUnwatched() async throws {
        try await StockService.with(key: false) { stocks in
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
    func aTickerThatIsNoneIsRefusedWhateverItHolds(ticker: String) async throws {
        try await StockService.with { stocks in
            let client = stocks.service.dossier()
            let refused = try await refusal { () async throws(ClientError) in _ = try await client.stock(ticker) }
            #expect([404, 422].contains(refused.status), "\(refused)")
            _ = try await refusal { () async throws(ClientError) in _ = try await client.watch(ticker) }
        }
    }

    @Test func aRefusalComesWithItsCodeAndWhatItIsAbout() async throws {
        try await Service.with {
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
        } catch .refused(let status, let error) {
            return (status, error)
        }
        throw ClientError.unexpected("nothing was refused")
    }
}
