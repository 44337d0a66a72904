import JobQueue
import TestSupport
import Testing

/// One thing that every store does.
package struct ConformanceCase: Sendable, CustomTestStringConvertible {
    /// A sentence.
    package let name: String
    private let body: @Sendable (StoreHarness) async throws -> Void

    init(_ name: String, _ body: @escaping @Sendable (StoreHarness) async throws -> Void) {
        self.name = name
        self.body = body
    }

    /// The readings of a store's health that hold after whatever happened.
    static let places: Set<String> = ["integrity", "jobs_lost", "slots_wrong"]

    package var testDescription: String { name }

    /// Runs the case on an empty database. Whatever happened, at the end the credits must balance, and every job and every
    /// slot must be where it belongs.
    package func run(on kind: (some StoreFixture).Type) async throws {
        let clock = ManualStoreClock()
        let fixture = try await kind.init(clock: clock)
        do {
            let harness = StoreHarness(store: try await fixture.open(), clock: clock, fixture: fixture)
            try await body(harness)
            if !harness.expectsDiscrepancies { #expect(try await harness.store.auditCredits() == []) }
            let misplaced = try await harness.store.health().filter { Self.places.contains($0.name) && !$0.isGood }
            #expect(misplaced == [])
        } catch {
            await fixture.remove()
            throw error
        }
        await fixture.remove()
    }
}

/// All that is asked of a store, by topic.
package enum ConformanceSuite {}
