import JSON
import JobQueue
import TestSupport
import Testing

extension ConformanceSuite {
    /// Documents, and through them how jobs write records.
    package static let documents: [ConformanceCase] = [
        ConformanceCase("a document is found by its key, and a later one takes its place") { harness in
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
        ConformanceCase("documents are deleted when their time is over, so many at once") { harness in
            for place in 0..<5 {
                try await harness.store.store(
                    CachedDocument(
                        key: "\(place)", text: "x", storedAt: 0, keptUntil: Timestamp(milliseconds: Int64(place))))
            }
            #expect(try await harness.store.deleteDocuments(keptUntilBefore: 4, limit: 3) == 3)
            #expect(try await harness.store.deleteDocuments(keptUntilBefore: 4, limit: 3) == 1)
            #expect(try await harness.store.documents((0..<5).map(String.init)).map(\.key) == ["4"])
        },
        ConformanceCase("a step brings its records along, once") { harness in
            let lease = try await harness.running()
            let document = CachedDocument(key: "k", text: "t", storedAt: 1, keptUntil: 2)
            let step = Step(name: "fetch", occurrence: 0, inputHash: "h", output: 1)
            for _ in 0..<2 {
                _ = try await harness.store.append(
                    step, replacingFrom: nil, effects: [.record(.document(document))], under: lease)
            }
            #expect(try await harness.store.document("k") == document)
        },
        ConformanceCase("a completion brings its records along, the last of a key being what stays") { harness in
            let lease = try await harness.running()
            let effects = ["a", "b"].map {
                Effect.record(.document(CachedDocument(key: "k", text: $0, storedAt: 1, keptUntil: 2)))
            }
            try await harness.store.complete(lease, with: 1, effects: effects)
            #expect(try await harness.store.document("k")?.text == "b")
        },
        ConformanceCase("a completion that comes again writes no records again") { harness in
            let lease = try await harness.running()
            let effects = [Effect.record(.document(CachedDocument(key: "k", text: "t", storedAt: 1, keptUntil: 2)))]
            try await harness.store.complete(lease, with: 1, effects: effects)
            #expect(try await harness.store.deleteDocuments(keptUntilBefore: 3, limit: 1) == 1)
            try await harness.store.complete(lease, with: 1, effects: effects)
            #expect(try await harness.store.document("k") == nil)
        },
        ConformanceCase("whoever lost the lease writes no records") { harness in
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
        ConformanceCase("a failure brings its records along") { harness in
            let lease = try await harness.running()
            let effects = [Effect.record(.document(CachedDocument(key: "k", text: "t", storedAt: 1, keptUntil: 2)))]
            try await harness.store.fail(
                lease,
                with: JobFailure(
                    error: JobError(code: "c", message: "m", userMessage: "u"), next: .giveUp, effects: effects))
            #expect(try await harness.store.document("k") != nil)
        },
        ConformanceCase("a NUL in a record of a job is refused by its field, and nothing is lost") { harness in
            let lease = try await harness.running()
            let effects = [Effect.record(.document(CachedDocument(key: "k", text: "\0", storedAt: 1, keptUntil: 2)))]
            await #expect(throws: StoreError.invalidText(field: "document.text")) {
                try await harness.store.complete(lease, with: 1, effects: effects)
            }
            try await harness.store.complete(lease, with: 1, effects: [])
        },
    ]
}
