import Broker
import DataSources
import DossierAPI
import HTTP
import JSON
import Simulator
import Testing

@Suite(.serialized, .timeLimit(.minutes(10))) struct StockTests {
    @Test func aStockIsShownWithProfilePriceAndFigures() async throws {
        try await StockService.with { stocks in
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

    @Test func withoutAKeyThePriceIsNullAndSaysWhy() async throws {
        try await StockService.with(key: false) { stocks in
            let stock = try await stocks.service.ask(.get, "/api/v1/stocks/SNOW").decoded(as: StockResource.self)
            #expect(stock.name?.isEmpty == false && stock.fundamentals?.figures["revenue"] != nil)
            #expect(stock.quote == nil && stock.parts.quote.status == "not_configured")
            #expect(stock.parts.quote.reason == "The service has no key for Financial Modeling Prep.")
            #expect(stock.profile?.sector == nil && stock.profile?.industry?.isEmpty == false)
            #expect(stocks.simulator.calls(to: .fmp).isEmpty)
        }
    }

    @Test func aSourceThatFailsLeavesTheOtherParts() async throws {
        try await StockService.with { stocks in
            stocks.simulator.faults.add(FaultRule(.status(500), service: .fmp))
            let answer = try await stocks.service.ask(.get, "/api/v1/stocks/AAPL")
            let stock = try answer.decoded(as: StockResource.self)
            #expect(stock.quote == nil && stock.parts.quote.status == "unavailable")
            #expect(stock.parts.quote.code == .fmp && stock.parts.quote.reason?.isEmpty == false)
            #expect(stock.profile?.name == "Apple Inc." && stock.parts.profile.status == "ok")
            #expect(answer["meta"]?["cache_hit"] == false)
        }
        try await StockService.with { stocks in
            stocks.simulator.faults.add(FaultRule(.status(503), service: .sec))
            let stock = try await stocks.service.ask(.get, "/api/v1/stocks/AAPL").decoded(as: StockResource.self)
            #expect(stock.quote?.price == 231.5 && stock.profile?.name == "Apple Inc.")
            #expect(stock.fundamentals == nil && stock.parts.fundamentals.code == .dataSource)
            let figures = try await stocks.service.ask(.get, "/api/v1/stocks/SNOW/fundamentals")
            #expect(try figures.decoded(as: [FundamentalResource].self).map(\.source) == ["Financial Modeling Prep"])
        }
    }

    @Test func aTickerThatNobodyKnowsIsNotFound() async throws {
        for key in [true, false] {
            try await StockService.with(key: key) { stocks in
                for path in ["/api/v1/stocks/ZZZZ", "/api/v1/stocks/ZZZZ/fundamentals"] {
                    let answer = try await stocks.service.ask(.get, path)
                    #expect(answer.status == 404 && answer.code == "BIZ_2004", "\(path)")
                }
                let bad = try await stocks.service.ask(.get, "/api/v1/stocks/TOOLONGS")
                #expect(bad.status == 422 && bad.code == "VAL_3002" && bad.field == "ticker")
            }
        }
    }

    @Test func whetherATickerIsKnownIsNotGuessed() async throws {
        try await StockService.with(key: false) { stocks in
            stocks.simulator.faults.add(FaultRule(.status(503), service: .sec))
            for path in ["/api/v1/stocks/ZZZZ", "/api/v1/stocks/ZZZZ/fundamentals", "/api/v1/stocks/search?q=a"] {
                let answer = try await stocks.service.ask(.get, path)
                #expect(answer.status == 503 && answer.code == "EXT_4005", "\(path)")
            }
        }
        try await Service.with { service in
            let answer = try await service.ask(.get, "/api/v1/stocks/AAPL")
            #expect(answer.status == 503)
        }
    }

    @Test func anAnswerDoesNotWaitForASlowSourceAndTheNextOneHasIt() async throws {
        let slow = SlowSources()
        let sources = StockSources(companies: slow, market: slow, timeout: .zero)
        try await Service.with(stocks: sources) { service in
            let early = try await service.ask(.get, "/api/v1/stocks/AAPL/fundamentals")
            #expect(early.status == 503 && early.code == "EXT_4005" && early.header("Retry-After") == "3")
            slow.open()
            while try await service.ask(.get, "/api/v1/stocks/AAPL/fundamentals").status != 200 {}
        }
    }

    @Test func fundamentalsAreTheReportedPeriodsEachFigureWithItsSource() async throws {
        try await StockService.with { stocks in
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
            #expect(ratios.source == "Financial Modeling Prep" && ratios.figures["price_to_earnings"]?.value == 23.15)

            func kinds(_ query: String) async throws -> [String] {
                let answer = try await stocks.service.ask(.get, "/api/v1/stocks/AAPL/fundamentals?\(query)")
                return try answer.decoded(as: [FundamentalResource].self).dropLast().map(\.period.kind)
            }
            #expect(try await kinds("period=quarter&limit=2") == ["quarter", "quarter"])
            #expect(try await kinds("period=ttm") == ["ttm"])
            #expect(Set(try await kinds("period=all")).isSuperset(of: ["ttm", "annual", "quarter"]))
            let bad = try await stocks.service.ask(.get, "/api/v1/stocks/AAPL/fundamentals?period=monthly")
            #expect(bad.status == 422 && bad.field == "period")
        }
    }

    @Test func aSearchFindsTickersAndNames() async throws {
        try await StockService.with(key: false) { stocks in
            func search(_ text: String) async throws -> [StockSearchResult] {
                try await stocks.service.ask(.get, "/api/v1/stocks/search?q=\(text)").decoded(
                    as: [StockSearchResult].self)
            }
            #expect(try await search("apple").map(\.ticker) == ["AAPL"])
            #expect(try await search("sno").map(\.ticker) == ["SNOW"])
            #expect(try await search("zzzz").isEmpty)
            for query in ["", "?q=", "?q=%20", "?q=a&limit=0", "?q=" + String(repeating: "a", count: 101)] {
                let answer = try await stocks.service.ask(.get, "/api/v1/stocks/search" + query)
                #expect(answer.status == 422, "\(query)")
            }
        }
    }
}
