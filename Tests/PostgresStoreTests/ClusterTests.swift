import SQLSupport
import PostgresTesting
import Testing

/// The servers that the tests start.
@Suite struct ClusterTests {
    @Test func aDatabaseIsAPrivateCopyOfItsTemplate() async throws {
        let cluster = try await PostgresCluster.shared()
        let made = [
            try await cluster.makeDatabase(from: "things") { url in try await Self.prepare(url, on: cluster) },
            try await cluster.makeDatabase(from: "things") { url in try await Self.prepare(url, on: cluster) },
        ]
        try await made[0].sql("INSERT INTO thing VALUES (2)")
        #expect(try await made[0].sql("SELECT * FROM thing ORDER BY 1") == ["1", "2"])
        #expect(try await made[1].sql("SELECT * FROM thing ORDER BY 1") == ["1"])
        for database in made { await database.remove() }
        let names = try await cluster.sql("SELECT datname FROM pg_database")
        #expect(!names.contains(made[0].name))
    }

    @Test func aServerStopsAndStartsAndLeavesNoFiles() async throws {
        let cluster = try await PostgresCluster.start()
        for stop in [PostgresCluster.Stop.fast, .crash] {
            try await cluster.stop(stop)
            await #expect(throws: TestingFailure.self) { try await cluster.sql("SELECT 1") }
            try await cluster.start()
            #expect(try await cluster.sql("SELECT 1") == ["1"])
        }
        await cluster.close()
        await #expect(throws: TestingFailure.self) { try await cluster.sql("SELECT 1") }
    }

    @Test func aPoolerAnswersInPlaceOfTheServer() async throws {
        let cluster = try await PostgresCluster.shared()
        let bouncer = try await PgBouncer.start(before: cluster)
        #expect(bouncer.url(of: "postgres").contains(":\(bouncer.port)/postgres"))
        await bouncer.close()
    }

    private static func prepare(_ url: String, on cluster: PostgresCluster) async throws {
        let name = String(url.split(separator: "/").last ?? "")
        try await cluster.sql("CREATE TABLE thing (number integer); INSERT INTO thing VALUES (1)", in: name)
    }
}
