import JobQueue
import TestSupport
import Testing

extension ConformanceSuite {
    /// Accounts and bundles.
    package static let records: [ConformanceCase] = [
        ConformanceCase("a subject of digits is its own number") { harness in
            let account = try await harness.store.account(for: "42")
            #expect(account.id == 42 && account.subject == "42")
            #expect(account.createdAt == harness.clock.now)
            let last = try await harness.store.account(for: String(1 << 40 as Int64))
            #expect(last.id.rawValue == 1 << 40)
        },
        ConformanceCase("every other subject gets the next number above 2^40, and keeps it") { harness in
            var ids: [UserID] = []
            for subject in ["auth0|x", "007", "-1", "1099511627777", "", "٣", "auth0|X"] {
                ids.append(try await harness.store.account(for: subject).id)
            }
            #expect(ids.map(\.rawValue) == Array((1 << 40 + 1)..<(1 << 40 + 8)))
            #expect(try await harness.store.account(for: "007").id == ids[1])
            #expect(try await harness.store.account(for: "7").id == 7)
        },
        ConformanceCase("an account is found by its number once it was seen") { harness in
            #expect(try await harness.store.account(id: 42) == nil)
            let account = try await harness.store.account(for: "42")
            #expect(try await harness.store.account(id: 42) == account)
        },
        ConformanceCase("a subject seen by many at once is one account") { harness in
            let other = try await harness.fixture.open()
            let ids = try await withThrowingTaskGroup(of: UserID.self) { group in
                for place in 0..<30 {
                    let store = place.isMultiple(of: 2) ? harness.store : other
                    group.addTask { try await store.account(for: "somebody").id }
                }
                return try await group.reduce(into: Set<UserID>()) { $0.insert($1) }
            }
            #expect(ids.count == 1)
        },
        ConformanceCase("a bundle is kept as it was first stored") { harness in
            #expect(try await harness.store.archive(ofBundle: "h") == nil)
            try await harness.store.store(bundle: "h", archive: "{\"a\": 😀}")
            try await harness.store.store(bundle: "h", archive: "other")
            #expect(try await harness.store.archive(ofBundle: "h") == "{\"a\": 😀}")
        },
        ConformanceCase("a NUL in a record is refused by the name of its field") { harness in
            await #expect(throws: StoreError.invalidText(field: "subject")) {
                _ = try await harness.store.account(for: "a\0b")
            }
            await #expect(throws: StoreError.invalidText(field: "archive")) {
                try await harness.store.store(bundle: "h", archive: "\0")
            }
        },
    ]
}
