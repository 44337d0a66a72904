import Synchronization

/// What a chaos run saw from outside.
final class ChaosLedger: Sendable {
    private struct State {
        var jobs: [ChaosOrder: String] = [:]
        var cancels: Set<Int> = []
        var losses: [String: [String: Int]] = [:]
        var problems: [String] = []
    }

    private let state = Mutex(State())

    /// Something that must not be.
    func note(_ problem: String) { state.withLock { $0.problems.append(problem) } }

    var problems: [String] { state.withLock { $0.problems } }

    /// The job that a submit was answered with.
    func accept(_ id: String, for order: ChaosOrder) { state.withLock { $0.jobs[order] = id } }

    var jobs: [(order: ChaosOrder, id: String)] {
        state.withLock { $0.jobs.map { (order: $0.key, id: $0.value) }.sorted { $0.order.user < $1.order.user } }
    }

    /// A cancel was asked for, whatever came of it.
    func cancel(by order: ChaosOrder) { _ = state.withLock { $0.cancels.insert(order.user) } }

    func didCancel(_ order: ChaosOrder) -> Bool { state.withLock { $0.cancels.contains(order.user) } }

    /// A job lost its worker, or may have, while its journal had no such step: its call may be made again.
    func lose(_ step: String, ofJob id: String) {
        state.withLock { $0.losses[id, default: [:]][step, default: 0] += 1 }
    }

    func losses(of step: String, ofJob id: String) -> Int { state.withLock { $0.losses[id]?[step] ?? 0 } }
}
