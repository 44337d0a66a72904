import JSON
import JobQueue
import TestSupport
import Testing

extension ConformanceSuite {
    /// Explanations of stories.
    package static let explanations: [ConformanceCase] = [
        ConformanceCase("an explanation is found by its story, version and holdings, in whatever order these stand") {
            harness in
            let own = Self.explanation("s1", "v1", ["MSFT", "aapl", "AAPL"], "{\"what_happened\": \"é 😀 \\u0000\"}")
            let everybodys = Self.explanation("s1", "v1", [], "b")
            try await harness.keep([own, everybodys, Self.explanation("s2", "v1", [], "c")])
            let key = ExplanationKey(story: "s1", version: "v1", holdings: ["AAPL", "MSFT"])
            #expect(try await harness.store.explanation(key) == own)
            let both = try await harness.store.explanations([key, everybodys.key, key])
            #expect(Set(both) == [own, everybodys])
            for stranger in [
                ExplanationKey(story: "s1", version: "v1", holdings: ["AAPL"]),
                ExplanationKey(story: "s3", version: "v1"), ExplanationKey(story: "", version: ""),
            ] { #expect(try await harness.store.explanations([stranger]).isEmpty) }
            #expect(try await harness.store.explanations([]).isEmpty)
        },
        ConformanceCase("where a version has no explanation yet, the latest of another one stands in") { harness in
            let old = Self.explanation("s", "v1", [], "old", at: 1000)
            let new = Self.explanation("s", "v2", [], "new", at: 2000)
            try await harness.keep([old, new])
            let next = ExplanationKey(story: "s", version: "v3")
            #expect(try await harness.store.explanations([next]) == [new])
            #expect(try await harness.store.explanation(next) == nil)
            #expect(try await harness.store.explanations([old.key]) == [old])
            #expect(try await harness.store.explanation(old.key) == old)
        },
        ConformanceCase("of two explanations of one key the later one stays") { harness in
            let late = Self.explanation("s", "v", [], "late", at: 2000)
            try await harness.keep([late])
            try await harness.keep([Self.explanation("s", "v", [], "early", at: 1000)])
            #expect(try await harness.store.explanation(late.key) == late)
        },
        ConformanceCase("a leader's completion keeps the explanation and settles who waited") { harness in
            let job = try await harness.submitSharing()
            let lease = try await harness.claimOne(try await harness.worker()).lease
            let made = Self.explanation("s", "v", [], "b")
            try await harness.store.complete(lease, with: ["x": 1], effects: [.record(.storyExplanation(made))])
            #expect(try await harness.store.explanation(made.key) == made)
            #expect(try await harness.job(job.id).status == .completed)
        },
        ConformanceCase("old explanations are deleted, so many at once") { harness in
            try await harness.keep(
                (0..<5).map { Self.explanation("s\($0)", "v", [], "b", at: Timestamp(milliseconds: Int64($0))) })
            #expect(try await harness.store.deleteExplanations(createdBefore: 4, limit: 3) == 3)
            #expect(try await harness.store.deleteExplanations(createdBefore: 4, limit: 3) == 1)
            let keys = (0..<5).map { ExplanationKey(story: "s\($0)", version: "v") }
            #expect(try await harness.store.explanations(keys).map(\.story) == ["s4"])
        },
    ]

    private static func explanation(
        _ story: String, _ version: String, _ holdings: [String], _ body: String, at timestamp: Timestamp = 1000
    ) -> StoryExplanation {
        StoryExplanation(
            ExplanationKey(story: story, version: version, holdings: holdings), body: body, provenance: "{}",
            createdAt: timestamp)
    }
}

extension StoreHarness {
    /// Has a job write explanations.
    fileprivate func keep(_ explanations: [StoryExplanation]) async throws {
        try await keep(explanations.map { RecordChange.storyExplanation($0) })
    }
}
