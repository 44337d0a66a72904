import JobQueue
public import Testing

/// One thing that every store does.
public struct ConformanceCase: Sendable, CustomTestStringConvertible {
    /// A sentence.
    public let name: String
    private let body: @Sendable (Bench) async throws -> Void

    init(_ name: String, _ body: @escaping @Sendable (Bench) async throws -> Void) {
        self.name = name
        self.body = body
    }

    public var testDescription: String { name }

    /// Runs the case on an empty database. Whatever happened, the credits must balance at the end.
    public func run(on kind: (some StoreFixture).Type) async throws {
        let clock = ManualClock()
        let fixture = try await kind.init(clock: clock)
        do {
            let bench = Bench(store: try await fixture.open(), clock: clock, fixture: fixture)
            try await body(bench)
            if !bench.expectsDiscrepancies { #expect(try await bench.store.auditCredits() == []) }
        } catch {
            await fixture.remove()
            throw error
        }
        await fixture.remove()
    }
}

/// All that is asked of a store, by topic.
public enum ConformanceSuite {}
