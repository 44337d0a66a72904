internal import JobQueue
internal import Observability
internal import Synchronization

/// The jobs that this worker has postponed, each with its latest reason, so that the log tells each reason once.
final class PostponementLog: Sendable {
    /// When more jobs wait, the log repeats some reasons.
    private static let capacity = 10_000

    private let reasons = Mutex<[JobID: String]>([:])

    /// Notes that a job is postponed.
    ///
    /// - Returns: Whether its reason is another one than the last time. Figures make no difference: a pause that is left
    ///   changes from time to time.
    func note(_ reason: String, of job: JobID) -> Bool {
        let reason = String(String.UnicodeScalarView(reason.unicodeScalars.filter { !("0"..."9").contains($0) }))
        return reasons.withLock { reasons in
            guard reasons[job] != reason else { return false }
            if reasons.count >= Self.capacity { reasons = [:] }
            reasons[job] = reason
            return true
        }
    }

    /// Whether a job was postponed before.
    func knows(_ job: JobID) -> Bool { reasons.withLock { $0[job] != nil } }

    /// Forgets a job that has ended or goes on.
    func forget(_ job: JobID) { _ = reasons.withLock { $0.removeValue(forKey: job) } }
}

/// The line of the log that tells of the start of an attempt. A job that was postponed before may be postponed again at
/// once, and then it has none.
final class StartLine: Sendable {
    private static let delay: Duration = .seconds(1)

    private let isWritten = Mutex(false)

    /// Writes the line unless it is written.
    func write(_ logger: Logger) {
        let isFirst = isWritten.withLock { isWritten in
            defer { isWritten = true }
            return !isWritten
        }
        if isFirst { logger.info("attempt started") }
    }

    /// Writes the line, at once or after a second of the attempt.
    ///
    /// - Returns: The task that waits, to be cancelled at the end of the attempt.
    func write(isLate: Bool, _ logger: Logger) -> Task<Void, Never>? {
        guard isLate else {
            write(logger)
            return nil
        }
        return Task { if (try? await Task.sleep(for: Self.delay)) != nil { write(logger) } }
    }
}
