import DossierClient
import Foundation
import ScriptedServer
import Testing

@testable import AppModels

/// A report from the tap to the text: one tap, one job.
@MainActor @Suite(.timeLimit(.minutes(1))) struct ReportTests {
    private let server = ScriptedServer()
    private let store = MemorySubmissionStore()
    private var posts: [TransportRequest] { server.requests.filter { $0.method == .post } }

    private let report = ScriptedServer.report

    private func model() -> ReportViewModel { ReportViewModel(.scripted(server, store: store)) }

    @Test func aReportIsWrittenAndShown() async {
        server.runJobs(result: report, states: ["processing", "processing", "completed"])
        let model = model()
        await model.generate(ticker: "AAPL", persona: "buffett")
        guard case .finished(let report) = model.phase else { Issue.record("\(model.phase)"); return }
        #expect(report.prose.company.ticker == "AAPL")
        #expect(posts.count == 1 && model.canGenerate)
        #expect(await store.all().isEmpty)
    }

    @Test func tryingAgainSendsTheSameTap() async {
        server.goOffline()
        let model = model()
        await model.generate(ticker: "AAPL", persona: "buffett")
        guard case .failed(let problem) = model.phase else { Issue.record("\(model.phase)"); return }
        #expect(problem.action == .wait)
        server.goOffline(false)
        server.runJobs(result: report)
        await model.tryAgain()
        if case .finished = model.phase {} else { Issue.record("\(model.phase)") }
        #expect(posts.count == 2)
        #expect(Set(posts.map { $0.headers["Idempotency-Key"] }).count == 1 && Set(posts.map(\.body)).count == 1)
    }

    @Test func aRelaunchedAppGoesOn() async {
        server.goOffline()
        await model().generate(ticker: "AAPL", persona: "buffett")
        server.goOffline(false)
        server.runJobs(result: report)
        let relaunched = model()
        await relaunched.resume()
        if case .finished = relaunched.phase {} else { Issue.record("\(relaunched.phase)") }
        #expect(Set(posts.map { $0.headers["Idempotency-Key"] }).count == 1)
        let again = model()
        await again.resume()
        #expect(again.phase == .idle, "what was delivered is forgotten")
    }

    @Test func aRefusedTapIsAnotherTapNextTime() async {
        server.answer(
            "POST /api/v1/jobs", status: 403,
            with: #"{"code":"BIZ_2001","message":"m","user_message":"No credits are left.","details":{}}"#)
        let model = model()
        await model.generate(ticker: "AAPL", persona: "buffett")
        guard case .failed(let problem) = model.phase else { Issue.record("\(model.phase)"); return }
        #expect(problem.message == "No credits are left." && problem.action == .upgrade)
        server.runJobs(result: report)
        await model.tryAgain()
        #expect(Set(posts.map { $0.headers["Idempotency-Key"] }).count == 2)
    }

    @Test func aCancelledReportLeavesTheScreenAsItWas() async {
        server.runJobs(result: report, states: ["processing", "cancelled"])
        let model = model()
        await model.generate(ticker: "AAPL", persona: "buffett")
        #expect(model.phase == .idle)
    }
}
