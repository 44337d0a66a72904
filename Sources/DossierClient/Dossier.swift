public import Foundation

/// A connection to a Dossier server: the entry point of this library.
///
/// A value with shared state behind it: copies share the cache, the saved submissions and the connections. Make one
/// for each server and user session and pass it on; there is no global instance.
///
/// ```swift
/// let session = TokenSession(server: url, storage: KeychainTokenStorage())
/// let dossier = Dossier(server: url, authentication: session)
///
/// let tap = Submission(ResearchInput(ticker: "AAPL", persona: "buffett"))
/// for try await event in dossier.jobs.run(tap) {
///     switch event {
///     case .accepted(let job), .progress(let job): show(job.progress, job.currentStep)
///     case .completed(let report, _): show(report.prose.summary)
///     }
/// }
/// ```
///
/// Every call throws a ``DossierError`` or, within 100 ms after its task is cancelled, `CancellationError`; nothing else.
public struct Dossier: Sendable {
    let core: DossierCore

    /// The server's address.
    public var server: URL { core.sender.server }
    /// The settings as they were given.
    public var configuration: Configuration { core.sender.configuration }
    /// Jobs: running, following, ending.
    public var jobs: Jobs { Jobs(core: core) }
    /// Submissions whose outcome has not been delivered yet.
    public var submissions: Submissions { Submissions(core: core) }

    /// Connects to a server; nothing is sent yet.
    ///
    /// - Parameters:
    ///   - server: Scheme, host and port; a path is kept in front of every address.
    ///   - authentication: Says who the requests are made for.
    ///   - configuration: Settings, and what is shared.
    public init(
        server: URL, authentication: any Authentication = AnonymousAuthentication(),
        configuration: Configuration = Configuration()
    ) {
        core = DossierCore(
            sender: RequestSender(server: server, authentication: authentication, configuration: configuration))
    }
}

/// What the copies of a ``Dossier`` share.
final class DossierCore: Sendable {
    let sender: RequestSender
    let reader: ResourceReader
    let watcher: JobWatcher
    let submissions: SubmissionKeeper

    init(sender: RequestSender) {
        self.sender = sender
        reader = ResourceReader(sender: sender)
        watcher = JobWatcher(sender: sender)
        submissions = SubmissionKeeper(sender: sender)
    }

    /// Credits and lists of reports are other ones now.
    func jobEnded() async { await forget([Paths.credits, Paths.reports]) }

    /// Removes what a write has made wrong.
    func forget(_ paths: [String]) async {
        await sender.configuration.cache.remove(paths: paths, account: sender.authentication.account())
    }
}
