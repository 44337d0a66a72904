import JSON
import JobQueue
import TestSupport
import Testing

extension ConformanceSuite {
    /// Conversations.
    package static let conversations: [ConformanceCase] = [
        ConformanceCase("a turn is stored with the result of its job, once, and read in order") { harness in
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
        ConformanceCase("a job that was cancelled leaves no turn") { harness in
            let lease = try await harness.running()
            _ = try await harness.store.cancel(lease.job, of: nil)
            await #expect(throws: StoreError.leaseLost) {
                try await harness.store.complete(
                    lease, with: 1, effects: [.record(.turn(turn(of: lease, in: "c", question: "Why?", at: 0)))])
            }
            #expect(try await harness.store.turns(of: "c", user: 1, last: 10).isEmpty)
        },
        ConformanceCase("nobody reads or goes on with another user's conversation") { harness in
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
        ConformanceCase("a user's conversations are listed, those with the newest answers first") { harness in
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
        ConformanceCase("a NUL in a turn is refused by its field") { harness in
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
