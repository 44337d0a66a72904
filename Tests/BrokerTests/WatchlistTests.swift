import DossierAPI
import HTTP
import JSON
import Simulator
import Testing

@Suite(.serialized, .timeLimit(.minutes(10))) struct WatchlistTests {
    private static let path = "/api/v1/watchlist"

    @Test func puttingAndDeletingTwiceIsTheSameAsOnce() async throws {
        try await StockService.with(key: false) { stocks in
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
                #expect(
                    try answer.decoded(as: WatchlistRemoval.self) == WatchlistRemoval(ticker: "AAPL", removed: removed))
            }
        }
    }

    @Test func onlyStocksThatThereAreCanBeWatched() async throws {
        try await StockService.with { stocks in
            let unknown = try await stocks.service.ask(.put, Self.path + "/ZZZZ")
            #expect(unknown.status == 404 && unknown.code == "BIZ_2004")
            #expect(try await stocks.service.ask(.put, Self.path + "/TOOLONGS").code == "VAL_3002")
        }
        // Nobody can be asked: the user is believed.
        try await StockService.with(key: false) { stocks in
            stocks.simulator.faults.add(FaultRule(.status(503), service: .sec))
            let believed = try await stocks.service.ask(.put, Self.path + "/ZZZZ")
            #expect(believed.status == 201 && believed["data"]?["name"] == .null)
        }
    }

    @Test func aFullListSaysSo() async throws {
        try await Service.with { service in
            for place in 0..<500 {
                _ = try await service.store.watch("T\(place)", name: nil, by: 1, limit: 500)
            }
            let full = try await service.ask(.put, Self.path + "/AAPL")
            #expect(full.status == 409 && full.code == "BIZ_2006")
            #expect(try await service.ask(.put, Self.path + "/T7").status == 200)
        }
    }
}
