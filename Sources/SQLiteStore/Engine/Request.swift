import SQLSupport
internal import JobQueue

/// A piece of work for the thread that owns a connection, and the task that waits for its outcome.
///
/// `@unchecked Sendable`: made by the waiting task, then used only by the thread that took it from a mailbox.
class Request<Context>: @unchecked Sendable {
    /// Does the work, which may be asked for again, and keeps the outcome.
    func attempt(in context: Context) -> AttemptEnd { .done }

    /// Answers the waiting task: with the outcome, or with a failure that came after it.
    func answer(failing failure: StoreError? = nil) {}
}

/// How a piece of work ended.
enum AttemptEnd {
    case done
    /// The work itself refused, by a `StoreError`.
    case refused
    /// SQLite gave an error: the transaction may be unusable, or gone.
    case broken
}

/// A request whose work yields a value. The work may run more than once, so it keeps nothing.
final class ValueRequest<Context, Value: Sendable>: Request<Context>, @unchecked Sendable {
    private let body: (Context) throws -> Value
    private let continuation: CheckedContinuation<Result<Value, StoreError>, Never>
    private var outcome: Result<Value, StoreError> = .failure(.unavailable(reason: "the store is closed"))

    init(
        _ continuation: CheckedContinuation<Result<Value, StoreError>, Never>, body: @escaping (Context) throws -> Value
    ) {
        self.continuation = continuation
        self.body = body
    }

    override func attempt(in context: Context) -> AttemptEnd {
        do {
            outcome = .success(try body(context))
            return .done
        } catch let error as StoreError {
            outcome = .failure(error)
            return .refused
        } catch {
            outcome = .failure(StoreError(error))
            return .broken
        }
    }

    override func answer(failing failure: StoreError?) {
        continuation.resume(returning: failure.map { .failure($0) } ?? outcome)
    }
}

extension WorkQueue {
    /// Leaves work for the thread behind the mailbox and waits for its outcome.
    func perform<Context, Value: Sendable>(
        _ body: @escaping @Sendable (Context) throws -> Value
    ) async throws(StoreError) -> Value where Item == Request<Context> {
        let result = await withCheckedContinuation { continuation in
            let request = ValueRequest(continuation, body: body)
            if !post(request) { request.answer(failing: .unavailable(reason: "the store is closed")) }
        }
        return try result.get()
    }
}
