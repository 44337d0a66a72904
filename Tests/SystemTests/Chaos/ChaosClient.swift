import DossierAPI
import DossierClient
import JSON
import Synchronization
import Testing

/// A user of a chaos run: submits until there is an answer, watches the job to its end, and checks every observation
/// against the promises to clients.
struct ChaosClient: Sendable {
    private let request: ChaosRequest
    private let run: ChaosRun

    init(_ request: ChaosRequest, of run: ChaosRun) {
        self.request = request
        self.run = run
    }

    func live() async throws {
        try await run.sleep(until: request.at)
        let id = try await untilAnswered { try await submit(to: $0) }
        run.ledger.accept(id, for: request)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await watch(id) }
            if let pause = request.cancelledAfter {
                group.addTask {
                    try await Task.sleep(for: .milliseconds(pause))
                    run.ledger.cancel(by: request)
                    _ = try await untilAnswered { try await $0.cancel(id) }
                }
            }
            try await group.waitForAll()
        }
        // A repetition gets the first answer.
        let again = try await untilAnswered { try await submit(to: $0) }
        if again != id { run.ledger.note("user \(request.user) got job \(id) and then \(again) for the same key") }
    }

    private func submit(to client: DossierClient) async throws -> String {
        switch request.work {
        case .research:
            let input = ["ticker": "AAPL", "persona": "buffett"]
            return try await client.submit(kind: "research", input: input, idempotencyKey: request.key).id
        case .drill(let steps, let pause):
            let input = ["steps": steps, "pause": pause]
            return try await client.submit(kind: "drill", input: input, idempotencyKey: request.key).id
        }
    }

    private func watch(_ id: String) async throws {
        var last: JobResource?
        while last?.isFinished != true {
            // A stream that is cancelled ends like one that is over.
            try Task.checkCancellation()
            let seen = last
            last = try await untilAnswered { client in
                var last = seen
                for try await job in client.updates(of: id) {
                    if let problem = Self.problem(from: last, to: job) {
                        run.ledger.note("user \(request.user): \(problem)")
                    }
                    last = job
                }
                return last
            }
        }
        guard last?.status == "completed" else { return }
        _ = try await untilAnswered { client in
            do {
                _ = try await client.result(of: id)
            } catch ClientError.refused(let status, let error) where status < 500 {
                run.ledger.note("user \(request.user): completed was visible before the result: \(error)")
            }
        }
    }

    /// Observations that break a promise to clients.
    static func problem(from last: JobResource?, to job: JobResource) -> String? {
        guard let last else { return nil }
        if last.isFinished, job != last { return "an ended job changed from \(last) to \(job)" }
        if job.attempt < last.attempt {
            return "attempt \(last.attempt) became \(job.attempt)"
        }
        if job.attempt == last.attempt, job.progress < last.progress {
            return "progress went from \(last.progress) back to \(job.progress) in attempt \(job.attempt)"
        }
        return nil
    }

    /// Asks one broker after the other until one answers with something other than a failure of its own.
    private func untilAnswered<Answer: Sendable>(
        _ ask: @Sendable (DossierClient) async throws -> Answer
    ) async throws -> Answer {
        var number = request.user
        while true {
            try Task.checkCancellation()
            let client = DossierClient(
                baseURL: run.broker(number), user: String(request.user), transport: run.fleet.transport)
            do {
                return try await ask(client)
            } catch ClientError.refused(let status, let error) where status < 500 {
                throw SystemFailure("user \(request.user) was refused: \(error)")
            } catch is ClientError {
                number += 1
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }
}

/// The observations of a chaos run from outside.
final class ChaosLedger: Sendable {
    private struct State {
        var jobs: [ChaosRequest: String] = [:]
        var cancels: Set<Int> = []
        var losses: [String: [String: Int]] = [:]
        var problems: [String] = []
    }

    private let state = Mutex(State())

    /// Something that must not be.
    func note(_ problem: String) { state.withLock { $0.problems.append(problem) } }

    var problems: [String] { state.withLock { $0.problems } }

    /// The job that a submit was answered with.
    func accept(_ id: String, for request: ChaosRequest) { state.withLock { $0.jobs[request] = id } }

    var jobs: [(request: ChaosRequest, id: String)] {
        state.withLock { $0.jobs.map { (request: $0.key, id: $0.value) }.sorted { $0.request.user < $1.request.user } }
    }

    /// A cancel was requested, with any outcome.
    func cancel(by request: ChaosRequest) { _ = state.withLock { $0.cancels.insert(request.user) } }

    func didCancel(_ request: ChaosRequest) -> Bool { state.withLock { $0.cancels.contains(request.user) } }

    /// A job lost its worker, or may have, while its journal had no such step: its call may be made again.
    func lose(_ step: String, ofJob id: String) {
        state.withLock { $0.losses[id, default: [:]][step, default: 0] += 1 }
    }

    func losses(of step: String, ofJob id: String) -> Int { state.withLock { $0.losses[id]?[step] ?? 0 } }
}
