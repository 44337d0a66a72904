internal import JobQueue
internal import Synchronization

/// A caller that waits for an answer, with the type of the answer erased.
protocol AnyCaller: AnyObject, Sendable {
    var arrival: ContinuousClock.Instant { get }
    /// The time at which the caller is answered in any case.
    var deadline: ContinuousClock.Instant { get }
    /// Whether the caller must hear soon that the database is away.
    var isImpatient: Bool { get }
    var isAnswered: Bool { get }

    /// Answers the caller with an error, unless it was answered.
    func fail(_ error: StoreError)
}

/// A caller that waits for the answer to a request.
///
/// The thread that carries out the request answers it, or, when the time is over before that, another one does.
final class Caller<Output: Sendable>: AnyCaller {
    let arrival = ContinuousClock.now
    let deadline: ContinuousClock.Instant
    let isImpatient: Bool
    private let continuation: Mutex<CheckedContinuation<Result<Output, StoreError>, Never>?>

    init(
        _ continuation: CheckedContinuation<Result<Output, StoreError>, Never>, deadline: ContinuousClock.Instant,
        isImpatient: Bool
    ) {
        self.deadline = deadline
        self.isImpatient = isImpatient
        self.continuation = Mutex(continuation)
    }

    var isAnswered: Bool { continuation.withLock { $0 == nil } }

    /// Answers the caller; `false` when it was answered before.
    @discardableResult
    func answer(_ result: Result<Output, StoreError>) -> Bool {
        let continuation = continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }
        continuation?.resume(returning: result)
        return continuation != nil
    }

    func fail(_ error: StoreError) { answer(.failure(error)) }
}
