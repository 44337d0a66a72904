/// Runs an operation again while it fails in a way that may pass.
///
/// Waits at least as long as ``DossierError/retryAfter`` says. Throws the last error, and `CancellationError` as soon as
/// the task is cancelled, also during a pause.
///
/// ```swift
/// let data = try await withRetry(policy: .aggressive) { try await download() }
/// ```
///
/// - Parameters:
///   - policy: How often and after which pauses.
///   - isolation: The actor on which the operation runs: the caller's.
///   - isRetryable: By default ``DossierError/isRetryable``, and the `URLError`s that mean that a connection
///     was not made, was lost or took too long.
///   - operation: Run once or several times.
/// - Returns: What the operation returned.
/// - Throws: the error of the last attempt, or `CancellationError`.
public func withRetry<Value: Sendable>(
    policy: RetryPolicy = .default, isolation: isolated (any Actor)? = #isolation,
    isRetryable: @Sendable (any Error) -> Bool = DossierError.isRetryable,
    operation: () async throws -> Value
) async throws -> Value {
    try await withRetry(policy: policy, pacing: .standard, isRetryable: isRetryable, operation: operation)
}

/// The same with a clock of the caller's.
func withRetry<Value: Sendable>(
    policy: RetryPolicy, pacing: Pacing, isolation: isolated (any Actor)? = #isolation,
    isRetryable: @Sendable (any Error) -> Bool, operation: () async throws -> Value
) async throws -> Value {
    var attempt = 1
    while true {
        try Task.checkCancellation()
        do {
            return try await operation()
        } catch {
            try Task.checkCancellation()
            attempt += 1
            let retryAfter = (error as? DossierError)?.retryAfter
            guard !(error is CancellationError), isRetryable(error),
                let pause = policy.pause(beforeAttempt: attempt, retryAfter: retryAfter, random: pacing.random())
            else { throw error }
            try await pacing.sleep(pause)
        }
    }
}
