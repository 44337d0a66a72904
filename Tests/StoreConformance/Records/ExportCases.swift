import JSON
import JobQueue
import TestSupport
import Testing

extension ConformanceSuite {
    /// Archives of the data of users.
    package static let exports: [ConformanceCase] = [
        ConformanceCase("an archive is there with its job's result, and has the parts of the run that made it alone") {
            harness in
            let store = harness.store
            let worker = try await harness.worker()
            let id = try await harness.submit().id
            let lost = try await harness.claimOne(worker).lease
            for number in 0..<3 { try await store.storeExportPart(number, "lost \(number)\n", under: lost) }
            try await store.snooze([lost], after: .zero)
            #expect(try await store.newestExport(of: 1) == nil, "there is no half archive")

            let lease = try await harness.claimOne(worker).lease
            #expect(lease.job == id && lease.epoch > lost.epoch)
            await harness.expect(.leaseLost) { try await store.storeExportPart(0, "late\n", under: lost) }
            try await store.discardExportParts(under: lost)
            let texts = [String(repeating: "{\"text\":\"größer ✓\"}\n", count: 60_000), "{}\n"]
            try await store.storeExportPart(0, "written twice\n", under: lease)
            for (number, text) in texts.enumerated() { try await store.storeExportPart(number, text, under: lease) }
            let export = try await harness.export(lease, parts: 2)

            #expect(try await store.newestExport(of: 1) == export)
            for (number, text) in texts.enumerated() {
                let isSame = try await store.exportPart(number, of: export) == text
                #expect(isSame, "part \(number)")
            }
            #expect(try await store.exportPart(2, of: export) == nil)
            var other = export
            other.epoch = lost.epoch
            #expect(try await store.exportPart(0, of: other) == nil, "the parts of the run that died are gone")
            #expect(try await store.newestExport(of: 2) == nil)
            await harness.expect(.leaseLost) { try await store.storeExportPart(3, "late\n", under: lease) }
        },
        ConformanceCase("a run can discard the parts of all runs of its job, and of no other") { harness in
            let store = harness.store
            let (first, second) = (try await harness.running(), try await harness.running())
            for lease in [first, second] { try await store.storeExportPart(0, "text\n", under: lease) }
            try await store.discardExportParts(under: first)
            #expect(try await store.exportPart(0, of: try await harness.export(first, parts: 1)) == nil)
            #expect(try await store.exportPart(0, of: try await harness.export(second, parts: 1)) == "text\n")
        },
        ConformanceCase("archives go after their time with all parts, and parts that belong to none") { harness in
            let store = harness.store
            let old = try await harness.running()
            for number in 0..<3 { try await store.storeExportPart(number, "old\n", under: old) }
            let gone = try await harness.export(old, parts: 3)
            try await store.storeExportPart(0, "of a run that died\n", under: try await harness.running())
            let slow = try await harness.running()
            try await store.storeExportPart(0, "early\n", under: slow)
            harness.clock.advance(by: .seconds(1000))
            try await store.storeExportPart(1, "late\n", under: slow)
            let kept = try await harness.export(slow, parts: 2)

            let time = harness.clock.now - .seconds(500)
            var counts: [Int] = []
            repeat { counts.append(try await store.deleteExports(madeBefore: time, limit: 3)) } while counts.last != 0
            #expect(counts == [3, 1, 0])
            #expect(try await store.exportPart(0, of: gone) == nil)
            #expect(try await store.newestExport(of: 1) == kept)
            #expect(try await store.exportPart(0, of: kept) == "early\n", "an archive keeps all of its parts")
            #expect(try await store.exportPart(1, of: kept) == "late\n")
            #expect(try await store.deleteExports(madeBefore: harness.clock.now + .seconds(1), limit: 9) == 2)
            #expect(try await store.newestExport(of: 1) == nil)
        },
        ConformanceCase("an archive goes with its job, and the one before it is the newest again") { harness in
            let store = harness.store
            var exports: [UserExport] = []
            for _ in 0..<2 {
                let lease = try await harness.running()
                try await store.storeExportPart(0, "text\n", under: lease)
                exports.append(try await harness.export(lease, parts: 1))
                harness.clock.advance(by: .seconds(10))
            }
            let newest = try #require(JobID(exports[1].job))
            #expect(try await store.deleteJob(newest, of: 2) == .unknown)
            #expect(try await store.newestExport(of: 1) == exports[1])
            #expect(try await store.deleteJob(newest, of: 1) == .deleted)
            #expect(try await store.newestExport(of: 1) == exports[0])
            #expect(try await store.exportPart(0, of: exports[1]) == nil)
            #expect(try await store.exportPart(0, of: exports[0]) == "text\n")
        },
        ConformanceCase("the ids of a user's conversations come in pages that new turns do not move") { harness in
            let worker = try await harness.worker()
            let conversations = (0..<3).map { _ in harness.makeID().description }.sorted()
            for (user, conversation) in [(1, 0), (1, 1), (1, 0), (1, 2), (2, 1)] as [(Int64, Int)] {
                try await harness.submit(user)
                let lease = try await harness.claimOne(worker).lease
                let turn = ConversationTurn(
                    job: lease.job.description, conversation: conversations[conversation],
                    user: UserID(rawValue: user), subject: "education", question: "q", answer: "a", citations: "[]",
                    askedAt: harness.clock.now, answeredAt: harness.clock.now)
                try await harness.store.complete(lease, with: 1, effects: [.record(.turn(turn))])
            }
            let store = harness.store
            #expect(try await store.conversationIDs(of: 1, after: "", limit: 2) == Array(conversations[..<2]))
            #expect(try await store.conversationIDs(of: 1, after: conversations[1], limit: 2) == [conversations[2]])
            #expect(try await store.conversationIDs(of: 2, after: "", limit: 9) == [conversations[1]])
        },
    ]
}

extension StoreHarness {
    /// Completes a job with an archive of the parts that it has stored.
    func export(_ lease: Lease, parts: Int) async throws -> UserExport {
        let job = try await job(lease.job)
        let export = UserExport(
            job: lease.job.description, user: job.user, epoch: lease.epoch, madeAt: clock.now, lines: 7, bytes: 70,
            parts: parts)
        try await store.complete(lease, with: ["lines": 7], effects: [.record(.userExport(export))])
        return export
    }
}
