import BrokerClient
import DossierAPI
import Foundation
import Glibc
import HTTP
import JSON
import PostgresTesting
import Testing

extension SystemTests.Crashes {
    /// Erasure of a user by real processes.
    @Suite(.serialized) struct ErasureTests {
        private static let word = "kestrelquartz"
        /// The id of a request, which is in the logs.
        private static let requestID = "marbleheron"
        /// Its subject is its number.
        private static let user = 815_471_133

        /// Plants texts through the API, erases the user, kills the broker that answered, and searches the database.
        @Test(.timeLimit(.minutes(10)), arguments: DatabaseEngine.allCases)
        func nothingOfAnErasedUserIsInTheDatabaseAlthoughABrokerWasKilled(engine: DatabaseEngine) async throws {
            try await Fleet.with(database: { try await engine.open(in: $0) }) { fleet in
                let broker = try await fleet.startBroker()
                let worker = try await fleet.startWorker()
                try await plant(fleet)
                #expect(try await places(fleet) != [])
                // No call of the job that stays open may be in the costs after them.
                worker.signal(SIGTERM)
                #expect(try await worker.ended() == .code(0))
                let costs = try await fleet.run("costs", "--by", "day", "--json").output
                #expect(costs.contains("cost_micro_dollars") || costs.contains("micro"))

                let user = Self.user
                #expect(try await fleet.send(.delete, "/api/v1/users/me", user: user).status == 422)
                let open = try await fleet.submit(user: user)
                let answer = try await fleet.send(.delete, "/api/v1/users/me?confirm=true", user: user)
                #expect(answer.status == 202, "\(answer.body)")
                let id = try #require(answer.data["deletion_id"]?.string)
                broker.signal(SIGKILL)
                _ = try await broker.ended()

                try await fleet.startBroker()
                _ = try await fleet.startWorker()
                let refused = try await fleet.send(.get, "/api/v1/jobs/\(open.id)", user: user)
                #expect(refused.status == 403 && refused.code == "AUTH_1006", "\(refused.body)")
                try await eventually("the erasure completed") {
                    try await fleet.send(.get, "/api/v1/deletions/\(id)").data["status"] == "completed"
                }
                let found = try await places(fleet)
                #expect(found == [])
                try await fleet.expectCleanAudit()
                #expect(try await fleet.run("costs", "--by", "day", "--json").output == costs)
                #expect(!fleet.logs.contains { $0.contains(Self.word) })
                try await eventually("the name is a new account") {
                    try await fleet.send(.get, "/api/v1/credits", user: user).status == 200
                }
                #expect(try await fleet.credits(user: user).granted == 0)
            }
        }

