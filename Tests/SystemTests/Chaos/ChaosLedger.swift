import Foundation
import Synchronization

/// The observations of a chaos run from outside.
final class ChaosLedger: Sendable {
    private struct State {
        var jobs: [ChaosRequest: String] = [:]
        /// The times of first tries, answers and ends, by the numbers of requests.
        var asked: [Int: ContinuousClock.Instant] = [:]
        var accepted: [Int: Date] = [:]
        var ended: [Int: ContinuousClock.Instant] = [:]
        var cancels: Set<Int> = []
        var retries: Set<Int> = []
        var losses: [String: [String: Int]] = [:]
        var problems: [String] = []
    }

    private let state = Mutex(State())

    /// Something that must not be.
    func note(_ problem: String) { state.withLock { $0.problems.append(problem) } }

    var problems: [String] { state.withLock { $0.problems } }

    /// The job that a submit was answered with.
    func accept(_ id: String, for request: ChaosRequest) {
        state.withLock { state in
            state.jobs[request] = id
            state.accepted[request.number] = Date()
        }
    }

    /// A user begins to ask for a job.
    func ask(_ request: ChaosRequest) { state.withLock { $0.asked[request.number] = .now } }

    /// A user has seen the end of a job.
    func end(_ request: ChaosRequest) { state.withLock { $0.ended[request.number] = .now } }

    /// The time from the first try to the end, which is at least the time that the job had.
    func time(of request: ChaosRequest) -> Duration {
        state.withLock { state in
            guard let asked = state.asked[request.number], let ended = state.ended[request.number] else { return .zero }
            return ended - asked
        }
    }

    /// The time at which the answer to a submit arrived.
    func acceptance(of request: ChaosRequest) -> Date? { state.withLock { $0.accepted[request.number] } }

    var jobs: [(request: ChaosRequest, id: String)] {
        state.withLock { state in
            state.jobs.map { (request: $0.key, id: $0.value) }.sorted { $0.request.number < $1.request.number }
        }
    }

    /// A cancel was requested, with any outcome.
    func cancel(by request: ChaosRequest) { _ = state.withLock { $0.cancels.insert(request.number) } }

    func didCancel(_ request: ChaosRequest) -> Bool { state.withLock { $0.cancels.contains(request.number) } }

    /// A cancelled job was tried again, with any outcome.
    func retry(by request: ChaosRequest) { _ = state.withLock { $0.retries.insert(request.number) } }

    func didRetry(_ request: ChaosRequest) -> Bool { state.withLock { $0.retries.contains(request.number) } }

    /// A job lost its worker, or may have, while its journal had no such step: its call may be made again.
    func lose(_ step: String, ofJob id: String) {
        state.withLock { $0.losses[id, default: [:]][step, default: 0] += 1 }
    }

    func losses(of step: String, ofJob id: String) -> Int { state.withLock { $0.losses[id]?[step] ?? 0 } }
}
