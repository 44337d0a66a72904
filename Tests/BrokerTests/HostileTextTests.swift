import Basics
import HTTP
import HTTPServer
import JSON
import JobQueue
import TestSupport
import Testing

@testable import Broker

/// Texts of requests that are slow to compare, or look like others.
@Suite(.serialized, .timeLimit(.minutes(10))) struct HostileTextTests {
    /// Places of a body in which a text may be.
    struct Place: Sendable, CustomStringConvertible {
        let description: String
        let body: @Sendable (_ text: String) -> String

        static let all = [
            Place(description: "a key") { "{\"\($0)\":1}" },
            Place(description: "many keys") { text in
                let keys = text.unicodeScalars.chunks(of: 40).enumerated()
                return "{" + keys.map { "\"\($0)\($1)\":1" }.joined(separator: ",") + "}"
            },
            Place(description: "keys in keys") { "{\"input\":{\"a\":{\"\($0)\":{\"\($0)\":1}}}}" },
            Place(description: "focus_profile") { "{\"focus_profile\":\"\($0)\"}" },
            Place(description: "a ticker") { "{\"holdings\":[\"\($0)\",{\"ticker\":\"\($0)\"}]}" },
            Place(description: "a label") { "{\"holdings\":[{\"ticker\":\"A\",\"label\":\"\($0)\"}]}" },
            Place(description: "kind and persona") { "{\"kind\":\"\($0)\",\"input\":{\"persona\":\"\($0)\"}}" },
            Place(description: "a list") {
                "{\"input\":[" + repeatElement("\"\($0)\"", count: 3).joined(separator: ",") + "]}"
            },
            Place(description: "escaped") { text in
                let escaped = text.utf16.map { unit in
                    let hex = String(unit, radix: 16)
                    return "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
                }
                return "{\"kind\":\"\(escaped.joined())\"}"
            },
        ]
    }

    @Test(arguments: HostileText.all, Place.all)
    func readingAndLookingUpCostsLinearTime(hostile: HostileText, place: Place) {
        let known = Dictionary(uniqueKeysWithValues: (0..<20).map { ("kind-\($0)", $0) })
        let growth = CPUCost.growth(
            { Array(place.body(hostile.text(bytes: $0)).utf8) }, from: 24 << 10
        ) { bytes in
            guard let body = try? ServerRequest(.post, "/", body: bytes).jsonBody() else { return }
            try? body.allowOnly(["kind", "input", "priority", "run_at", "within"])
            _ = try? PreferencesRequest(body)
            for field in [body["kind"], body["focus_profile"], body["input"]["persona"]] {
                guard let text = try? field.string() else { continue }
                _ = known[text]
                _ = FocusProfile(rawValue: text)
                _ = text.uppercased()
            }
            _ = body.value?.canonical
            _ = body.value?.hashValue
        }
        #expect(growth < CPUCost.linear)
    }

    @Test func aLongKeyIsRefusedWithItsPlace() async throws {
        try await TestService.with { service in
            let key = "a" + String(repeating: "\u{301}\u{316}", count: 25_000)
            for body in ["{\"\(key)\": 1}", "{\"kind\": \"note\", \"input\": {\"\(key)\": 1}}"] {
                let answer = try await service.ask(.post, "/api/v1/jobs", bytes: Array(body.utf8))
                #expect(answer.status == 422 && answer.code == "VAL_3004")
                let message = answer["error"]?["message"]?.string ?? ""
                #expect(message.contains("line 1, column") && message.contains("256 are the limit"), "\(message)")
            }
        }
    }

    @Test func limitsOfTextsCountScalars() async throws {
        try await TestService.with { service in
            let family = "👨\u{200D}👩\u{200D}👧\u{200D}👦"
            func put(_ label: String) async throws -> Int {
                let body: JSON = ["holdings": [["ticker": "A", "label": JSON(label)]]]
                return try await service.plain(.put, "/v1/preferences", body.compact).status
            }
            let labels = [(family, 14), (family, 15), ("ü", 100), ("ü", 101)]
            var statuses: [Int] = []
            for (text, count) in labels { statuses.append(try await put(String(repeating: text, count: count))) }
            #expect(statuses == [200, 400, 200, 400])
        }
    }

    @Test func storedTextsHaveNoControlCharacters() async throws {
        try await TestService.with { service in
            let body = #"{"holdings": [{"ticker": "A", "notes": "red \u001b[31m\u009b1m \u202eevil\u202c\u2028end"}]}"#
            #expect(try await service.plain(.put, "/v1/preferences", body).status == 200)
            let stored = try await service.plain(.get, "/v1/preferences").json["holdings"]?[0]?["notes"]?.string
            #expect(stored == "red [31m1m evil\nend")
        }
    }

    // MARK: Users

    /// Equal as strings, but not in their bytes.
    private static let pairs = [
        ("Kate", "\u{212A}ate"), ("jos\u{E9}", "jose\u{301}"), ("a;b", "a\u{37E}b"), ("x`", "x\u{1FEF}"),
    ]

    @Test(arguments: pairs)
    func idsThatDifferInBytesAreDifferentUsers(one: String, other: String) async throws {
        try await TestService.with { service in
            func escaped(_ text: String) -> String {
                text.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            }
            func user(_ subject: String) async throws -> (id: Int64?, subject: String?) {
                let answer = try await service.ask(.get, "/api/v1/users/me?user_id=\(escaped(subject))")
                return (answer["data"]?["id"]?.integer, answer["data"]?["subject"]?.string)
            }
            let (first, second) = (try await user(one), try await user(other))
            #expect(first.id != nil && second.id != nil && first.id != second.id)
            #expect(first.subject.map { Array($0.utf8) } == Array(one.utf8))
            #expect(second.subject.map { Array($0.utf8) } == Array(other.utf8))
            // The cache of this broker and the database agree.
            try await service.beside({ _ in }) { beside in
                let again = try await beside.ask(.get, "/api/v1/users/me?user_id=\(escaped(other))")
                #expect(again["data"]?["id"]?.integer == second.id)
            }
        }
    }

    @Test(arguments: pairs)
    func tokensOfIDsThatDifferInBytesAreForDifferentUsers(one: String, other: String) async throws {
        let tokens = SessionTokens(secret: Secret("a secret of more than sixteen bytes"))
        try await TestService.with({ $0.authentication = .jwt(tokens) }) { service in
            var ids: Set<Int64> = []
            for subject in [one, other] {
                let token = try tokens.issue(to: subject).accessToken
                let answer = try await service.ask(
                    .get, "/api/v1/users/me", headers: ["Authorization": "Bearer \(token)"])
                ids.insert(try #require(answer["data"]?["id"]?.integer))
            }
            #expect(ids.count == 2)
        }
    }

    @Test(arguments: ["a%C2%9Bb", "a%E2%80%AEb", "a%E2%80%A8b", "a" + String(repeating: "%CC%81", count: 31)])
    func anIDWithControlCharactersOrManyMarksIsRefused(escaped: String) async throws {
        try await TestService.with { service in
            let answer = try await service.ask(.get, "/api/v1/users/me?user_id=\(escaped)")
            #expect(answer.status == 401 && answer.code == "AUTH_1003", "\(answer.text)")
        }
    }
}

extension String.UnicodeScalarView {
    /// The scalars in texts of a fixed length.
    fileprivate func chunks(of length: Int) -> [String] {
        var chunks: [String] = []
        var rest = self[...]
        while !rest.isEmpty {
            chunks.append(String(rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        return chunks
    }
}
