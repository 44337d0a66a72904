import DossierClient
import Foundation
import ScriptedServer
import Testing

@testable import AppModels

/// Articles with their chat, recall, and forecasts.
@MainActor @Suite(.timeLimit(.minutes(1))) struct ReadingTests {
    private let server = ScriptedServer()

    // MARK: Articles

    private func answer(_ text: String) -> String {
        """
        {"conversation_id":"c1","article_id":"a1","form_factor":"watch","answer":"\(text)","in_article":true,\
        "citations":[]}
        """
    }

    private func article() async -> ArticleViewModel {
        server.answer(
            "GET /api/v1/news/articles/a1",
            with: #"{"id":"a1","title":"t","url":"u","source":{"name":"s"},"published_at":"2026-01-04T15:16:46Z"}"#)
        server.answer(
            "POST /api/v1/news/articles/a1/summary",
            with: """
                {"article_id":"a1","form_factor":"watch","summary":"s","paragraphs":["s"],"source":"model",\
                "suggested_questions":["Why?"]}
                """)
        let model = ArticleViewModel(.scripted(server), formFactor: .watch)
        await model.load("a1")
        return model
    }

    @Test func anArticleComesWithItsSummaryForAWatch() async throws {
        let model = await article()
        #expect(model.state == .loaded && model.summary?.summary == "s" && model.suggestedQuestions == ["Why?"])
        let asked = try #require(server.requests.last { $0.method == .post }?.body)
        #expect(String(decoding: asked, as: UTF8.self) == #"{"form_factor":"watch"}"#)
    }

    @Test func aChatGoesOnInItsConversation() async throws {
        let model = await article()
        server.runJobs(result: answer("Because."))
        await model.ask("Why?")
        await model.ask("  ")
        await model.ask("And then?")
        #expect(model.messages.map(\.text) == ["Why?", "Because.", "And then?", "Because."])
        #expect(model.suggestedQuestions.isEmpty && !model.isAnswering)
        let bodies = server.requests.filter { $0.url.path == "/api/v1/jobs" }.compactMap(\.body)
        let last = String(decoding: try #require(bodies.last), as: UTF8.self)
        #expect(bodies.count == 2 && last.contains(#""conversation_id":"c1""#) && last.contains(#""watch""#))
    }

    @Test func aQuestionWithoutAnAnswerIsAskedAgainAsTheSameJob() async {
        let model = await article()
        server.goOffline()
        await model.ask("Why?")
        #expect(model.chatProblem?.title == "Network Error")
        server.goOffline(false)
        server.runJobs(result: answer("Because."))
        await model.tryAgain()
        #expect(model.messages.map(\.text) == ["Why?", "Because."] && model.chatProblem == nil)
        let keys = server.requests.filter { $0.url.path == "/api/v1/jobs" }.map { $0.headers["Idempotency-Key"] }
        #expect(keys.count == 2 && Set(keys).count == 1)
    }

    @Test func anArticleIsShownWithoutItsSummary() async {
        _ = await article()
        server.answer(
            "POST /api/v1/news/articles/a1/summary", status: 503,
            with: #"{"code":"EXT_4004","message":"m","user_message":"Later.","details":{}}"#)
        let model = ArticleViewModel(.scripted(server))
        await model.load("a1")
        #expect(model.state == .loaded && model.summary == nil && model.summaryProblem?.message == "Later.")
    }

    // MARK: Recall

    private let input = AnalysisInput(
        contentURL: "https://example.com/a", userIDHash: "h", goalID: "g", goalDescription: "Understand bonds")

    @Test func anAnalysisShowsProgressAndIsOneTap() async {
        let model = RecallViewModel(.scripted(server))
        server.goOffline()
        await model.analyze(input)
        if case .failed = model.phase {} else { Issue.record("\(model.phase)") }
        server.goOffline(false)
        server.runJobs(
            result: """
                {"trace_id":"j1","concepts":["yield"],"relevance_score":1,"learning_value_score":1,\
                "decision":"triggered","recall_questions":[{"question":"q","type":"open","card_id":"c"}]}
                """)
        await model.analyze(input)
        guard case .analyzed(let analysis) = model.phase else { Issue.record("\(model.phase)"); return }
        #expect(analysis.recallQuestions.first?.cardID == "c")
        let keys = server.requests.filter { $0.method == .post }.map { $0.headers["Idempotency-Key"] }
        #expect(keys.count == 2 && Set(keys).count == 1)
    }

    @Test func dueCardsAreAnsweredOneByOne() async {
        let cards = ["1", "2"].map { id in
            """
            {"id":"\(id)","type":"mcq","question":"q","options":["a","b"],"concept":"c","source":{"url":"u"},\
            "due_at":"2026-01-04T15:16:46Z","state":"new","answers":0}
            """
        }
        server.answer("GET /api/v1/recall/due", with: "[\(cards.joined(separator: ","))]")
        let grade = """
            {"card_id":"1","verdict":"right","is_right":true,"rating":"good","answer":"a","sentence":"s",\
            "source":{"url":"u"},"counted":true,"due_at":"2026-01-05T15:16:46Z"}
            """
        server.answer("POST /api/v1/recall/1/answers") { request, number in
            if number == 1 { throw DossierError(.connectionLost) }
            return .json(grade, of: request)
        }
        let model = RecallViewModel(.scripted(server))
        await model.loadDue()
        #expect(model.current?.id == "1")
        await model.answer("a")
        #expect(model.grade == nil && model.notice != nil)
        await model.answer("a")
        #expect(model.grade?.isRight == true && model.notice == nil)
        let keys = server.requests.filter { $0.method == .post }.map { $0.headers["Idempotency-Key"] }
        #expect(Set(keys).count == 1, "the same answer sent again counts once")
        model.next()
        #expect(model.current?.id == "2" && model.grade == nil)
    }

    // MARK: Forecasts

    private func quality(_ symbol: String, _ score: Double) -> String {
        """
        {"symbol":"\(symbol)","horizon":"1D","timeframe":"d1","qualityScore":\(score),"confidence":0.8,\
        "modelAgreement":0.85,"issues":[{"level":"warning","type":"low_confidence","message":"m","action":"review"}],\
        "timestamp":"2026-01-22T22:00:00Z"}
        """
    }

    @Test func aQualityIsReadAndShown() async {
        server.answer("POST /forecast-quality", with: quality("AAPL", 0.75))
        let model = ForecastQualityViewModel(.scripted(server))
        #expect(!model.hasResults && model.formattedQualityScore == "–")
        await model.fetchQuality(symbol: "AAPL")
        await model.fetchQuality(symbol: "AAPL")
        #expect(server.requests.count == 1, "a fresh value needs no request")
        await model.fetchQuality(symbol: "AAPL", forceRefresh: true)
        #expect(server.requests.count == 2)
        #expect(model.formattedQualityScore == "75%" && model.qualityLevel == .good && model.hasIssues)
        server.goOffline()
        await model.fetchQuality(symbol: "AAPL", forceRefresh: true)
        #expect(model.hasResults && model.error == nil && model.isOffline, "the stored value stands in")
        await model.fetchQuality(symbol: "SNOW")
        #expect(!model.hasResults && model.error?.contains("connection") == true)
        model.reset()
        #expect(model.error == nil && !model.isLoading)
    }

    @Test func onlyTheAnswerToTheLastQuestionIsShown() async {
        let (held, release) = AsyncStream<Void>.makeStream()
        server.answer("POST /forecast-quality") { [quality = quality("SLOW", 0.9)] request, number in
            guard number == 1 else { return .json(quality.replacingOccurrences(of: "SLOW", with: "FAST"), of: request) }
            for await _ in held {}
            return .json(quality, of: request)
        }
        let model = ForecastQualityViewModel(.scripted(server))
        let slow = Task { await model.fetchQuality(symbol: "SLOW") }
        while server.requests.isEmpty { await Task.yield() }
        await model.fetchQuality(symbol: "FAST")
        release.finish()
        await slow.value
        #expect(model.qualityResult?.symbol == "FAST" && !model.isLoading)
    }

    @Test func aModelIsTrained() async {
        server.answer(
            "POST /train-model",
            with: """
                {"symbol":"AAPL","timeframe":"d1","lookbackDays":90,"status":"success","trainingMetrics":\
                {"validationAccuracy":0.65,"trainSamples":500,"validationSamples":100,"trainLoss":0.45,\
                "validationLoss":0.52},"ensembleWeights":{"random_forest":0.6,"gradient_boosting":0.4},\
                "timestamp":"2026-01-22T22:00:00Z"}
                """)
        let model = ModelTrainingViewModel(.scripted(server))
        await model.trainModel(symbol: "AAPL")
        #expect(model.formattedValidationAccuracy == "65%" && model.lookbackDays == 90 && model.edge == nil)
        model.reset()
        #expect(!model.hasResults)
    }
}