        /// The lines of the command and of the job are the same, but for what happened in between.
        @Test(.timeLimit(.minutes(10)))
        func anOperatorWritesTheArchiveOfAUserFromTheCommandLine() async throws {
            try await Fleet.with { fleet in
                try await fleet.startBroker()
                _ = try await fleet.startWorker()
                try await plant(fleet)
                let subject = String(Self.user)
                let file = fleet.folder + "/archive.jsonl"
                #expect(try await fleet.run("users", "export", subject).exit == .code(2))
                let written = try await fleet.run("users", "export", subject, "--output", file, "--json")
                #expect(written.exit == .code(0), "\(written)")
                let attributes = try FileManager.default.attributesOfItem(atPath: file)
                #expect(attributes[.posixPermissions] as? Int == 0o600)
                #expect(!FileManager.default.fileExists(atPath: file + ".part"))
                let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map {
                    try JSON(parsing: String($0))
                }
                let count = try JSON(parsing: written.output)["lines"]
                #expect(lines.last == ["type": "end", "lines": count ?? .null] && count == JSON(lines.count - 1))
                let again = try await fleet.run("users", "export", subject, "--output", file)
                #expect(again.exit == .code(1) && again.errors.contains("--replace replaces it"), "\(again)")
                let replaced = try await fleet.run("users", "export", subject, "--output", file, "--replace")
                #expect(replaced.exit == .code(0), "\(replaced)")
                let printed = try await fleet.run("users", "export", subject, "--output", "-")
                #expect(printed.output.split(separator: "\n").count == lines.count)

                let download = try await fleet.text("/api/v1/users/me/export", user: Self.user)
                let own = try download.split(separator: "\n").map { try JSON(parsing: String($0)) }
                // The endpoint tells of the tries of deliveries.
                let changed: Set = ["export", "job", "webhook_endpoint"]
                func rest(_ lines: [JSON]) -> [JSON] { lines.filter { !changed.contains($0["type"]?.string ?? "") } }
                #expect(rest(own) == rest(lines))
                let unknown = try await fleet.run("users", "export", "nobody", "--output", file + "l")
                #expect(unknown.exit == .code(1) && unknown.errors.contains("there is no user"), "\(unknown)")
                let audit = try await fleet.run("admin", "audit", "--action", "users.export", "--json").output
                #expect(audit.contains("\"type\":\"cli\""))
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func anOperatorErasesAUserFromTheCommandLine() async throws {
            try await Fleet.with { fleet in
                try await fleet.startBroker()
                try await plant(fleet, runsJobs: false)
                let subject = String(Self.user)
                #expect(try await fleet.run("users", "erase", subject).exit == .code(2))
                let erased = try await fleet.run("users", "erase", subject, "--yes", "--json")
                #expect(erased.exit == .code(0), "\(erased)")
                #expect(try JSON(parsing: erased.output)["status"] == "completed")
                #expect(try await places(fleet) == [])
                try await fleet.expectCleanAudit()
                let again = try await fleet.run("users", "erase", subject, "--yes")
                #expect(again.exit == .code(1) && again.errors.contains("there is no user"), "\(again)")
            }
        }

        /// Texts of the user in everything that the API takes.
        private func plant(_ fleet: Fleet, runsJobs: Bool = true) async throws {
            let word = Self.word
            func send(_ method: HTTPMethod, _ path: String, _ body: JSON? = nil, key: String? = nil) async throws
                -> JSON
            {
                let headers: HTTPHeaders = key.map { ["Idempotency-Key": $0, "X-Request-ID": Self.requestID] } ?? [:]
                let answer = try await fleet.send(method, path, user: Self.user, headers: headers, body: body)
                #expect((200...299).contains(answer.status), "\(method) \(path): \(answer.body)")
                return answer.data
            }
            _ = try await send(
                .put, "/v1/preferences",
                ["holdings": [["ticker": "AAPL", "label": JSON("\(word) label"), "notes": JSON("\(word) notes")]]])
            _ = try await send(
                .post, "/api/v1/webhooks/endpoints",
                ["url": JSON("https://example.com/\(word)"), "description": JSON("\(word) endpoint")], key: "\(word)-1")
            _ = try await send(
                .post, "/api/v1/admin/credits/grants",
                [
                    "user": JSON(String(Self.user)), "amount": 5, "external_id": JSON("shop:\(word)"),
                    "source": "purchase", "note": JSON("\(word) note"), "create": true,
                ])
            _ = try await send(
                .post, "/api/v1/admin/keys", ["name": JSON("\(word) key"), "scopes": ["admin:read"]], key: "\(word)-2")
            let question = try await send(
                .post, "/api/v1/jobs",
                ["kind": "education", "input": ["question": JSON("What is a \(word) margin?")]], key: "\(word)-3")
            guard runsJobs else { return }
            let answered = try await fleet.end(of: try #require(question["id"]?.string), user: Self.user)
            #expect(answered.status == "completed", "\(answered)")
            let report = try await fleet.submit(user: Self.user, key: "\(word)-4")
            #expect(try await fleet.end(of: report.id, user: Self.user).status == "completed")
            let export = try await send(.post, "/api/v1/users/me/export")
            let made = try await fleet.end(of: try #require(export["id"]?.string), user: Self.user)
            #expect(made.status == "completed", "\(made)")
            let archive = try await fleet.text("/api/v1/users/me/export", user: Self.user)
            #expect(archive.contains("What is a \(word) margin?"))
        }

        /// The places of the database that hold the word or the user's number.
        private func places(_ fleet: Fleet) async throws -> [String] {
            let texts = [Self.word, Self.requestID, String(Self.user)]
            if let postgres = fleet.database as? PostgresFleetDatabase {
                let rows = try await postgres.database.rows().split(separator: "\n")
                return rows.filter { row in texts.contains { row.contains($0) } }.map { String($0.prefix(300)) }
            }
            var found: [String] = []
            for file in ["/dossier.db", "/dossier.db-wal"] {
                let bytes = FileManager.default.contents(atPath: fleet.folder + file) ?? Data()
                for text in [Self.word, Self.requestID] where bytes.range(of: Data(text.utf8)) != nil {
                    found.append("\(text) in \(file)")
                }
            }
            let columns = try await fleet.query(
                """
                SELECT 'SELECT 1 FROM "' || t.name || '" WHERE instr(CAST("' || c.name || '" AS TEXT), '''
                FROM sqlite_master AS t
                CROSS JOIN pragma_table_info(t.name) AS c
                WHERE t.type = 'table'
                """)
            for column in columns {
                for text in texts where try await !fleet.query(column + text + "') > 0 LIMIT 1").isEmpty {
                    found.append("\(column)\(text)")
                }
            }
            return found
        }
    }
}
