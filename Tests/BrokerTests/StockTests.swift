import Broker
import DataSources
import DossierAPI
import HTTP
import JSON
import JobQueue
import Simulator
import SQLiteStore
import SQLSupport
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(10))) struct StockTests {
    @Test func aStockHasProfilePriceAndFigures() async throws {
        try await TestStockService.with { stocks in
            let answer = try await stocks.service.ask(.get, "/api/v1/stocks/aapl")
            let stock = try answer.decoded(as: StockResource.self)
            #expect(stock.ticker == "AAPL" && stock.name == "Apple Inc.")
            #expect(stock.profile?.cik == "0000320193" && stock.profile?.sector == "Technology")
            #expect(stock.profile?.employees == 164_000 && stock.profile?.isETF == false)
            #expect(stock.quote?.price == 231.5 && stock.quote?.currency == "USD")
            #expect(stock.quote?.asOf?.hasSuffix("Z") == true)
            let revenue = try #require(stock.fundamentals?.figures["revenue"])
            #expect(revenue.period.kind == "ttm" && revenue.unit == "USD" && revenue.value > 4e11)
            let cash = try #require(stock.fundamentals?.figures["equity"])
            #expect(cash.form == "10-Q" && cash.accessionNumber == "0000320193-26-000006")
            #expect(cash.url?.hasPrefix("https://www.sec.gov/Archives/edgar/data/320193/") == true)
            #expect(stock.parts.quote.status == "ok" && stock.parts.quote.sources == ["Financial Modeling Prep"])
            #expect(answer["meta"]?["cache_hit"] == false)

            let again = try await stocks.service.ask(.get, "/api/v1/stocks/AAPL")
            #expect(again["meta"]?["cache_hit"] == true && again["data"] == answer["data"])
            #expect(stocks.simulator.calls(to: .fmp).count == 2)
        }
    }

    @Test func withoutAKeyThePriceIsNullWithAReason() async throws {
        try await TestStockService.with(key: false) { stocks in
            let stock = try await stocks.service.ask(.get, "/api/v1/stocks/SNOW").decoded(as: StockResource.self)
            #expect(stock.name?.isEmpty == false && stock.fundamentals?.figures["revenue"] != nil)
            #expect(stock.quote == nil && stock.parts.quote.status == "not_configured")
            #expect(stock.parts.quote.reason == "The service has no key for Financial Modeling Prep.")
            #expect(stock.profile?.sector == nil && stock.profile?.industry?.isEmpty == false)
            #expect(stocks.simulator.calls(to: .fmp).isEmpty)
        }
    }

    @Test func aFailedSourceDoesNotAffectTheOtherParts() async throws {
        try await TestStockService.with { stocks in
            stocks.simulator.faults.add(FaultRule(.status(500), service: .fmp))
            let answer = try await stocks.service.ask(.get, "/api/v1/stocks/AAPL")
            let stock = try answer.decoded(as: StockResource.self)
            #expect(stock.quote == nil && stock.parts.quote.status == "unavailable")
            #expect(stock.parts.quote.code == .fmp && stock.parts.quote.reason?.isEmpty == false)
            #expect(stock.profile?.name == "Apple Inc." && stock.parts.profile.status == "ok")
            #expect(answer["meta"]?["cache_hit"] == false)
        }
        try await TestStockService.with { stocks in
            stocks.simulator.faults.add(FaultRule(.status(503), service: .sec))
            let stock = try await stocks.service.ask(.get, "/api/v1/stocks/AAPL").decoded(as: StockResource.self)
            #expect(stock.quote?.price == 231.5 && stock.profile?.name == "Apple Inc.")
            #expect(stock.fundamentals == nil && stock.parts.fundamentals.code == .dataSource)
            let figures = try await stocks.service.ask(.get, "/api/v1/stocks/SNOW/fundamentals")
            #expect(try figures.decoded(as: [FundamentalResource].self).map(\.source) == ["Financial Modeling Prep"])
        }
    }

    @Test func anUnknownTickerIsNotFound() async throws {
        for key in [true, false] {
            try await TestStockService.with(key: key) { stocks in
                for path in ["/api/v1/stocks/ZZZZ", "/api/v1/stocks/ZZZZ/fundamentals"] {
                    let answer = try await stocks.service.ask(.get, path)
                    #expect(answer.status == 404 && answer.code == "BIZ_2004", "\(path)")
                }
                let bad = try await stocks.service.ask(.get, "/api/v1/stocks/TOOLONGS")
                #expect(bad.status == 422 && bad.code == "VAL_3002" && bad.field == "ticker")
            }
        }
    }

    @Test("The market data source is not asked for tickers that the SEC's list does not have")
    func unknownTickersCostNoCallsOfTheMarketDataSource() async throws {
        try await TestStockService.with { stocks in
            for number in 1...20 {
                let answer = try await stocks.service.ask(.get, "/api/v1/stocks/ZZ\(number)")
                #expect(answer.status == 404 && answer.code == "BIZ_2004")
            }
            #expect(stocks.simulator.calls(to: .fmp).isEmpty)
        }
    }

    private static func limited(to calls: Int, inAll: Int? = nil) -> CurrentPlans {
        var plans = Plans().overridden(startingCredits: nil, requestsPerMinute: 0)
        plans.standard.sourceCallsPerMinute = calls
        plans.service.sourceCallsPerMinute = inAll
        return CurrentPlans(plans)
    }

    @Test("The calls to data sources that one user sets off are bounded, and other users still get answers")
    func callsToSourcesAreBounded() async throws {
        // The list of tickers, the filings and the profile of one company.
        try await TestStockService.with({ $0.plans = Self.limited(to: 3) }) { stocks in
            let first = try await stocks.service.ask(.get, "/api/v1/stocks/AAPL").decoded(as: StockResource.self)
            #expect(first.quote != nil && first.fundamentals != nil && first.parts.profile.status == "ok")
            #expect(stocks.simulator.calls(to: .sec).count == 3)
            // From the cache.
            let again = try await stocks.service.ask(.get, "/api/v1/stocks/AAPL").decoded(as: StockResource.self)
            #expect(again.quote != nil && again.fundamentals != nil)
            let second = try await stocks.service.ask(.get, "/api/v1/stocks/SNOW").decoded(as: StockResource.self)
            #expect(second.fundamentals == nil && second.parts.fundamentals.code == .limitReached)
            let reason = "One user's reading of stocks sets off at most 3 calls a minute to SEC EDGAR."
            #expect(second.parts.fundamentals.reason == reason)
            let rows = try await stocks.service.ask(.get, "/api/v1/stocks/SNOW/fundamentals")
            #expect(rows.status == 503 && rows.code == "BIZ_2007", "\(rows.text)")
            #expect(rows["error"]?["details"] == ["what": "source_calls_per_minute", "limit": 3])
            #expect(rows.header("Retry-After").flatMap { Int($0) }.map { (1...60).contains($0) } == true)
            #expect(stocks.service.log.text.contains("plans.*.source_calls_per_minute"))
            let other = try await stocks.service.ask(.get, "/api/v1/stocks/SNOW", headers: ["X-User-ID": "2"])
            #expect(try other.decoded(as: StockResource.self).fundamentals != nil)
        }
    }

    @Test("Requests that make no call to a source use up no allowance, of the user or of the service")
    func onlyCallsThatLeaveCount() async throws {
        try await TestStockService.with({ $0.plans = Self.limited(to: 3, inAll: 4) }) { stocks in
            for number in 0..<20 {
                let user: HTTPHeaders = ["X-User-ID": "\(number % 3)"]
                let unknown = try await stocks.service.ask(.get, "/api/v1/stocks/ZZ\(number)", headers: user)
                #expect(unknown.status == 404, "\(unknown.text)")
                let search = try await stocks.service.ask(.get, "/api/v1/stocks/search?q=apple", headers: user)
                #expect(search.status == 200)
            }
            #expect(stocks.simulator.calls(to: .sec).count == 1)
            let known = try await stocks.service.ask(.get, "/api/v1/stocks/AAPL").decoded(as: StockResource.self)
            #expect(known.fundamentals != nil && known.quote != nil)
        }
    }

    @Test func aTickerIsUnknownOnlyWhenEverySourceHasAnswered() async throws {
        try await TestStockService.with(key: false) { stocks in
            stocks.simulator.faults.add(FaultRule(.status(503), service: .sec))
            for path in ["/api/v1/stocks/ZZZZ", "/api/v1/stocks/ZZZZ/fundamentals", "/api/v1/stocks/search?q=a"] {
                let answer = try await stocks.service.ask(.get, path)
                #expect(answer.status == 503 && answer.code == "EXT_4005", "\(path)")
            }
        }
        try await TestService.with { service in
            let answer = try await service.ask(.get, "/api/v1/stocks/AAPL")
            #expect(answer.status == 503)
        }
    }

    @Test func aSlowSourceIsPendingAndItsAnswerIsCached() async throws {
        let slow = SlowSources()
        let sources = StockSources(companies: slow, market: slow, timeout: .zero)
        try await TestService.with(stocks: sources) { service in
            let early = try await service.ask(.get, "/api/v1/stocks/AAPL/fundamentals")
            #expect(early.status == 503 && early.code == "EXT_4005" && early.header("Retry-After") == "3")
            slow.open()
            while try await service.ask(.get, "/api/v1/stocks/AAPL/fundamentals").status != 200 {}
        }
    }

    @Test func fundamentalsAreReportedPeriodsWithTheSourceOfEachFigure() async throws {
        try await TestStockService.with { stocks in
            let answer = try await stocks.service.ask(.get, "/api/v1/stocks/AAPL/fundamentals")
            let periods = try answer.decoded(as: [FundamentalResource].self)
            #expect(periods.map(\.period.label).prefix(3) == ["FY2025", "FY2024", "FY2023"])
            let newest = try #require(periods.first)
            #expect(newest.source == "SEC EDGAR" && newest.currency == "USD")
            #expect(newest.figures["revenue"]?.value == 416_161_000_000)
            #expect(newest.figures["revenue"]?.tag.hasPrefix("us-gaap:") == true)
            let old = try #require(periods.first { $0.period.label == "FY2017" }?.figures["diluted_eps"])
            #expect(old.reported == 9.21 && old.value == 2.3025 && old.adjustment?.factor == 4)
            let ratios = try #require(periods.last)
            #expect(ratios.source == "Financial Modeling Prep" && ratios.figures["price_to_earnings"]?.value == 31.03)

            func kinds(_ query: String) async throws -> [String] {
                let answer = try await stocks.service.ask(.get, "/api/v1/stocks/AAPL/fundamentals?\(query)")
                return try answer.decoded(as: [FundamentalResource].self).dropLast().map(\.period.kind)
            }
            #expect(try await kinds("period=quarter&limit=2") == ["quarter", "quarter"])
            let quarters = try await stocks.service.ask(.get, "/api/v1/stocks/AAPL/fundamentals?period=quarter")
            for quarter in try quarters.decoded(as: [FundamentalResource].self).dropLast() {
                #expect(quarter.period.start != nil && quarter.figures.count > 1, "\(quarter.period.label)")
            }
            #expect(try await kinds("period=ttm") == ["ttm"])
            #expect(Set(try await kinds("period=all")).isSuperset(of: ["ttm", "annual", "quarter"]))
            let bad = try await stocks.service.ask(.get, "/api/v1/stocks/AAPL/fundamentals?period=monthly")
            #expect(bad.status == 422 && bad.field == "period")
        }
    }

    @Test func aSearchFindsTickersAndNames() async throws {
        try await TestStockService.with(key: false) { stocks in
            func search(_ text: String) async throws -> [StockSearchResult] {
                try await stocks.service.ask(.get, "/api/v1/stocks/search?q=\(text)").decoded(
                    as: [StockSearchResult].self)
            }
            #expect(try await search("apple").map(\.ticker) == ["AAPL"])
            #expect(try await search("sno").map(\.ticker) == ["SNOW"])
            #expect(try await search("zzzz").isEmpty)
            // Coins and funds, which users hold and watch, have no number at the SEC.
            #expect(try await search("bitcoin").first?.ticker == "BTC")
            #expect(try await search("btc").first?.name == "Bitcoin")
            let fund = try #require(try await search("vanguard%20s%26p%20500").first)
            #expect(fund.ticker == "VOO" && fund.cik == nil)
            #expect(try await search("AAPL").first?.cik == "0000320193")
            for query in ["", "?q=", "?q=%20", "?q=a&limit=0", "?q=" + String(repeating: "a", count: 101)] {
                let answer = try await stocks.service.ask(.get, "/api/v1/stocks/search" + query)
                #expect(answer.status == 422, "\(query)")
            }
        }
    }
}

