import JobQueue
import JSON
import Testing
import TestSupport

extension ConformanceSuite {
    /// Accounts and bundles.
    package static let records: [ConformanceCase] = [
        ConformanceCase("a subject of digits is its own account number") { harness in
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
        ConformanceCase("an account is found by its number after its first use") { harness in
            #expect(try await harness.store.account(id: 42) == nil)
            let account = try await harness.store.account(for: "42")
            #expect(try await harness.store.account(id: 42) == account)
        },
        ConformanceCase("a subject of many concurrent requests gets one account") { harness in
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
        ConformanceCase("a bundle stays as it was first stored") { harness in
            #expect(try await harness.store.archive(ofBundle: "h") == nil)
            try await harness.store.store(bundle: "h", archive: "{\"a\": 😀}")
            try await harness.store.store(bundle: "h", archive: "other")
            #expect(try await harness.store.archive(ofBundle: "h") == "{\"a\": 😀}")
        },
        ConformanceCase("a NUL in a record is refused with the name of its field") { harness in
            await #expect(throws: StoreError.invalidText(field: "subject")) {
                _ = try await harness.store.account(for: "a\0b")
            }
            await #expect(throws: StoreError.invalidText(field: "archive")) {
                try await harness.store.store(bundle: "h", archive: "\0")
            }
        },
    ]
}

extension ConformanceSuite {
    /// Documents, and with them the records that jobs write.
    package static let documents: [ConformanceCase] = [
        ConformanceCase("a document is found by its key and replaced by a later one") { harness in
            #expect(try await harness.store.documents(["quote:AAPL"]).isEmpty)
            let old = CachedDocument(key: "quote:AAPL", text: "{\"price\": 1}", storedAt: 1000, keptUntil: 9000)
            let new = CachedDocument(key: "quote:AAPL", text: "😀\\u0000 \"é\"", storedAt: 2000, keptUntil: 9000)
            try await harness.store.store(new)
            try await harness.store.store(old)
            #expect(try await harness.store.document("quote:AAPL") == new)
            let other = CachedDocument(key: "b", text: "", storedAt: 0, keptUntil: Timestamp(milliseconds: .max))
            try await harness.store.store(other)
            #expect(Set(try await harness.store.documents(["b", "c", "quote:AAPL", "b"])) == [new, other])
        },
        ConformanceCase("expired documents are deleted, up to a limit") { harness in
            for place in 0..<5 {
                try await harness.store.store(
                    CachedDocument(
                        key: "\(place)", text: "x", storedAt: 0, keptUntil: Timestamp(milliseconds: Int64(place))))
            }
            #expect(try await harness.store.deleteDocuments(keptUntilBefore: 4, limit: 3) == 3)
            #expect(try await harness.store.deleteDocuments(keptUntilBefore: 4, limit: 3) == 1)
            #expect(try await harness.store.documents((0..<5).map(String.init)).map(\.key) == ["4"])
        },
        ConformanceCase("the records of a step are written once") { harness in
            let lease = try await harness.running()
            let document = CachedDocument(key: "k", text: "t", storedAt: 1, keptUntil: 2)
            let step = Step(name: "fetch", occurrence: 0, inputHash: "h", output: 1)
            for _ in 0..<2 {
                _ = try await harness.store.append(
                    step, replacingFrom: nil, effects: [.record(.document(document))], under: lease)
            }
            #expect(try await harness.store.document("k") == document)
        },
        ConformanceCase("the records of a completion are written, the last one of a key winning") { harness in
            let lease = try await harness.running()
            let effects = ["a", "b"].map {
                Effect.record(.document(CachedDocument(key: "k", text: $0, storedAt: 1, keptUntil: 2)))
            }
            try await harness.store.complete(lease, with: 1, effects: effects)
            #expect(try await harness.store.document("k")?.text == "b")
        },
        ConformanceCase("a repeated completion does not write its records again") { harness in
            let lease = try await harness.running()
            let effects = [Effect.record(.document(CachedDocument(key: "k", text: "t", storedAt: 1, keptUntil: 2)))]
            try await harness.store.complete(lease, with: 1, effects: effects)
            #expect(try await harness.store.deleteDocuments(keptUntilBefore: 3, limit: 1) == 1)
            try await harness.store.complete(lease, with: 1, effects: effects)
            #expect(try await harness.store.document("k") == nil)
        },
        ConformanceCase("a worker without the lease writes no records") { harness in
            let lease = try await harness.running()
            _ = try await harness.store.cancel(lease.job, of: nil)
            let effects = [Effect.record(.document(CachedDocument(key: "k", text: "t", storedAt: 1, keptUntil: 2)))]
            await #expect(throws: StoreError.leaseLost) {
                try await harness.store.complete(lease, with: 1, effects: effects)
            }
            await #expect(throws: StoreError.leaseLost) {
                _ = try await harness.store.append(
                    Step(name: "s", occurrence: 0, inputHash: "h", output: 1), replacingFrom: nil, effects: effects,
                    under: lease)
            }
            #expect(try await harness.store.document("k") == nil)
        },
        ConformanceCase("the records of a failure are written") { harness in
            let lease = try await harness.running()
            let effects = [Effect.record(.document(CachedDocument(key: "k", text: "t", storedAt: 1, keptUntil: 2)))]
            try await harness.store.fail(
                lease,
                with: JobFailure(
                    error: JobError(code: "c", message: "m", userMessage: "u"), next: .giveUp, effects: effects))
            #expect(try await harness.store.document("k") != nil)
        },
        ConformanceCase("a NUL in a job's record is refused with its field, and nothing is lost") { harness in
            let lease = try await harness.running()
            let effects = [Effect.record(.document(CachedDocument(key: "k", text: "\0", storedAt: 1, keptUntil: 2)))]
            await #expect(throws: StoreError.invalidText(field: "document.text")) {
                try await harness.store.complete(lease, with: 1, effects: effects)
            }
            try await harness.store.complete(lease, with: 1, effects: [])
        },
    ]
}

