import JSON
import JobQueue
import Testing

extension ConformanceSuite {
    /// Documents, and through them how jobs write records.
    package static let documents: [ConformanceCase] = [
        ConformanceCase("a document is found by its key, and a later one takes its place") { bench in
            #expect(try await bench.store.documents(["quote:AAPL"]).isEmpty)
            let old = CachedDocument(key: "quote:AAPL", text: "{\"price\": 1}", storedAt: 1000, keptUntil: 9000)
            let new = CachedDocument(key: "quote:AAPL", text: "😀\\u0000 \"é\"", storedAt: 2000, keptUntil: 9000)
            try await bench.store.store(new)
            try await bench.store.store(old)
            #expect(try await bench.store.document("quote:AAPL") == new)
            let other = CachedDocument(key: "b", text: "", storedAt: 0, keptUntil: .max)
            try await bench.store.store(other)
            #expect(Set(try await bench.store.documents(["b", "c", "quote:AAPL", "b"])) == [new, other])
        },
        ConformanceCase("documents are deleted when their time is over, so many at once") { bench in
            for place in 0..<5 {
                try await bench.store.store(
                    CachedDocument(key: "\(place)", text: "x", storedAt: 0, keptUntil: Int64(place)))
            }
            #expect(try await bench.store.deleteDocuments(keptUntilBefore: 4, limit: 3) == 3)
            #expect(try await bench.store.deleteDocuments(keptUntilBefore: 4, limit: 3) == 1)
            #expect(try await bench.store.documents((0..<5).map(String.init)).map(\.key) == ["4"])
        },
        ConformanceCase("a step brings its records along, once") { bench in
            let lease = try await bench.running()
            let document = CachedDocument(key: "k", text: "t", storedAt: 1, keptUntil: 2)
            let step = Step(name: "fetch", occurrence: 0, inputHash: "h", output: 1)
            for _ in 0..<2 {
                _ = try await bench.store.append(
                    step, replacingFrom: nil, effects: [.record(.document(document))], under: lease)
            }
            #expect(try await bench.store.document("k") == document)
        },
        ConformanceCase("a completion brings its records along, the last of a key being what stays") { bench in
            let lease = try await bench.running()
            let effects = ["a", "b"].map {
                Effect.record(.document(CachedDocument(key: "k", text: $0, storedAt: 1, keptUntil: 2)))
            }
            try await bench.store.complete(lease, with: 1, effects: effects)
            #expect(try await bench.store.document("k")?.text == "b")
        },
        ConformanceCase("a completion that comes again writes no records again") { bench in
            let lease = try await bench.running()
            let effects = [Effect.record(.document(CachedDocument(key: "k", text: "t", storedAt: 1, keptUntil: 2)))]
            try await bench.store.complete(lease, with: 1, effects: effects)
            #expect(try await bench.store.deleteDocuments(keptUntilBefore: 3, limit: 1) == 1)
            try await bench.store.complete(lease, with: 1, effects: effects)
            #expect(try await bench.store.document("k") == nil)
        },
        ConformanceCase("whoever lost the lease writes no records") { bench in
            let lease = try await bench.running()
            _ = try await bench.store.cancel(lease.job, of: nil)
            let effects = [Effect.record(.document(CachedDocument(key: "k", text: "t", storedAt: 1, keptUntil: 2)))]
            await #expect(throws: StoreError.leaseLost) {
                try await bench.store.complete(lease, with: 1, effects: effects)
            }
            await #expect(throws: StoreError.leaseLost) {
                _ = try await bench.store.append(
                    Step(name: "s", occurrence: 0, inputHash: "h", output: 1), replacingFrom: nil, effects: effects,
                    under: lease)
            }
            #expect(try await bench.store.document("k") == nil)
        },
        ConformanceCase("a failure brings its records along") { bench in
            let lease = try await bench.running()
            let effects = [Effect.record(.document(CachedDocument(key: "k", text: "t", storedAt: 1, keptUntil: 2)))]
            try await bench.store.fail(
                lease,
                with: JobFailure(
                    error: JobError(code: "c", message: "m", userMessage: "u"), next: .giveUp, effects: effects))
            #expect(try await bench.store.document("k") != nil)
        },
        ConformanceCase("a NUL in a record of a job is refused by its field, and nothing is lost") { bench in
            let lease = try await bench.running()
            let effects = [Effect.record(.document(CachedDocument(key: "k", text: "\0", storedAt: 1, keptUntil: 2)))]
            await #expect(throws: StoreError.invalidText(field: "document.text")) {
                try await bench.store.complete(lease, with: 1, effects: effects)
            }
            try await bench.store.complete(lease, with: 1, effects: [])
        },
    ]
}
