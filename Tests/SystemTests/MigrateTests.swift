import Foundation
import Testing

extension SystemTests.Surface {
    @Suite(.serialized) struct MigrateTests {
        @Test(.timeLimit(.minutes(10)), arguments: DatabaseEngine.allCases)
        func tenProcessesThatMigrateAtOnceMakeOneSchema(on engine: DatabaseEngine) async throws {
            try await Fleet.with(database: { try await engine.open(in: $0) }) { fleet in
                let migrating = try (0..<10).map { _ in try fleet.start(["migrate"]) }
                for process in migrating {
                    #expect(try await process.ended() == .code(0), "\(process.errors.text)")
                }
                let twice = "SELECT count(*) - count(DISTINCT version) FROM migration"
                #expect(try await fleet.query(twice) == ["0"])
                #expect(try await fleet.query("SELECT min(version) FROM migration") == ["1"])
                // The schema is whole: what needs most of it works.
                #expect(try await fleet.run("doctor").exit == .code(0))
                try await fleet.expectCleanAudit()
            }
        }
    }
}
