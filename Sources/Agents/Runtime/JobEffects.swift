public import JobQueue
internal import Synchronization

/// Records that a run wants stored together with its result, in the transaction that completes the job.
public final class JobEffects: Sendable {
    private let effects = Mutex<[Effect]>([])

    public init() {}

    /// What the completion carries.
    public var all: [Effect] { effects.withLock(\.self) }

    func add(_ effect: Effect) { effects.withLock { $0.append(effect) } }
}
