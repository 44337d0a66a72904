import DossierClient
import Foundation
import Testing

@testable import AppModels

/// The flows against a real service with simulated models: `BROKER_BINARY` names the `dossier` executable.
@MainActor
@Suite(.enabled(if: Service.binary != nil), .timeLimit(.minutes(3))) struct ServiceTests {
    @Test func everyFlowWorksAgainstAService() async throws {
        let service = try await Service.start()
        defer { service.stop() }
        var configuration = Dossier.Configuration(directory: nil)
        configuration.connectivity = ConnectivityMonitor()
        let dossier = Dossier(
            server: service.url, authentication: DevelopmentAuthentication(user: "1"), configuration: configuration)

        let report = ReportViewModel(dossier)
        await report.generate(ticker: "AAPL", persona: "buffett")
        guard case .finished(let text) = report.phase else { Issue.record("\(report.phase)"); return }
        #expect(text.prose.company.ticker == "AAPL")

        let reports = FeedViewModel(dossier, .reports())
        await reports.load()
        #expect(reports.items.map(\.ticker) == ["AAPL"])
        let feed = FeedViewModel(dossier, .personalizedFeed())
        await feed.load()
        await feed.refresh()
        #expect(feed.state == .loaded || feed.state == .empty)

        let recall = RecallViewModel(dossier)
        await recall.analyze(
            AnalysisInput(
                contentURL: service.simulator.absoluteString + "/web/articles/central-bank-holds-rates",
                userIDHash: "h", goalID: "g", goalDescription: "Understand interest rates"))
        guard case .analyzed(let analysis) = recall.phase else { Issue.record("\(recall.phase)"); return }
        #expect(!analysis.concepts.isEmpty)
        await recall.loadDue()
        #expect(recall.notice == nil)
        if let card = recall.current {
            await recall.answer(card.options?.first ?? "The central bank holds its rates.")
            #expect(recall.grade?.cardID == card.id, "\(String(describing: recall.notice))")
            #expect(try await dossier.read(.recallCard(card.id)).reviews?.count == 1)
        }

        let quality = ForecastQualityViewModel(dossier)
        await quality.fetchQuality(symbol: "AAPL")
        #expect(quality.hasResults, "\(quality.error ?? "")")
    }
}

/// A service of the test's own, with its simulator.
struct Service {
    struct Failure: Error {
        let message: String
    }

    static let binary = ProcessInfo.processInfo.environment["BROKER_BINARY"]

    let url: URL
    let simulator: URL
    private let processes: [Process]
    private let folder: URL

    static func start() async throws -> Service {
        let folder = FileManager.default.temporaryDirectory.appending(path: "dossier-examples-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let simulator = try process(["simulate", "--listen", "127.0.0.1:0"], [:])
        let exports = try await lines(of: simulator, until: /export YOUTUBE_BASE_URL/)
        var environment: [String: String] = [:]
        for match in exports.matches(of: /export ([A-Z_]+)='(.*)'/) { environment[String(match.1)] = String(match.2) }
        environment["FMP_API_KEY"] = "simulated"
        environment["DOSSIER_RATE_LIMIT"] = "0"
        let database = "sqlite:" + folder.appending(path: "dossier.db").path
        let broker = try process(
            ["serve", "--listen", "127.0.0.1:0", "--database", database, "--workers", "1"], environment)
        let log = try await lines(of: broker, until: /worker started/)
        return Service(
            url: try address(log), simulator: try address(exports), processes: [broker, simulator], folder: folder)
    }

    func stop() {
        for process in processes {
            process.terminate()
            process.waitUntilExit()
        }
        try? FileManager.default.removeItem(at: folder)
    }

    private static func address(_ log: String) throws -> URL {
        guard let match = log.firstMatch(of: /(?:listens on |"listening","url":")(http:\/\/127\.0\.0\.1:\d+)/),
            let url = URL(string: String(match.1))
        else { throw Failure(message: "it does not listen: \(log)") }
        return url
    }

    private static func process(_ words: [String], _ environment: [String: String]) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: binary ?? "")
        process.arguments = words
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        // The content of the product: personas, prompts, kinds of jobs.
        process.currentDirectoryURL = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        return process
    }

    /// What a process has written, as soon as it matches.
    private static func lines(of process: Process, until ready: Regex<Substring>) async throws -> String {
        guard let pipe = process.standardOutput as? Pipe else { throw Failure(message: "no output") }
        let (chunks, continuation) = AsyncStream<Data>.makeStream()
        pipe.fileHandleForReading.readabilityHandler = { handle in
            let data = handle.availableData
            if data.isEmpty { continuation.finish() } else { continuation.yield(data) }
        }
        var text = ""
        for await chunk in chunks {
            text += String(decoding: chunk, as: UTF8.self)
            // The handler stays, so that the process never waits for a reader.
            if text.contains(ready), (try? address(text)) != nil { return text }
        }
        throw Failure(message: "the process ended: \(text.suffix(1000))")
    }
}
