import Foundation
import JSON
import Testing

extension SystemTests.Surface {
    @Suite struct StoriesTests {
        private static func line(_ id: String, _ title: String, at time: String = "2026-11-21T10:00:00Z") -> String {
            JSON.object([
                "id": JSON(id), "title": JSON(title), "url": JSON("https://example.com/\(id)"), "source": "Wire",
                "published_at": JSON(time),
            ]).compact
        }

        private func run(_ lines: [String], in fleet: Fleet) async throws -> (
            result: Fleet.CommandResult, groups: [String: String]
        ) {
            let file = fleet.folder + "/articles.jsonl"
            try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: file))
            let result = try await fleet.run(["stories", file])
            var groups: [String: String] = [:]
            for line in result.output.split(separator: "\n") {
                let value = try JSON(parsing: String(line))
                groups[value["id"]?.string ?? ""] = value["group"]?.string
            }
            return (result, groups)
        }

        @Test(.timeLimit(.minutes(5)))
        func articlesAreGroupedInTheOrderOfTheInputAndByDay() async throws {
            try await Fleet.with { fleet in
                let lines = [
                    Self.line("c", "Nevada explosion: Acme Rockets boosters recalled", at: "2026-11-21T11:00:00.5Z"),
                    Self.line("a", "Acme Rockets recalls 2,000 boosters after Nevada explosion"), "",
                    Self.line("b", "Quorvia bank fined over Lisbon money laundering", at: "2026-11-21T12:00:00+01:00"),
                    Self.line(
                        "d", "Acme Rockets explosion in Nevada prompts booster recall", at: "2026-11-22T00:00:00Z"),
                ]
                let (result, groups) = try await run(lines, in: fleet)
                #expect(result.exit == .code(0), "\(result)")
                #expect(groups == ["a": "a", "b": "b", "c": "a", "d": "d"])
                #expect(
                    result.output.split(separator: "\n").map { $0.prefix(9) } == [
                        "{\"id\":\"c\"", "{\"id\":\"a\"", "{\"id\":\"b\"", "{\"id\":\"d\"",
                    ])
                let (again, _) = try await run(lines.reversed(), in: fleet)
                #expect(again.output.split(separator: "\n").sorted() == result.output.split(separator: "\n").sorted())
            }
        }

        @Test(.timeLimit(.minutes(5)))
        func figuresMeasureTheGroupingOfLabelledArticles() async throws {
            try await Fleet.with { fleet in
                let lines = [
                    ("a", "Acme Rockets recalls 2,000 boosters after Nevada explosion", "rockets"),
                    ("b", "Nevada explosion: Acme Rockets boosters recalled", "rockets"),
                    ("c", "Quorvia bank fined over Lisbon money laundering", "bank"),
                    ("d", "Glacier Foods to buy Tundra Snacks", nil),
                ].map { id, title, story in
                    JSON.object([
                        "id": JSON(id), "title": JSON(title), "url": "", "source": "Wire", "story": JSON(story),
                        "published_at": "2026-11-21T10:00:00Z",
                    ]).compact
                }
                let file = fleet.folder + "/labelled.jsonl"
                try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: file))
                let result = try await fleet.run(["stories", file, "--figures"])
                #expect(result.exit == .code(0), "\(result)")
                let figures = try JSON(parsing: result.output)
                #expect(figures["articles"] == 4 && figures["labelled"] == 3 && figures["labels"] == 2)
                #expect(figures["by_day"]?["groups"] == 3 && figures["by_day"]?["f1"] == 1, "\(result.output)")
                #expect(figures["whole"]?["moved"] == 0)
            }
        }

        @Test(.timeLimit(.minutes(5)))
        func anUnreadableLineIsNamed() async throws {
            try await Fleet.with { fleet in
                let good = Self.line("a", "A title")
                for (line, problem) in [
                    ("{", "line 2: not JSON"), ("[]", "line 2: not an object"),
                    (good, "line 2: 'id' is the same as in line 1"),
                    (#"{"id":"b"}"#, "line 2: 'published_at' is missing"),
                    (Self.line("b", "x", at: "yesterday"), "line 2: 'published_at' is not an ISO 8601 date and time"),
                ] {
                    let (result, _) = try await run([good, line], in: fleet)
                    #expect(result.exit == .code(1) && result.output.isEmpty, "\(result)")
                    #expect(result.errors.hasPrefix("dossier: " + problem), "\(result.errors)")
                }
                let missing = try await fleet.run(["stories", fleet.folder + "/none"])
                #expect(missing.exit == .code(1))
                #expect(try await fleet.run("stories").exit == .code(2))
            }
        }
    }
}
