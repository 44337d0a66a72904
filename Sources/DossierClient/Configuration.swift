public import Foundation

extension Dossier {
    /// Settings of a ``Dossier`` and what its copies share.
    ///
    /// ```swift
    /// var configuration = Dossier.Configuration()
    /// configuration.retryPolicy = .aggressive
    /// let dossier = Dossier(server: server, configuration: configuration)
    /// ```
    public struct Configuration: Sendable {
        /// Default ``RetryPolicy/default``.
        public var retryPolicy: RetryPolicy = .default
        /// Bounds the retries of all calls together; default 30 a minute.
        public var retryBudget = RetryBudget()
        /// A request fails after so long without a byte; default 30 s. Requests that wait on the server get their wait
        /// on top (90 s for ``Dossier/analyze(_:idempotencyKey:)``).
        public var requestTimeout: Duration = .seconds(30)
        /// A call with all its attempts and pauses fails after so long; default 60 s, plus the same waits.
        public var deadline: Duration = .seconds(60)
        /// An event stream is given up after so long without a byte; default 45 s. The server sends one every 15 s.
        public var streamIdleTimeout: Duration = .seconds(45)
        /// Where answers are stored.
        public var cache: ResponseCache
        /// Where submissions are stored.
        public var submissionStore: any SubmissionStore
        /// What is told about the network, and learns from requests.
        public var connectivity: ConnectivityMonitor = .shared
        /// Carries the requests.
        public var transport: any Transport = URLSessionTransport()
        /// The first one sees a request first and its answer last. Runs once for each attempt.
        public var middleware: [any Middleware] = []
        /// The wall clock by which ages are told.
        public var now: @Sendable () -> Date
        /// Clock, pauses and dice of retries.
        package var pacing: Pacing = .standard

        /// Everything at its default.
        ///
        /// - Parameters:
        ///   - directory: Where submissions and kept answers are stored; `nil` keeps everything in memory, for tests and
        ///     previews. Answers that the system may purge lie in the caches folder, or below this one when it is not
        ///     the default.
        ///   - now: The wall clock; also given to ``cache``.
        public init(
            directory: URL? = Configuration.defaultDirectory, now: @escaping @Sendable () -> Date = { Date() }
        ) {
            self.now = now
            let caches = directory == Self.defaultDirectory ? Self.folder(.cachesDirectory) ?? directory : directory
            cache = ResponseCache(directory: caches, keptDirectory: directory, now: now)
            submissionStore =
                directory.map { FileSubmissionStore(directory: $0.appendingPathComponent("Submissions")) }
                ?? MemorySubmissionStore()
        }

        /// `Dossier` in the application support folder.
        public static var defaultDirectory: URL? { folder(.applicationSupportDirectory) }

        private static func folder(_ place: FileManager.SearchPathDirectory) -> URL? {
            FileManager.default.urls(for: place, in: .userDomainMask).first?.appendingPathComponent("Dossier")
        }
    }
}
