import JobQueue
import JSON
import Testing
import TestSupport

extension ConformanceSuite {
    /// Recall cards.
    package static let recall: [ConformanceCase] = [
        ConformanceCase("no user sees, changes or deletes the cards of another user") { harness in
            for user in [1, 2] as [UserID] {
                let lease = try await harness.running()
                let own = card("a", of: user, content: "{\"of\":\(user.rawValue)}", due: 5)
                try await harness.store.complete(lease, with: 1, effects: [.record(.recallCard(own))])
            }
            for user in [1, 2] as [UserID] {
                let own = [card("a", of: user, content: "{\"of\":\(user.rawValue)}", due: 5)]
                #expect(try await harness.store.recallCards(["a"], of: user) == own)
                #expect(try await harness.store.dueRecallCards(of: user, at: 9, offset: 0, limit: 9) == own)
                #expect(try await harness.store.recallCards(of: user, after: "", limit: 9) == own)
                #expect(try await harness.store.latestRecallCards(of: user, limit: 9) == own)
                #expect(try await harness.store.recallCards(of: user, source: "https://a.example/", limit: 9) == own)
                #expect(try await harness.store.recallCardCount(of: user) == 1)
                #expect(try await harness.store.dueRecallCardCount(of: user, at: 9) == 1)
            }
            #expect(try await harness.store.store([card("a", of: 2, due: 7, revision: 1)]) == ["a"])
            #expect(try await harness.store.deleteRecallCard("a", of: 3) == false)
            #expect(try await harness.store.recallCards(["a"], of: 1).first?.dueAt == 5)
            #expect(try await harness.store.deleteRecallCard("a", of: 2))
            #expect(try await harness.store.recallCardCount(of: 1) == 1)
            #expect(try await harness.store.recallCards(["a"], of: 3).isEmpty)
        },
        ConformanceCase("a card is changed only over the revision before its own") { harness in
            let added = try await harness.store.store([card("a", due: 1)])
            #expect(added == ["a"])
            let later = card("a", content: "{\"é\":\"😀\"}", due: 2, revision: 1)
            #expect(try await harness.store.store([later]) == ["a"])
            // The same change again, another one at the same time, and the card as it was first added.
            #expect(try await harness.store.store([later]) == [])
            #expect(try await harness.store.store([card("a", due: 3, revision: 1)]) == [])
            #expect(try await harness.store.store([card("a", due: 4)]) == [])
            #expect(try await harness.fixture.open().recallCards(["a"], of: 1) == [later])
        },
        ConformanceCase("a card that was deleted is not added again by a change of it") { harness in
            _ = try await harness.store.store([card("a", due: 1)])
            #expect(try await harness.store.deleteRecallCard("a", of: 1))
            let lease = try await harness.running()
            let change = Effect.record(.recallCard(card("a", due: 2, revision: 1)))
            try await harness.store.complete(lease, with: 1, effects: [change])
            #expect(try await harness.store.recallCardCount(of: 1) == 0)
        },
        ConformanceCase("a cancelled job leaves no card, and a repeated completion adds none") { harness in
            let cancelled = try await harness.running()
            _ = try await harness.store.cancel(cancelled.job, of: nil)
            await #expect(throws: StoreError.leaseLost) {
                try await harness.store.complete(
                    cancelled, with: 1, effects: [.record(.recallCard(card("a", due: 1)))])
            }
            #expect(try await harness.store.recallCardCount(of: 1) == 0)
            let lease = try await harness.running()
            let effects = [Effect.record(.recallCard(card("a", due: 1)))]
            try await harness.store.complete(lease, with: 1, effects: effects)
            _ = try await harness.store.store([card("a", due: 8, revision: 1)])
            try await harness.store.complete(lease, with: 1, effects: effects)
            #expect(try await harness.store.recallCards(["a"], of: 1).map(\.dueAt) == [8])
        },
        ConformanceCase("due cards are listed by the time at which they became due, then by id") { harness in
            let cards = [card("c", due: 2), card("b", due: 1), card("a", due: 2), card("d", due: 9)]
            #expect(try await harness.store.store(cards) == ["a", "b", "c", "d"])
            let due = try await harness.store.dueRecallCards(of: 1, at: 2, offset: 0, limit: 9)
            #expect(due.map(\.id) == ["b", "a", "c"])
            #expect(try await harness.store.dueRecallCards(of: 1, at: 2, offset: 1, limit: 1) == [due[1]])
            #expect(try await harness.store.dueRecallCardCount(of: 1, at: 2) == 3)
            #expect(try await harness.store.recallCards(of: 1, after: "b", limit: 9).map(\.id) == ["c", "d"])
            #expect(try await harness.store.latestRecallCards(of: 1, limit: 2).map(\.id) == ["a", "b"])
            #expect(try await harness.store.recallCards(["d", "x", "a"], of: 1).map(\.id).sorted() == ["a", "d"])
        },
        ConformanceCase("a user has at most the cards of the limit") { harness in
            let all = (0..<RecallCard.mostPerUser).map { card("\($0)", due: 1) }
            #expect(try await harness.store.store(all).count == RecallCard.mostPerUser)
            #expect(try await harness.store.store([card("one more", due: 1)]) == [])
            #expect(try await harness.store.store([card("7", due: 2, revision: 1)]) == ["7"])
            #expect(try await harness.store.store([card("one more", of: 2, due: 1)]) == ["one more"])
            let lease = try await harness.running()
            try await harness.store.complete(
                lease, with: 1, effects: [.record(.recallCard(card("and another", due: 1)))])
            #expect(try await harness.store.recallCardCount(of: 1) == RecallCard.mostPerUser)
        },
        ConformanceCase("cards count as bytes that their user keeps") { harness in
            let before = try await harness.store.usage(of: 1).storedBytes
            _ = try await harness.store.store([card("a", content: "{\"é\":1}", due: 1)])
            #expect(try await harness.store.usage(of: 1).storedBytes == before + 8 + 2)
        },
        ConformanceCase("a NUL in a card is refused with its field") { harness in
            await #expect(throws: StoreError.invalidText(field: "recall_card.content")) {
                _ = try await harness.store.store([card("a", content: "\0", due: 1)])
            }
            let lease = try await harness.running()
            let effects = [Effect.record(.recallCard(card("\0", due: 1)))]
            await #expect(throws: StoreError.invalidText(field: "recall_card.id")) {
                try await harness.store.complete(lease, with: 1, effects: effects)
            }
            try await harness.store.complete(lease, with: 1, effects: [])
        },
    ]

    private static func card(
        _ id: String, of user: UserID = 1, content: String = "{}", due: Int64, revision: Int64 = 0
    ) -> RecallCard {
        RecallCard(
            user: user, id: id, concept: "gross margin", source: "https://a.example/", content: content,
            schedule: "{}", dueAt: Timestamp(milliseconds: due), revision: revision, createdAt: 1)
    }
}
