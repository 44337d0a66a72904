import DataSources
import Foundation
import HTTP
import JobQueue
import JSON
import SQLiteStore
import TestSupport
import Testing

@testable import Broker

/// Headlines, articles, search and the availability of models.
@Suite(.serialized, .timeLimit(.minutes(10))) struct HeadlineTests {
    private static let path = "/api/v1/news/top-headlines"

    // MARK: As an app reads it

    struct Article: Decodable {
        struct Source: Decodable {
            let id: String?
            let name: String
        }

        let id: String
        let title: String
        let description: String?
        let url: String
        let imageUrl: String?
        let urlToImage: String?
        let source: Source
        let author: String?
        let publishedAt: Date
        let category: String?
        let content: String?
        let suggestedQuestions: [String]?
    }

    struct Pagination: Decodable {
        let page: Int
        let perPage: Int
        let totalItems: Int
        let totalPages: Int
        let hasNext: Bool
        let hasPrev: Bool
    }

    struct Envelope<Payload: Decodable>: Decodable {
        struct Meta: Decodable { let cacheHit: Bool? }

        let success: Bool
        let data: Payload
        let pagination: Pagination?
        let meta: Meta
    }

    private func read<Payload: Decodable>(_ answer: Answer, as type: Payload.Type) throws -> Envelope<Payload> {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .custom { decoder in
            let text = try decoder.singleValueContainer().decode(String.self)
            return try Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        }
        return try decoder.decode(Envelope<Payload>.self, from: Data(answer.response.body))
    }

    // MARK: Headlines

    @Test func allPagesOfHeadlinesTakeOneRequestToTheSource() async throws {
        let news = ScriptedNews(45)
        try await TestService.with(news: news.sources) { service in
            let first = try read(
                try await service.ask(.get, Self.path + "?category=business"), as: [Article].self)
            #expect(first.data.count == 20 && first.meta.cacheHit == false)
            let pagination = try #require(first.pagination)
            #expect(pagination.totalItems == 45 && pagination.totalPages == 3 && pagination.hasNext)
            let bare = try #require(first.data.first)
            #expect(
                bare.author == nil && bare.description == nil && bare.imageUrl == nil && bare.category == "business")
            #expect(first.data[1].imageUrl == first.data[1].urlToImage && first.data[1].imageUrl != nil)
            #expect(first.data[1].source.name == "Harbour Times" && first.data[1].url == "https://harbour.example/1")
            let last = try read(
                try await service.ask(.get, Self.path + "?category=Business&page=5&page_size=10"), as: [Article].self)
            #expect(last.data.count == 5 && last.pagination?.hasNext == false && last.pagination?.hasPrev == true)
            #expect(last.meta.cacheHit == true && news.asked.count == 1)
            let beyond = try read(
                try await service.ask(.get, Self.path + "?category=business&page=9"), as: [Article].self)
            #expect(beyond.data.isEmpty && beyond.pagination?.totalItems == 45)
            _ = try await service.ask(.get, Self.path)
            #expect(news.asked.count == 2 && news.asked.last?.contains("country=us") == true)
            #expect(news.asked.allSatisfy { !$0.contains("k3y") })
        }
    }

    @Test func concurrentRequestsShareOneFetch() async throws {
        let news = ScriptedNews(3)
        try await TestService.with(news: news.sources) { service in
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<20 { group.addTask { try await service.ask(.get, Self.path).status } }
                for try await status in group { #expect(status == 200) }
            }
            #expect(news.asked.count == 1)
        }
    }

    @Test func aHeadlineIsReadByIDAndFoundByWords() async throws {
        let news = ScriptedNews(30)
        try await TestService.with(news: news.sources) { service in
            let list = try read(try await service.ask(.get, Self.path), as: [Article].self).data
            let article = try #require(list.dropFirst().first)
            let answer = try await service.ask(.get, "/api/v1/news/articles/\(article.id)")
            let detail = try read(answer, as: Article.self).data
            #expect(detail.title == article.title && detail.content == "The beginning of it…")
            #expect(detail.suggestedQuestions?.count == 4)
            #expect(answer["data"]?["content_is_whole"] == false)
            let found = try read(
                try await service.ask(.get, "/api/v1/news/search?q=Headline+7+TIN"), as: [Article].self)
            #expect(found.data.map(\.title) == ["Headline 7 about tin"] && found.pagination?.totalItems == 1)
            #expect(try await service.ask(.get, "/api/v1/news/articles/nonsense").status == 404)
        }
    }

    @Test func withoutAKeyOrSourceTheListsHoldStoredArticles() async throws {
        let news = ScriptedNews(3)
        news.fail()
        for sources in [NewsSources(), news.sources] {
            try await TestService.with(news: sources) { service in
                try await keep(service, (0..<25).map { Self.article($0, category: $0 < 22 ? "science" : "health") })
                let list = try read(
                    try await service.ask(.get, Self.path + "?category=science&page=2"), as: [Article].self)
                #expect(list.data.map(\.id) == ["a1", "a0"] && list.pagination?.totalItems == 22)
                #expect(list.meta.cacheHit == nil)
                #expect(try await service.ask(.get, Self.path)["pagination"]?["total_items"] == 25)
            }
        }
    }

    @Test func searchCoversTitlesAndTexts() async throws {
        try await TestService.with { service in
            try await keep(service, (0..<3).map { Self.article($0, category: "science") })
            for (query, ids) in [
                ("planets", ["a2", "a1", "a0"]), ("PLANET+a1", ["a1"]), ("sentence&category=health", []),
                ("nowhere", []), ("sentences&page_size=1&page=2", ["a1"]),
            ] {
                let found = try read(try await service.ask(.get, "/api/v1/news/search?q=\(query)"), as: [Article].self)
                #expect(found.data.map(\.id) == ids, "\(query)")
            }
        }
    }

    @Test func invalidNewsParametersAreNamed() async throws {
        try await TestService.with { service in
            for (path, field) in [
                (Self.path + "?category=politics", "category"), (Self.path + "?page=0", "page"),
                (Self.path + "?page_size=101", "page_size"), ("/api/v1/news/search?q=%20-", "q"),
                ("/api/v1/news/search", "q"), ("/api/v1/news/search?q=a+b+c+d+e+f+g+h+i+j+k", "q"),
            ] {
                let answer = try await service.ask(.get, path)
                #expect(answer.status == 422 && answer["error"]?["details"]?["field"] == JSON(field), "\(path)")
            }
        }
    }

    // MARK: Availability

    @Test func availabilityGivesTheReasonWhenModelsAreUnavailable() async throws {
        var sources = NewsSources()
        try await TestService.with(news: sources) { service in
            func check() async throws -> JSON? { try await service.ask(.get, "/api/v1/news/availability")["data"] }
            let before = try #require(try await check())
            #expect(before["available"] == false && before["reason"] == "no_worker")
            let worker = try await FakeWorker(service)
            // The workers are read once a second.
            var now = try #require(try await check())
            while now["reason"] == "no_worker" { now = try #require(try await check()) }
            #expect(now["available"] == true && now["chat"] == true && now["summary"] == true)
            #expect(now["reason"] == .null)
            async let asking = service.wait("/api/v1/education/chat", #"{"question": "What is a moat?"}"#)
            let lease = try await worker.next()
            let error = JobError(code: "EXT_4004", message: "Claude is overloaded.", userMessage: "Try later.")
            try await service.store.fail(lease, with: JobFailure(error: error, next: .giveUp))
            let refused = try await asking
            #expect(refused.status == 503 && refused.json["error"]?["code"] == "EXT_4004", "\(refused.json)")
            #expect(refused.json["error"]?["details"]?["job_id"] == JSON(lease.job.description))
            try await service.store.heartbeat(worker.id)
            #expect(try await check()?["reason"] == "models_failing")
        }
        sources.modelsAreConfigured = false
        try await TestService.with(news: sources) { service in
            _ = try await FakeWorker(service)
            let answer = try await service.ask(.get, "/api/v1/news/availability")
            #expect(answer["data"]?["reason"] == "no_model")
        }
    }

    // MARK: Articles that were taken in

    static func article(_ number: Int, category: String) -> NewsArticle {
        NewsArticle(
            id: "a\(number)", url: "https://wire.example/\(number)", title: "Planet a\(number)",
            description: "A description.", text: "The first paragraph of a\(number).\n\nA second sentence.",
            source: "Wire", author: "Ada", image: "https://wire.example/\(number).png", category: category,
            publishedAt: Timestamp(milliseconds: Int64(number) * 1000), fetchedAt: 0)
    }

    /// Stores articles through a job.
    private func keep(_ service: TestService, _ articles: [NewsArticle]) async throws {
        let worker = try await FakeWorker(service)
        let job = try await service.submit("note", input: [:])
        try await service.store.complete(
            try await worker.claim(job), with: 1, effects: articles.map { .record(.article($0)) })
    }
}

@Suite struct ModelAvailabilityTests {
    private let availability = ModelAvailability(areConfigured: true)
    private static let late = APIError.failure(of: JobID(high: 0, low: 1), .deadlinePassed)

    @Test func oneLateAnswerDoesNotMakeModelsUnavailable() {
        availability.record(Self.late)
        #expect(availability.problem == nil)
    }

    @Test func twoLateAnswersInARowMakeModelsUnavailable() {
        availability.record(Self.late)
        availability.record(Self.late)
        #expect(availability.problem == "models_failing")
        availability.record(nil)
        #expect(availability.problem == nil)
    }

    @Test func aSuccessResetsTheCountOfLateAnswers() {
        for _ in 0..<3 {
            availability.record(Self.late)
            availability.record(nil)
        }
        #expect(availability.problem == nil)
    }

    @Test func clientErrorsDoNotMakeModelsUnavailable() {
        for _ in 0..<3 { availability.record(.notFound("The article")) }
        #expect(availability.problem == nil)
    }
}
