import Broker
import Foundation
import HTTP
import JSON
import Basics
import TestSupport
import Testing

/// `GET|PUT /v1/preferences`.
@Suite(.serialized, .timeLimit(.minutes(10))) struct PreferencesTests {
    private static let path = "/v1/preferences"

    @Test func theAppsTypeDecodesTheAnswerToAChange() async throws {
        try await TestService.with { service in
            let answer = try await service.plain(
                .put, Self.path,
                """
                {"focus_profile": "focused", "holdings": ["AAPL", "MSFT", "NVDA",
                 {"ticker": "TSLA", "label": "Tesla - Growth", "notes": "Tech/EV exposure"}]}
                """)
            #expect(answer.status == 200)
            let changed = try answer.decoded(NewsClient.PreferencesResponse.self)
            #expect(changed.success && changed.focus_profile == "focused" && changed.holdings_count == 4)
            let read = try await service.plain(.get, Self.path)
            #expect(try read.decoded(NewsClient.PreferencesResponse.self).holdings_count == 4)
            let holdings = try read.decoded(NewsClient.Holdings.self).holdings
            #expect(holdings.map(\.ticker) == ["AAPL", "MSFT", "NVDA", "TSLA"])
            #expect(holdings.last?.label == "Tesla - Growth" && holdings.first?.notes == nil)
        }
    }

    @Test func omittedPreferencesStay() async throws {
        try await TestService.with { service in
            let before = try await service.plain(.get, Self.path)
            #expect(before.json["focus_profile"] == "balanced" && before.json["updated_at"] == .null)
            _ = try await service.plain(.put, Self.path, #"{"holdings": ["AAPL"], "focus_profile": null}"#)
            _ = try await service.plain(.put, Self.path, #"{"focus_profile": "broad"}"#)
            let after = try await service.plain(.get, Self.path)
            #expect(after.json["focus_profile"] == "broad" && after.json["holdings"]?[0]?["ticker"] == "AAPL")
            #expect(try await service.plain(.put, Self.path, "{}").json["holdings_count"] == 1)
            #expect(try await service.plain(.put, Self.path, #"{"holdings": []}"#).json["holdings_count"] == 0)
        }
    }

    @Test func tickersAreNormalizedAndUnique() async throws {
        try await TestService.with { service in
            let body = #"{"holdings": ["brk.b", {"ticker": "BRK-B", "label": "Berkshire"}, " btc ", "BF/A", "0700"]}"#
            #expect(try await service.plain(.put, Self.path, body).json["holdings_count"] == 4)
            let holdings = try await service.plain(.get, Self.path).decoded(NewsClient.Holdings.self).holdings
            #expect(holdings.map(\.ticker) == ["BRK-B", "BTC", "BF-A", "0700"])
            #expect(holdings.first?.label == "Berkshire")
        }
    }

    @Test(arguments: [
        #"{"holdings": ["TOOLONG"]}"#, #"{"holdings": [""]}"#, #"{"holdings": ["AAPL", "BRK.ABC"]}"#,
        #"{"holdings": [{"ticker": "A B"}]}"#, #"{"holdings": ["<b>"]}"#, #"{"holdings": ["ÄÖ"]}"#,
    ])
    func aMalformedTickerHasTheDocumentsMessage(body: String) async throws {
        try await TestService.with { service in
            let answer = try await service.plain(.put, Self.path, body)
            #expect(answer.status == 400)
            let error = try answer.decoded(NewsClient.ErrorResponse.self)
            #expect(error.error == "Invalid ticker format. Use 1-5 letters/numbers (e.g., AAPL, NVDA)")
            #expect(error.details?.contains("holdings[") == true)
            #expect(try await service.plain(.get, Self.path).json["holdings_count"] == 0)
        }
    }

    @Test(arguments: [
        (#"{"focus_profile": "narrow"}"#, "'focus_profile' must be one of focused, balanced, broad."),
        (#"{"focus_profile": 3}"#, "'focus_profile' must be a string, not a number."),
        (#"{"holdings": "AAPL"}"#, "'holdings' must be an array, not a string."),
        (#"{"holdings": [3]}"#, "'holdings[0]' must be a ticker or an object with a ticker."),
        (#"{"holdings": [{}]}"#, "'holdings[0].ticker' is missing."),
        (#"{"holdings": [{"ticker": "A", "shares": 3}]}"#, "'holdings[0].shares' is not a known field"),
        (#"{"holding": []}"#, "'holding' is not a known field; allowed are focus_profile, holdings, time_zone, lang"),
        (#"{"holdings": [{"ticker": "A", "label": "\u0000"}]}"#, "must not contain a NUL character."),
        ("[]", "must be a JSON object"), ("{", "not valid JSON"), ("", "missing"),
    ])
    func invalidFieldsAreNamed(_ body: String, _ problem: String) async throws {
        try await TestService.with { service in
            let answer = try await service.plain(.put, Self.path, body)
            #expect(answer.status == 400)
            let error = try answer.decoded(NewsClient.ErrorResponse.self)
            #expect(error.error == "Invalid request")
            #expect(error.details?.contains(problem) == true, "\(error.details ?? "")")
        }
    }

    @Test func invalidPreferencesAreRefused() async throws {
        try await TestService.with { service in
            let many = (0...200).map { "\"A\($0)\"" }.joined(separator: ",")
            let long = String(repeating: "x", count: 1001)
            for body in [
                "{\"holdings\": [\(many)]}", "{\"holdings\": [{\"ticker\": \"A\", \"notes\": \"\(long)\"}]}",
                "{\"holdings\": [{\"ticker\": \"A\", \"label\": \"\(long.prefix(101))\"}]}",
            ] {
                let answer = try await service.plain(.put, Self.path, body)
                #expect(answer.status == 400)
            }
        }
    }

    @Test func usersSeeAndChangeOnlyTheirOwnHoldings() async throws {
        try await TestService.with { service in
            _ = try await service.plain(.put, Self.path, #"{"holdings": ["AAPL"]}"#, user: "7")
            _ = try await service.plain(.put, Self.path, #"{"holdings": ["MSFT"]}"#, user: "8")
            let seven = try await service.plain(.get, Self.path, user: "7")
            #expect(seven.json["holdings"]?[0]?["ticker"] == "AAPL" && seven.json["holdings_count"] == 1)
            #expect(try await service.plain(.get, Self.path, user: "9").json["holdings_count"] == 0)
            // The query names the user only without a header.
            let query = try await service.plain(.get, Self.path + "?user_id=7", user: "8")
            #expect(query.json["holdings"]?[0]?["ticker"] == "MSFT")
        }
    }

    @Test func aMissingUserHasTheDocumentsMessage() async throws {
        try await TestService.with {
            $0.authentication = .gateway(secret: Secret("s"))
        } _: { service in
            let answer = try await service.plain(.get, Self.path, headers: ["X-Gateway-Secret": "s"])
            #expect(answer.status == 400)
            #expect(try answer.decoded(NewsClient.ErrorResponse.self).error == "User ID is required")
            let stranger = try await service.plain(.get, Self.path, user: "7")
            #expect(stranger.status == 401)
        }
    }

    @Test func tooManyRequestsHaveTheDocumentsMessage() async throws {
        try await TestService.with {
            $0.rateLimit = 1
        } _: { service in
            #expect(try await service.plain(.get, Self.path).response.headers["X-RateLimit-Remaining"] == "0")
            let answer = try await service.plain(.get, Self.path)
            #expect(answer.status == 429 && answer.json["error"] == "Rate limit exceeded")
            #expect(answer.response.headers["X-RateLimit-Limit"] == "1")
        }
    }
}
