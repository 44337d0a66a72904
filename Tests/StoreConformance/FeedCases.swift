import JSON
import JobQueue
import TestSupport
import Testing

extension ConformanceSuite {
    /// What models made of articles, and briefs: written by jobs alone.
    package static let feeds: [ConformanceCase] = [
        ConformanceCase("the later signal of an article stays") { harness in
            let lease = try await harness.running()
            let url = "https://example.com/ä?q='\"%"
            let signals: [(Timestamp, String)] = [(2, "{\"verdict\":\"aware\"}"), (1, "{}")]
            let effects = signals.map { timestamp, text in
                Effect.record(.articleSignal(ArticleSignal(url: url, signal: text, madeAt: timestamp)))
            }
            try await harness.store.complete(lease, with: 1, effects: effects)
            #expect(
                try await harness.store.signals(of: [url, "https://example.com/b"]) == [url: "{\"verdict\":\"aware\"}"])
            #expect(try await harness.store.signals(of: []) == [:])
        },
        ConformanceCase("signals a month older than the latest are forgotten") { harness in
            let lease = try await harness.running()
            let month: Int64 = 30 * 86_400_000
            let effects = [("a", 0), ("b", 1), ("c", month + 1)].map { url, milliseconds in
                let timestamp = Timestamp(milliseconds: milliseconds)
                return Effect.record(.articleSignal(ArticleSignal(url: url, signal: "{}", madeAt: timestamp)))
            }
            try await harness.store.complete(lease, with: 1, effects: effects)
            #expect(Set(try await harness.store.signals(of: ["a", "b", "c"]).keys) == ["b", "c"])
        },
        ConformanceCase("each user has the latest brief, and everybody has one") { harness in
            let lease = try await harness.running()
            let old = Brief(user: 7, items: "[1]", generatedAt: 1)
            let new = Brief(user: 7, items: "[2]", generatedAt: 2)
            let all = Brief(user: Brief.everybody, items: "[]", generatedAt: 2)
            _ = try await harness.store.append(
                StoreHarness.step("a"), replacingFrom: nil, effects: [new, all].map { .record(.brief($0)) },
                under: lease)
            try await harness.store.complete(lease, with: 1, effects: [.record(.brief(old))])
            #expect(try await harness.store.briefs(of: [7, 8, Brief.everybody]) == [all, new])
            #expect(try await harness.store.briefs(of: [8]) == [])
        },
    ]
}
