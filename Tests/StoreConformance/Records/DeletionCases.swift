import JSON
import JobQueue
import TestSupport
import Testing

extension ConformanceSuite {
    /// Deletions of single things at the wish of their user.
    package static let deletions: [ConformanceCase] = [
        ConformanceCase("a finished job is deleted by its user alone, once, and the ledger stays") { harness in
            let worker = try await harness.worker()
            let id = try await harness.submit(cost: 2).id
            let store = harness.store
            #expect(try await store.deleteJob(id, of: 1) == .unfinished)
            let lease = try await harness.claimOne(worker).lease
            _ = try await store.append(StoreHarness.step("a"), replacingFrom: nil, effects: [], under: lease)
            #expect(try await store.deleteJob(id, of: 1) == .unfinished)
            let report = passage(of: id, owner: 1, "alphabetical")
            let other = passage(of: harness.makeID(), owner: 2, "alphabetical beta")
            try await store.complete(
                lease, with: ["report": "text"], effects: [.record(.passage(report)), .record(.passage(other))])
            #expect(try await store.passages(holding: ["alphabetical"], for: 1, limit: 5) == [report])
            #expect(try await store.deleteJob(id, of: 2) == .unknown)
            #expect(try await store.deleteJob(harness.makeID(), of: 1) == .unknown)
            #expect(try await store.deleteJob(id, of: 1) == .deleted)
            #expect(try await store.deleteJob(id, of: 1) == .unknown)
            #expect(try await store.job(id, of: nil) == nil)
            #expect(try await store.journal(of: id).isEmpty)
            #expect(try await store.passages(holding: ["alphabetical"], for: 1, limit: 5) == [])
            #expect(try await store.passages(holding: ["alphabetical"], for: 2, limit: 5) == [other])
            #expect(try await harness.balance() == CreditBalance(granted: 10, held: 0, used: 2))
            let entries = try await store.ledger(of: 1, LedgerFilter(job: id), before: nil, limit: 9)
            #expect(entries.map(\.movement) == [.settle, .hold] && entries.allSatisfy { $0.kind == "research" })
        },
        ConformanceCase("a deleted job that was moved to the history is gone, too") { harness in
            let lease = try await harness.running(cost: 1)
            try await harness.store.complete(lease, with: ["report": "text"], effects: [])
            harness.clock.advance(by: .seconds(40 * 86_400))
            while try await harness.store.archiveFinished(before: harness.clock.now, limit: 100) > 0 {}
            #expect(try await harness.store.deleteJob(lease.job, of: 1) == .deleted)
            #expect(try await harness.store.jobWithResult(lease.job, of: nil) == nil)
            #expect(try await harness.store.usage(of: 1) == UserUsage())
        },
        ConformanceCase("a conversation is deleted by its user alone, unless a job answers in it") { harness in
            let worker = try await harness.worker()
            let conversation = harness.makeID()
            for user: Int64 in [1, 1, 2] {
                try await harness.submit(user) { $0.kind = "chat" }
                let lease = try await harness.claimOne(worker).lease
                let turn = ConversationTurn(
                    job: lease.job.description, conversation: conversation.description, user: UserID(rawValue: user),
                    subject: "education", question: "q", answer: "a", citations: "[]", askedAt: harness.clock.now,
                    answeredAt: harness.clock.now)
                try await harness.store.complete(lease, with: 1, effects: [.record(.turn(turn))])
            }
            let store = harness.store
            let pending = try await harness.submit { $0.concurrencyKey = "education/\(conversation)" }
            #expect(try await store.deleteConversation(conversation, of: 1).outcome == .unfinished)
            #expect(try await store.turns(of: conversation.description, user: 1, last: 9).count == 2)
            _ = try await store.cancel(pending.id, of: nil)
            #expect(try await store.deleteConversation(harness.makeID(), of: 1).outcome == .unknown)
            let (outcome, turns) = try await store.deleteConversation(conversation, of: 1)
            #expect(outcome == .deleted && turns == 2)
            #expect(try await store.deleteConversation(conversation, of: 1).outcome == .unknown)
            #expect(try await store.turns(of: conversation.description, user: 2, last: 9).count == 1)
        },
    ]
}

private func passage(of source: JobID, owner: UserID, _ terms: String) -> Passage {
    Passage(
        kind: .report, source: source.description, part: 0, owner: owner, title: "Report", url: nil, text: terms,
        terms: terms, writtenAt: Timestamp(milliseconds: 1))
}
