internal import Basics
internal import Forecasting
internal import Glibc
internal import Synchronization

/// Runs trainings one after the other on a thread of their own, of low priority: they take a core for a second or more,
/// and the heartbeats of the worker must not wait for them.
final class TrainingExecutor: Sendable {
    /// Added to the thread's nice value: it has two fifths of another thread's time where all cores are busy.
    private static let nice: Int32 = 4

    private typealias Work = @Sendable () -> Void

    private struct State {
        var queue: [Work] = []
        var isRunning = false
    }

    private let state = Mutex(State())

    /// Waits for the result of a training.
    ///
    /// A cancelled training ends before its next round.
    func run(
        _ training: @escaping @Sendable (_ isCancelled: () -> Bool) throws(ForecastError) -> Evaluation
    ) async throws(ForecastError) -> Evaluation {
        let flag = CancellationFlag()
        let result: Result<Evaluation, ForecastError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                enqueue {
                    let result: Result<Evaluation, ForecastError>
                    do throws(ForecastError) {
                        if flag.isSet { throw .cancelled }
                        result = .success(try training { flag.isSet })
                    } catch {
                        result = .failure(error)
                    }
                    continuation.resume(returning: result)
                }
            }
        } onCancel: {
            flag.set()
        }
        return try result.get()
    }

    private func enqueue(_ work: @escaping Work) {
        let startsThread = state.withLock { state in
            state.queue.append(work)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard startsThread else { return }
        // Without a thread the work runs here rather than never.
        if !Thread.start({ self.drain() }) { drain() }
    }

    private func drain() {
        // On Linux the nice value is the calling thread's.
        _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.nice)
        while let work = next() { work() }
    }

    private func next() -> Work? {
        state.withLock { state in
            if state.queue.isEmpty {
                state.isRunning = false
                return nil
            }
            return state.queue.removeFirst()
        }
    }
}

private final class CancellationFlag: Sendable {
    private let flag = Atomic(false)

    var isSet: Bool { flag.load(ordering: .relaxed) }

    func set() { flag.store(true, ordering: .relaxed) }
}
