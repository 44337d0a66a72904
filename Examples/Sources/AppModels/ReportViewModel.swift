public import DossierClient
public import Observation

/// A research report from the tap to the text, with progress.
///
/// The tap is stored before it is sent. Whatever happens to the network or the app, it is one job and one credit:
/// ``tryAgain()`` and, after a relaunch, ``resume()`` send the same submission.
@MainActor @Observable
public final class ReportViewModel {
    /// What the screen shows.
    public enum Phase: Hashable, Sendable {
        /// Nothing was asked for yet.
        case idle
        /// The report is being written: 0 to 100, and a phrase for the person who waits.
        case running(progress: Int, step: String?)
        /// The report.
        case finished(ResearchReport)
        /// There is no report, for a reason.
        case failed(ErrorPresentation)
    }

    /// What the screen shows.
    public private(set) var phase = Phase.idle
    /// Whether a tap on the button does something.
    public var canGenerate: Bool { if case .running = phase { false } else { true } }

    private let dossier: Dossier
    private var tap: Submission<ResearchInput>?
    private var jobID: Job.ID?

    /// Makes the model; nothing is sent yet.
    public init(_ dossier: Dossier) { self.dossier = dossier }

    /// For the tap on the button. A second tap while the report is written does nothing.
    public func generate(ticker: String, persona: Persona.ID) async {
        guard canGenerate else { return }
        await run(Submission(ResearchInput(ticker: ticker, persona: persona)))
    }

    /// For the tap on "Try again": the same submission while it is stored, else a new one for the same report.
    public func tryAgain() async {
        guard canGenerate, let tap else { return }
        let unfinished = try? await dossier.submissions.unfinished()
        let isStored = unfinished?.contains { $0.id == tap.id } ?? true
        await run(isStored ? tap : Submission(tap.input))
    }

    /// For the launch of the app: goes on with the oldest report that was not delivered.
    public func resume() async {
        guard canGenerate, let all = try? await dossier.submissions.unfinished() else { return }
        for saved in all where saved.kind == .research {
            guard let tap = try? saved.submission(of: ResearchInput.self) else { continue }
            return await run(tap)
        }
    }

    /// For the tap on "Cancel": ends the job, which gives the credit back. Leaving the screen needs no call; the job
    /// runs on.
    public func cancel() async {
        guard let jobID else { return }
        do {
            try await dossier.jobs.cancel(jobID)
        } catch {
            if let problem = ErrorPresentation(error) { phase = .failed(problem) }
        }
    }

    private func run(_ tap: Submission<ResearchInput>) async {
        self.tap = tap
        phase = .running(progress: 0, step: nil)
        do {
            for try await event in dossier.jobs.run(tap) {
                jobID = event.job.id
                switch event {
                case .accepted(let job), .progress(let job):
                    phase = .running(progress: job.progress, step: job.currentStep)
                case .completed(let report, _): phase = .finished(report)
                }
            }
        } catch let error as DossierError where error.code == .jobCancelled {
            phase = .idle
        } catch {
            phase = ErrorPresentation(error).map(Phase.failed) ?? .idle
        }
        jobID = nil
    }
}
