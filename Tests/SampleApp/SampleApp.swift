import DossierClient
import Foundation

/// An app with one button, for tests that kill it: a tap asks for a research report.
///
/// Usage: `SampleApp SERVER FOLDER STEP [tap]`. At launch it runs what was left in its folder; with `tap` the user taps,
/// unless something was left. It kills itself at the given step, counted over everything that it stores, sends, receives
/// and shows; at step 0 never. For each report that it shows it writes a line, `shown TICKER`.
@main struct SampleApp {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 4, let server = URL(string: arguments[1]), let step = Int(arguments[3]) else {
            throw CocoaError(.featureUnsupported)
        }
        let steps = Steps(killingAt: step)
        var configuration = Dossier.Configuration(directory: URL(filePath: arguments[2]))
        configuration.submissionStore = KillingStore(inner: configuration.submissionStore, steps: steps)
        configuration.transport = KillingTransport(inner: configuration.transport, steps: steps)
        let dossier = Dossier(
            server: server, authentication: DevelopmentAuthentication(user: "1"), configuration: configuration)

        var taps = try await dossier.submissions.unfinished().map { try $0.submission(of: ResearchInput.self) }
        if taps.isEmpty, arguments.contains("tap") {
            taps.append(Submission(ResearchInput(ticker: "AAPL", persona: "buffett")))
        }
        for tap in taps {
            for try await event in dossier.jobs.run(tap) {
                guard case .completed(let report, _) = event else { continue }
                steps.pass()
                FileHandle.standardOutput.write(Data("shown \(report.prose.company.ticker)\n".utf8))
                steps.pass()
            }
        }
        steps.pass()
    }
}

/// Counts what the app does, and kills it in the middle of one of these things.
///
/// Unchecked: the count is behind the lock.
private final class Steps: @unchecked Sendable {
    private let lock = NSLock()
    private var left: Int

    init(killingAt step: Int) { left = step == 0 ? -1 : step }

    func pass() {
        lock.withLock {
            left -= 1
            if left == 0 { kill(getpid(), SIGKILL) }
        }
    }
}

/// A step before and one after each change.
private struct KillingStore: SubmissionStore {
    let inner: any SubmissionStore
    let steps: Steps

    func save(_ submission: SavedSubmission) async throws {
        steps.pass()
        try await inner.save(submission)
        steps.pass()
    }

    func submission(_ id: IdempotencyKey) async throws -> SavedSubmission? { try await inner.submission(id) }

    func all() async throws -> [SavedSubmission] { try await inner.all() }

    func remove(_ id: IdempotencyKey) async throws {
        steps.pass()
        try await inner.remove(id)
        steps.pass()
    }
}

/// A step before each request and one when its answer has come.
private struct KillingTransport: Transport {
    let inner: any Transport
    let steps: Steps

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        steps.pass()
        let response = try await inner.send(request)
        steps.pass()
        return response
    }

    func stream(_ request: TransportRequest) async throws -> TransportStream {
        steps.pass()
        let stream = try await inner.stream(request)
        steps.pass()
        return stream
    }
}