@Suite(.serialized, .timeLimit(.minutes(10))) struct WatchlistTests {
    private static let path = "/api/v1/watchlist"

    @Test func putAndDeleteAreIdempotent() async throws {
        try await TestStockService.with(key: false) { stocks in
            let service = stocks.service
            #expect(try await service.ask(.get, Self.path).decoded(as: [WatchlistItemResource].self) == [])
            let added = try await service.ask(.put, Self.path + "/aapl")
            #expect(added.status == 201)
            let item = try added.decoded(as: WatchlistItemResource.self)
            #expect(item.ticker == "AAPL" && item.name == "Apple Inc.")
            let again = try await service.ask(.put, Self.path + "/AAPL")
            #expect(again.status == 200 && again["data"] == added["data"])
            #expect(try await service.ask(.put, Self.path + "/SNOW", [:]).status == 201)
            let list = try await service.ask(.get, Self.path).decoded(as: [WatchlistItemResource].self)
            #expect(Set(list.map(\.ticker)) == ["AAPL", "SNOW"])
            #expect(try await service.ask(.get, Self.path, headers: ["X-User-ID": "2"])["data"] == [])
            for removed in [true, false] {
                let answer = try await service.ask(.delete, Self.path + "/aapl")
                #expect(answer.status == 200)
                let removal = try answer.decoded(as: WatchlistRemoval.self)
                #expect(removal.ticker == "AAPL" && removal.removed == removed)
            }
        }
    }

    @Test func aCryptoAssetHasANameAndNoFilingsAndCanBeWatched() async throws {
        try await TestStockService.with { stocks in
            let stock = try await stocks.service.ask(.get, "/api/v1/stocks/BTC")
            #expect(stock.status == 200 && stock["data"]?["name"] == "Bitcoin")
            #expect(stock["data"]?["profile"]?["is_crypto"] == true && stock["data"]?["fundamentals"] == .null)
            #expect(stock["data"]?["parts"]?["fundamentals"]?["status"] == "missing")
            #expect(
                stock["data"]?["parts"]?["fundamentals"]?["reason"]?.string
                    == "Bitcoin is a crypto asset and no company, so it files no reports.")
            let figures = try await stocks.service.ask(.get, "/api/v1/stocks/BTC/fundamentals")
            #expect(figures.status == 200 && figures["data"] == [])
            #expect(stock["data"]?["quote"]?["simulated"] == true)
            let chart = try await stocks.service.ask(.get, "/api/v1/stocks/BTC/prices")
            #expect(chart.status == 404 && chart["error"]?["user_message"] == "There is no chart of Bitcoin.")
            let watched = try await stocks.service.ask(.put, Self.path + "/BTC")
            #expect(watched.status == 201 && watched["data"]?["name"] == "Bitcoin")
        }
    }

    @Test func aFundThatTheSECsListLacksHasANameAndCanBeWatched() async throws {
        try await TestStockService.with { stocks in
            let stock = try await stocks.service.ask(.get, "/api/v1/stocks/VOO")
            #expect(stock.status == 200 && stock["data"]?["name"] == "Vanguard S&P 500 ETF")
            #expect(stock["data"]?["profile"]?["is_etf"] == true && stock["data"]?["profile"]?["is_crypto"] == false)
            #expect(stock["data"]?["parts"]?["fundamentals"]?["status"] == "missing")
            let reason = stock["data"]?["parts"]?["profile"]?["reason"]?.string
            #expect(
                reason == "Vanguard S&P 500 ETF is a fund, so it reports what it holds and no figures of a company.")
            let filings = try await stocks.service.ask(.get, "/api/v1/stocks/VOO/filings")
            #expect(filings.status == 404)
            #expect(filings["error"]?["user_message"] == "Vanguard S&P 500 ETF files no reports.")
            let watched = try await stocks.service.ask(.put, Self.path + "/VOO")
            #expect(watched.status == 201 && watched["data"]?["name"] == "Vanguard S&P 500 ETF")
        }
    }

    @Test func onlyKnownStocksCanBeWatched() async throws {
        try await TestStockService.with { stocks in
            let unknown = try await stocks.service.ask(.put, Self.path + "/ZZZZ")
            #expect(unknown.status == 404 && unknown.code == "BIZ_2004")
            #expect(try await stocks.service.ask(.put, Self.path + "/TOOLONGS").code == "VAL_3002")
        }
        // Without any source the ticker is accepted.
        try await TestStockService.with(key: false) { stocks in
            stocks.simulator.faults.add(FaultRule(.status(503), service: .sec))
            let believed = try await stocks.service.ask(.put, Self.path + "/ZZZZ")
            #expect(believed.status == 201 && believed["data"]?["name"] == .null)
        }
    }

    @Test func aFullWatchlistIsAConflict() async throws {
        try await TestService.with { service in
            for place in 0..<500 {
                _ = try await service.store.watch("T\(place)", name: nil, by: 1, limit: 500)
            }
            let full = try await service.ask(.put, Self.path + "/AAPL")
            #expect(full.status == 409 && full.code == "BIZ_2006")
            #expect(full["error"]?["details"]?["reason"] == "list_full")
            #expect(try await service.ask(.put, Self.path + "/T7").status == 200)
        }
    }
}
