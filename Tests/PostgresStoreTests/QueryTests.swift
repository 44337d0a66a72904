import Foundation
import PostgresTesting
import SQLSupport
import Testing

@testable import PostgresStore

/// Compares the names of queries with the files of `SQL/`, and prepares the texts on a fresh database.
@Suite struct QueryTests {
    private static let names = Query.allCases.map(\.rawValue) + RecordQuery.allCases.map(\.rawValue)

    @Test func everyNameHasOneTextAndEveryTextHasAName() {
        #expect(QueryText.files.repeated == [])
        #expect(Set(Self.names).subtracting(QueryText.files.texts.keys) == [], "names without a text")
        #expect(Set(QueryText.files.texts.keys).subtracting(Self.names) == [], "texts without a name")
    }

    @Test func everyFileIsEmbedded() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/PostgresStore/SQL")
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".sql") }
        let written = try files.flatMap { file in
            let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            return text.matches(of: #/(?m)^-- name: (\S+)$/#).map { String($0.output.1) }
        }
        #expect(Set(written).subtracting(Self.names) == [], "names in files that no query bears")
    }

    @Test func everyQueryIsOneStatementThatAFreshDatabaseCanPrepare() async throws {
        let database = try await PostgresFixture.makeDatabase()
        for name in Self.names {
            await #expect(throws: Never.self, "\(name)") {
                try await database.sql("PREPARE \(name) AS \(QueryText(named: name).text)")
            }
        }
        await database.remove()
    }
}
