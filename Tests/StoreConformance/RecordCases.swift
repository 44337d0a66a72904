import JobQueue
import Testing

extension ConformanceSuite {
    /// Accounts and bundles.
    package static let records: [ConformanceCase] = [
        ConformanceCase("a subject of digits is its own number") { bench in
            let account = try await bench.store.account(for: "42")
            #expect(account.id == 42 && account.subject == "42")
            #expect(account.createdAt == bench.clock.now.milliseconds)
            let last = try await bench.store.account(for: String(1 << 40 as Int64))
            #expect(last.id == 1 << 40)
        },
        ConformanceCase("every other subject gets the next number above 2^40, and keeps it") { bench in
            var ids: [Int64] = []
            for subject in ["auth0|x", "007", "-1", "1099511627777", "", "٣", "auth0|X"] {
                ids.append(try await bench.store.account(for: subject).id)
            }
            #expect(ids == Array((1 << 40 + 1)..<(1 << 40 + 8)))
            #expect(try await bench.store.account(for: "007").id == ids[1])
            #expect(try await bench.store.account(for: "7").id == 7)
        },
        ConformanceCase("an account is found by its number once it was seen") { bench in
            #expect(try await bench.store.account(id: 42) == nil)
            let account = try await bench.store.account(for: "42")
            #expect(try await bench.store.account(id: 42) == account)
        },
        ConformanceCase("a subject seen by many at once is one account") { bench in
            let other = try await bench.fixture.open()
            let ids = try await withThrowingTaskGroup(of: Int64.self) { group in
                for place in 0..<30 {
                    let store = place.isMultiple(of: 2) ? bench.store : other
                    group.addTask { try await store.account(for: "somebody").id }
                }
                return try await group.reduce(into: Set<Int64>()) { $0.insert($1) }
            }
            #expect(ids.count == 1)
        },
        ConformanceCase("a bundle is kept as it was first stored") { bench in
            #expect(try await bench.store.archive(ofBundle: "h") == nil)
            try await bench.store.store(bundle: "h", archive: "{\"a\": 😀}")
            try await bench.store.store(bundle: "h", archive: "other")
            #expect(try await bench.store.archive(ofBundle: "h") == "{\"a\": 😀}")
        },
        ConformanceCase("a NUL in a record is refused by the name of its field") { bench in
            await #expect(throws: StoreError.invalidText(field: "subject")) {
                _ = try await bench.store.account(for: "a\0b")
            }
            await #expect(throws: StoreError.invalidText(field: "archive")) {
                try await bench.store.store(bundle: "h", archive: "\0")
            }
        },
    ]
}