extension ConformanceSuite {
    /// Conversations.
    package static let conversations: [ConformanceCase] = [
        ConformanceCase("a turn is stored once with the result of its job, and read in order") { harness in
            var turns: [ConversationTurn] = []
            for place in 0..<4 {
                let lease = try await harness.running()
                let turn = turn(
                    of: lease, in: "c", question: "Question \(place)?", at: Timestamp(milliseconds: Int64(place)))
                for _ in 0..<2 { try await harness.store.complete(lease, with: 1, effects: [.record(.turn(turn))]) }
                turns.append(turn)
            }
            #expect(try await harness.store.turns(of: "c", user: 1, last: 10) == turns)
            #expect(try await harness.store.turns(of: "c", user: 1, last: 2) == Array(turns.suffix(2)))
            #expect(try await harness.store.turns(of: "d", user: 1, last: 10).isEmpty)
        },
        ConformanceCase("a cancelled job leaves no turn") { harness in
            let lease = try await harness.running()
            _ = try await harness.store.cancel(lease.job, of: nil)
            await #expect(throws: StoreError.leaseLost) {
                try await harness.store.complete(
                    lease, with: 1, effects: [.record(.turn(turn(of: lease, in: "c", question: "Why?", at: 0)))])
            }
            #expect(try await harness.store.turns(of: "c", user: 1, last: 10).isEmpty)
        },
        ConformanceCase("a user can neither read nor continue another user's conversation") { harness in
            for user in [1, 2] as [UserID] {
                let lease = try await harness.running()
                let own = turn(
                    of: lease, in: "c", user: user, question: "Of \(user.rawValue)?",
                    at: Timestamp(milliseconds: user.rawValue))
                try await harness.store.complete(lease, with: 1, effects: [.record(.turn(own))])
            }
            for user in [1, 2] as [UserID] {
                #expect(
                    try await harness.store.turns(of: "c", user: user, last: 9).map(\.question) == [
                        "Of \(user.rawValue)?"
                    ])
                #expect(try await harness.store.conversations(of: user, offset: 0, count: 9).map(\.turns) == [1])
            }
            #expect(try await harness.store.turns(of: "c", user: 3, last: 9).isEmpty)
            #expect(try await harness.store.conversations(of: 3, offset: 0, count: 9).isEmpty)
            #expect(try await harness.store.conversationCount(of: 2) == 1)
            #expect(try await harness.store.conversationCount(of: 3) == 0)
        },
        ConformanceCase("a user's conversations are listed by the time of their latest answers") { harness in
            for (place, conversation) in ["a", "b", "a"].enumerated() {
                let lease = try await harness.running()
                let one = turn(
                    of: lease, in: conversation, question: "\(conversation) \(place)?",
                    at: Timestamp(milliseconds: Int64(place)))
                try await harness.store.complete(lease, with: 1, effects: [.record(.turn(one))])
            }
            let first = ConversationEntry(
                id: "a", subject: "education", title: "a 0?", createdAt: 0, updatedAt: 3, turns: 2)
            let second = ConversationEntry(
                id: "b", subject: "education", title: "b 1?", createdAt: 1, updatedAt: 2, turns: 1)
            #expect(try await harness.store.conversations(of: 1, offset: 0, count: 9) == [first, second])
            #expect(try await harness.store.conversations(of: 1, offset: 1, count: 9) == [second])
            #expect(try await harness.store.conversations(of: 1, offset: 0, count: 1) == [first])
            #expect(try await harness.store.conversationCount(of: 1) == 2)
        },
        ConformanceCase("a NUL in a turn is refused with its field") { harness in
            let lease = try await harness.running()
            var bad = turn(of: lease, in: "c", question: "Why?", at: 0)
            bad.answer = "\0"
            let effects = [Effect.record(.turn(bad))]
            await #expect(throws: StoreError.invalidText(field: "turn.answer")) {
                try await harness.store.complete(lease, with: 1, effects: effects)
            }
            await #expect(throws: StoreError.invalidText(field: "conversation")) {
                _ = try await harness.store.turns(of: "\0", user: 1, last: 1)
            }
            try await harness.store.complete(lease, with: 1, effects: [])
        },
    ]

    private static func turn(
        of lease: Lease, in conversation: String, user: UserID = 1, question: String, at timestamp: Timestamp
    ) -> ConversationTurn {
        ConversationTurn(
            job: lease.job.description, conversation: conversation, user: user, subject: "education",
            question: question, answer: "\"😀\" é", citations: "[]", askedAt: timestamp,
            answeredAt: timestamp + .milliseconds(1))
    }
}
