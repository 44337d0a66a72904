import DossierAPI
import BrokerClient
import JobQueue
import TestSupport

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
        run.ledger.ask(request)
        let id = try await untilAnswered { try await submit(to: $0) }
        run.ledger.accept(id, for: request)
        var last: JobResource?
        try await withThrowingTaskGroup(of: JobResource?.self) { group in
            group.addTask { try await watch(id) }
            if let pause = request.cancelledAfter {
                group.addTask {
                    try await Task.sleep(for: .milliseconds(pause))
                    run.ledger.cancel(by: request)
                    _ = try await untilAnswered { try await $0.cancel(id) }
                    return nil
                }
            }
            for try await job in group where job != nil { last = job }
        }
        if request.isRetried, last?.status == "cancelled" {
            run.ledger.retry(by: request)
            // The answer to a first try may have been lost, and the job may have been started by it.
            _ = try await untilAnswered { client in
                do {
                    _ = try await client.retry(id)
                } catch ClientError.refused(let status, _) where status == 409 {}
            }
            _ = try await watch(id)
        }
        // A repetition gets the first answer.
        let again = try await untilAnswered { try await submit(to: $0) }
        if again != id { run.ledger.note("user \(request.user) got job \(id) and then \(again) for the same key") }
    }

    private func submit(to client: BrokerClient) async throws -> String {
        switch request.work {
        case .research:
            let input = ["ticker": "AAPL", "persona": "buffett"]
            return try await client.submit(kind: "research", input: input, idempotencyKey: request.key).id
        case .drill(let kind, let steps, let pause):
            let input = DrillInput(steps: steps, pause: pause, line: kind == .serial ? "\(request.user % 2)" : nil)
            return try await client.submit(kind: kind.rawValue, input: input, idempotencyKey: request.key).id
        case .explanation:
            let input = ["story_id": run.story]
            return try await client.submit(kind: "explanation", input: input, idempotencyKey: request.key).id
        }
    }

    private struct DrillInput: Encodable {
        var steps: Int
        var pause: Int
        /// Jobs of one user with the same line run one after the other.
        var line: String?
    }

    /// The job at its end.
    private func watch(_ id: String) async throws -> JobResource? {
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
        run.ledger.end(request)
        if let last, last.status == "failed" { noteFailure(last) }
        guard last?.status == "completed" else { return last }
        _ = try await untilAnswered { client in
            do {
                _ = try await client.result(of: id)
            } catch ClientError.refused(let status, let error) where status < 500 {
                run.ledger.note("user \(request.user): completed was visible before the result: \(error)")
            }
        }
        return last
    }

    /// Only an urgent job may fail, and only when its time is over: no fault is a reason to fail, except that several
    /// deaths may make a job look as if it killed its workers.
    private func noteFailure(_ job: JobResource) {
        let waited = run.ledger.time(of: request)
        if job.error?.message == JobError.poison.message, run.plan.deaths >= 3 { return }
        if !request.isUrgent {
            run.ledger.note("user \(request.user): a job failed: \(job)")
        } else if job.error?.code != "SYS_5003" || waited < .seconds(ChaosRequest.urgentDeadline) {
            run.ledger.note("user \(request.user): an urgent job failed after \(waited): \(job)")
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
        _ ask: @Sendable (BrokerClient) async throws -> Answer
    ) async throws -> Answer {
        var number = request.user
        while true {
            try Task.checkCancellation()
            let client = BrokerClient(
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
