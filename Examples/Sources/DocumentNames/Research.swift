public import DossierClient

// Document 003's repository of reports, on top of the client. The document polls every three seconds for three minutes;
// the client follows the job by events for as long as it takes.

/// What happens to a report that is being written.
public enum ReportProgress: Sendable {
    /// The server has taken the job.
    case started(reportId: String)
    /// 0 to 100, and a phrase for the person who waits.
    case progress(reportId: String, percent: Int, step: String?)
    /// The report.
    case completed(ResearchReport)
}

/// Reports of a client's user.
public struct ResearchRepository: Sendable {
    private let dossier: Dossier

    /// Asks a client.
    public init(_ dossier: Dossier) { self.dossier = dossier }

    /// Asks for a report and follows it to its end.
    public func generateAndAwaitReport(
        stockId: String, persona: Persona.ID
    ) -> AsyncThrowingStream<ReportProgress, any Error> {
        let events = dossier.jobs.run(Submission(ResearchInput(ticker: stockId, persona: persona)))
        return AsyncThrowingStream { continuation in
            let task = Task {
                do {
                    for try await event in events {
                        let id = event.job.id.rawValue
                        switch event {
                        case .accepted: continuation.yield(.started(reportId: id))
                        case .progress(let job):
                            continuation.yield(.progress(reportId: id, percent: job.progress, step: job.currentStep))
                        case .completed(let report, _): continuation.yield(.completed(report))
                        }
                    }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// The reports of the user, the newest first.
    public func reports() async throws -> [Report] { try await dossier.page(of: .reports()).items }
}
