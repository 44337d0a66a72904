/// A database for one test.
package struct PostgresDatabase: Sendable {
    package let name: String
    package let cluster: PostgresCluster

    /// Its address, over TCP with a password.
    package var url: String { cluster.url(of: name) }

    /// Runs statements as the superuser; each row of the answers as `psql -At` prints it.
    @discardableResult
    package func sql(_ statements: String) async throws -> [String] { try await cluster.sql(statements, in: name) }

    /// The tables, types, indexes, views and rights of the database, as `pg_dump` prints them, without functions and
    /// without the parts that differ between servers or runs.
    package func schema() async throws -> String {
        let dump = try await Program.output(
            of: [
                try PostgresCluster.binaries() + "/pg_dump", "--schema-only", "--no-owner", "-h", cluster.folder, "-p",
                "\(cluster.port)", "-U", PostgresCluster.user, "-d", name,
            ])
        var isInFunction = false
        let lines = dump.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
            if line.hasPrefix("CREATE FUNCTION ") { isInFunction = true }
            defer { if line.hasSuffix("$;") { isInFunction = false } }
            return !isInFunction
                && !["--", "SET ", "SELECT pg_catalog.", "\\"].contains(where: line.hasPrefix)
        }
        // One empty line between two statements.
        return String(
            lines.joined(separator: "\n").replacing(#/\n{3,}/#, with: "\n\n").trimmingPrefix(while: \.isNewline))
    }

    /// All rows of all tables, as statements that `pg_dump` prints.
    package func rows() async throws -> String {
        try await Program.output(
            of: [
                try PostgresCluster.binaries() + "/pg_dump", "--data-only", "--inserts", "-h", cluster.folder, "-p",
                "\(cluster.port)", "-U", PostgresCluster.user, "-d", name,
            ])
    }

    /// Drops the database, and ends all sessions in it.
    package func remove() async { await cluster.remove(name) }
}

/// Creates databases, a limited number at a time: a thousand tests at once would need more connections than a server
/// has.
actor DatabaseMaker {
    private static let limit = 12

    private var templates: [String: Task<String, any Error>] = [:]
    private var made = 0
    private var present: Set<String> = []
    private var isFull: Bool { present.count + entering >= Self.limit }
    private var entering = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func make(
        on cluster: PostgresCluster, from template: String, prepare: @escaping @Sendable (String) async throws -> Void
    ) async throws -> String {
        while isFull { await withCheckedContinuation { waiting.append($0) } }
        entering += 1
        defer { entering -= 1 }
        let source = templates[template] ?? Task { try await Self.makeTemplate(template, on: cluster, prepare) }
        templates[template] = source
        made += 1
        let name = "test_\(made)"
        do {
            try await cluster.sql("CREATE DATABASE \(name) TEMPLATE \(try await source.value)")
        } catch {
            wakeOne()
            throw error
        }
        present.insert(name)
        return name
    }

    func remove(_ name: String, on cluster: PostgresCluster) async {
        guard present.contains(name) else { return }
        _ = try? await cluster.sql("DROP DATABASE IF EXISTS \(name) WITH (FORCE)")
        present.remove(name)
        wakeOne()
    }

    private func wakeOne() {
        if !waiting.isEmpty { waiting.removeFirst().resume() }
    }

    private static func makeTemplate(
        _ template: String, on cluster: PostgresCluster, _ prepare: @Sendable (String) async throws -> Void
    ) async throws -> String {
        let name = "template_of_\(template)"
        try await cluster.sql("CREATE DATABASE \(name)")
        try await prepare(cluster.url(of: name))
        return name
    }
}
