import Basics
import HTTP
import JSON
import JobQueue
import News
import Testing

@testable import Broker

/// The language and the time zone of the person behind a request.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ReaderTests {
    private static let preferences = "/v1/preferences"

    // MARK: Preferences

    @Test func zoneAndLanguageAreStoredAndForgotten() async throws {
        try await TestService.with { service in
            let changed = try await service.plain(
                .put, Self.preferences, #"{"time_zone": "America/New_York", "language": "de-CH"}"#)
            #expect(changed.json["time_zone"] == "America/New_York" && changed.json["language"] == "de")
            _ = try await service.plain(.put, Self.preferences, #"{"holdings": ["AAPL"]}"#)
            let read = try await service.plain(.get, Self.preferences)
            #expect(read.json["time_zone"] == "America/New_York" && read.json["language"] == "de")
            _ = try await service.plain(.put, Self.preferences, #"{"time_zone": null, "language": null}"#)
            let after = try await service.plain(.get, Self.preferences)
            #expect(after.json["time_zone"] == .null && after.json["language"] == .null)
        }
    }

    @Test(arguments: [
        (#"{"time_zone": "Europe/Berln"}"#, "time_zone"), (#"{"time_zone": "EST"}"#, "time_zone"),
        (#"{"time_zone": "+02:00"}"#, "time_zone"), (#"{"time_zone": "../../etc/passwd"}"#, "time_zone"),
        (#"{"time_zone": 2}"#, "time_zone"), (#"{"language": "pl"}"#, "language"),
        (#"{"language": "de_DE"}"#, "language"),
        (#"{"language": ["de"]}"#, "language"), (#"{"language": ""}"#, "language"),
    ])
    func whatIsNoZoneOrLanguageIsRefusedByName(_ body: String, _ field: String) async throws {
        try await TestService.with { service in
            let answer = try await service.plain(.put, Self.preferences, body)
            #expect(answer.status == 400 && answer.json["details"]?.string?.contains(field) == true, "\(answer.json)")
        }
    }

    // MARK: Today

    private static func story(_ name: String, day: String, at time: Timestamp) -> [RecordChange] {
        let article = NewsArticle(
            id: name, url: "https://news.example/\(name)", title: "\(name) reports earnings", source: "Paper",
            publishedAt: time, fetchedAt: time, day: day)
        let story = NewsStory(
            key: name, day: day, title: article.title, impact: .moderate, confidence: .medium, tickers: [],
            members: [StoryMember(article: name, url: article.url, similarity: 9000, addedAt: time)], createdAt: time,
            updatedAt: time)
        return [.article(article), .story(story)]
    }

    @Test func todayIsTheReadersDay() async throws {
        try await TestService.with { service in
            let midnight = try #require(FeedTimestamp.start(ofDate: "2026-01-05"))
            try await service.write(
                Self.story("noon", day: "2026-01-04", at: midnight - .seconds(12 * 3600))
                    + Self.story("late", day: "2026-01-04", at: midnight - .seconds(3600))
                    + Self.story("early", day: "2026-01-05", at: midnight + .seconds(3600)))
            // Two in the morning in UTC: nine in the evening of the fourth in New York, eleven of the fifth in Tokyo.
            service.time.stop(at: midnight.milliseconds + 2 * 3_600_000)
            func shown(_ zone: String?, _ query: String = "") async throws -> (String?, Set<String>) {
                let answer = try await service.plain(
                    .get, "/v1/feed/story-groups" + query, headers: zone.map { ["X-Time-Zone": $0] } ?? [:])
                let titles = answer.json["global"]?.array?.compactMap { $0["group_title"]?.string } ?? []
                return (
                    answer.json["date"]?.string,
                    Set(titles.compactMap { $0.split(separator: " ").first.map(String.init) })
                )
            }
            #expect(try await shown(nil) == ("2026-01-05", ["early"]))
            #expect(try await shown("America/New_York") == ("2026-01-04", ["noon", "late", "early"]))
            #expect(try await shown("Asia/Tokyo") == ("2026-01-05", ["late", "early"]))
            #expect(try await shown("America/New_York", "?date=2026-01-05") == ("2026-01-05", []))
            // A preference goes before the header.
            _ = try await service.plain(.put, Self.preferences, #"{"time_zone": "Asia/Tokyo"}"#)
            #expect(try await shown("America/New_York") == ("2026-01-05", ["late", "early"]))
        }
    }

    @Test func aHeaderThatIsNoZoneIsRefused() async throws {
        try await TestService.with { service in
            let answer = try await service.plain(
                .get, "/v1/feed/story-groups", headers: ["X-Time-Zone": "Berlin time"])
            #expect(answer.status == 400 && answer.json["details"]?.string?.contains("X-Time-Zone") == true)
        }
    }

    /// On the days on which clocks change, the reader's day has 23 or 25 hours.
    @Test(arguments: [("2026-03-29", 23), ("2026-10-25", 25), ("2026-06-01", 24)])
    func daysOfChangingClocksAreWhole(_ date: String, _ hours: Int64) throws {
        let zone = try #require(ZoneOffsets(named: "Europe/Berlin"))
        let day = try #require(ReaderDay(date, in: zone))
        #expect(day.end.milliseconds - day.start.milliseconds == hours * 3_600_000)
        #expect(ReaderDay.date(at: day.start, in: zone) == date)
        #expect(ReaderDay.date(at: day.end - .milliseconds(1), in: zone) == date)
    }

    // MARK: The language of jobs

    /// The input of the job that a request submits.
    private func input(
        _ service: TestService, _ job: JSON, _ headers: [(String, String)] = [], user: String
    ) async throws -> JSON? {
        let worker = try await FakeWorker(service, "worker-\(user)")
        var all: HTTPHeaders = ["X-User-ID": user]
        for (name, value) in headers { all[name] = value }
        let answer = try await service.ask(.post, "/api/v1/jobs", job, headers: all)
        guard answer.status == 202 else { return nil }
        return try await service.store.claim(for: worker.id, upTo: [.interactive: 9, .background: 9]).jobs.first?.input
    }

    @Test func jobsGetTheReadersLanguage() async throws {
        try await TestService.with { service in
            let job: JSON = ["kind": "interpret", "input": ["textOrUrl": "Sales rose."]]
            #expect(try await input(service, job, user: "1")?["language"] == nil)
            #expect(
                try await input(service, job, [("Accept-Language", "fr-CA, en;q=0.8")], user: "2")?["language"] == "fr")
            #expect(try await input(service, job, [("Accept-Language", "pl")], user: "3")?["language"] == nil)
            _ = try await service.plain(.put, Self.preferences, #"{"language": "es"}"#, user: "4")
            #expect(try await input(service, job, [("Accept-Language", "fr")], user: "4")?["language"] == "es")
            var own = job
            own["input"]?["language"] = "de-AT"
            #expect(try await input(service, own, [("Accept-Language", "fr")], user: "4")?["language"] == "de")
            // A kind without languages is left alone.
            let note: JSON = ["kind": "note", "input": [:]]
            #expect(try await input(service, note, [("Accept-Language", "fr")], user: "5") == [:])
        }
    }

    @Test func aLanguageThatNobodyWritesIsRefusedByName() async throws {
        try await TestService.with { service in
            let job: JSON = ["kind": "interpret", "input": ["textOrUrl": "Sales rose.", "language": "pl"]]
            let answer = try await service.ask(.post, "/api/v1/jobs", job)
            #expect(answer.status == 422 && answer.field == "input.language", "\(answer.text)")
        }
    }
}
