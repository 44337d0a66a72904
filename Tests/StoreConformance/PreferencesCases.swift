import JobQueue
import TestSupport
import Testing

extension ConformanceSuite {
    /// What users say of their holdings and interests.
    package static let preferences: [ConformanceCase] = [
        ConformanceCase("who never said anything has the usual preferences") { harness in
            let usual = try await harness.store.preferences(of: 7)
            #expect(usual == Preferences())
            #expect(try await harness.store.holders(after: 0, limit: 10) == [])
            #expect(try await harness.store.heldTickers(limit: 10) == [])
        },
        ConformanceCase("preferences are kept with their holdings in the user's order") { harness in
            let holdings = [
                Holding(ticker: "TSLA", label: "Tesla – Growth", notes: "EVs 😀"), Holding(ticker: "AAPL"),
                Holding(ticker: "BRK-B", notes: ""),
            ]
            let changed = try await harness.store.change(preferencesOf: 7, .init(focus: .broad, holdings: holdings))
            let timestamp = harness.clock.now
            #expect(changed == Preferences(focus: .broad, holdings: holdings, updatedAt: timestamp))
            #expect(try await harness.store.preferences(of: 7) == changed)
            #expect(try await harness.fixture.open().preferences(of: 7) == changed)
        },
        ConformanceCase("what a change does not name stays, and an empty list takes all away") { harness in
            try await harness.store.change(preferencesOf: 7, .init(holdings: [Holding(ticker: "AAPL")]))
            #expect(try await harness.store.preferences(of: 7).focus == .balanced)
            harness.clock.advance(by: .seconds(1))
            var changed = try await harness.store.change(preferencesOf: 7, .init(focus: .focused))
            #expect(changed.focus == .focused && changed.holdings == [Holding(ticker: "AAPL")])
            #expect(changed.updatedAt == harness.clock.now)
            changed = try await harness.store.change(preferencesOf: 7, .init(holdings: [Holding(ticker: "MSFT")]))
            #expect(changed.focus == .focused && changed.holdings == [Holding(ticker: "MSFT")])
            changed = try await harness.store.change(preferencesOf: 7, .init(holdings: []))
            #expect(changed.focus == .focused && changed.holdings == [])
            changed = try await harness.store.change(preferencesOf: 7, .init())
            #expect(changed.focus == .focused)
        },
        ConformanceCase("preferences belong to one user") { harness in
            try await harness.store.change(preferencesOf: 7, .init(focus: .broad, holdings: [Holding(ticker: "AAPL")]))
            try await harness.store.change(preferencesOf: 8, .init(holdings: [Holding(ticker: "MSFT")]))
            #expect(try await harness.store.preferences(of: 7).holdings.map(\.ticker) == ["AAPL"])
            #expect(try await harness.store.preferences(of: 8).holdings.map(\.ticker) == ["MSFT"])
            #expect(try await harness.store.preferences(of: 9) == Preferences())
        },
        ConformanceCase("held tickers come once, the most held first") { harness in
            for (user, tickers) in [(1, ["MSFT", "AAPL"]), (2, ["AAPL", "BTC"]), (3, ["BTC", "AAPL"]), (4, [])] {
                try await harness.store.change(
                    preferencesOf: UserID(rawValue: Int64(user)), .init(holdings: tickers.map { Holding(ticker: $0) }))
            }
            #expect(try await harness.store.heldTickers(limit: 10) == ["AAPL", "BTC", "MSFT"])
            #expect(try await harness.store.heldTickers(limit: 2) == ["AAPL", "BTC"])
        },
        ConformanceCase("holders are found by number, a few at a time") { harness in
            for user in [5, 3, 9, 1] as [UserID] {
                try await harness.store.change(
                    preferencesOf: user,
                    .init(holdings: user == 3 ? [] : [Holding(ticker: "T\(user.rawValue)"), Holding(ticker: "AAPL")]))
            }
            let first = try await harness.store.holders(after: UserID(rawValue: .min), limit: 2)
            #expect(first.map(\.user) == [1, 5])
            #expect(first.first?.preferences.holdings.map(\.ticker) == ["T1", "AAPL"])
            #expect(try await harness.store.holders(after: 5, limit: 2).map(\.user) == [9])
            #expect(try await harness.store.holders(after: 9, limit: 2) == [])
        },
        ConformanceCase("of changes at once each is made whole") { harness in
            let other = try await harness.fixture.open()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for place in 0..<20 {
                    let store = place.isMultiple(of: 2) ? harness.store : other
                    group.addTask {
                        let holdings = ["A", "B", "C"].map { Holding(ticker: $0, label: "\(place)") }
                        try await store.change(preferencesOf: 7, .init(holdings: holdings))
                    }
                }
                try await group.waitForAll()
            }
            let holdings = try await harness.store.preferences(of: 7).holdings
            #expect(holdings.map(\.ticker) == ["A", "B", "C"] && Set(holdings.map(\.label)).count == 1)
        },
        ConformanceCase("a NUL in a holding is refused, and nothing is changed") { harness in
            for holding in [
                Holding(ticker: "A\0"), Holding(ticker: "A", label: "\0"), Holding(ticker: "A", notes: "\0"),
            ] {
                await #expect(throws: StoreError.self) {
                    try await harness.store.change(preferencesOf: 7, .init(focus: .broad, holdings: [holding]))
                }
            }
            let unchanged = try await harness.store.preferences(of: 7)
            #expect(unchanged == Preferences())
        },
    ]
}
