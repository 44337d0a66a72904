import DossierAPI
import DossierClient
import JSON
import Testing

/// A user of a chaos run: submits until there is an answer, watches the job to its end, and holds what it sees against
/// what is promised to every client.
struct ChaosCustomer: Sendable {
    private let order: ChaosOrder
    private let run: ChaosRun

    init(_ order: ChaosOrder, of run: ChaosRun) {
        self.order = order
        self.run = run
    }

    func live() async throws {
        try await run.sleep(until: order.at)
        let id = try await untilAnswered { try await submit(to: $0) }
        run.ledger.accept(id, for: order)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await watch(id) }
            if let pause = order.cancelledAfter {
                group.addTask {
                    try await Task.sleep(for: .milliseconds(pause))
                    run.ledger.cancel(by: order)
                    _ = try await untilAnswered { try await $0.cancel(id) }
                }
            }
            try await group.waitForAll()
        }
        // Whoever asks again gets what was said before.
        let again = try await untilAnswered { try await submit(to: $0) }
        if again != id { run.ledger.note("user \(order.user) got job \(id) and then \(again) for the same key") }
    }

    private func submit(to client: DossierClient) async throws -> String {
        switch order.work {
        case .research:
            let input = ["ticker": "AAPL", "persona": "buffett"]
            return try await client.submit(kind: "research", input: input, idempotencyKey: order.key).id
        case .drill(let steps, let pause):
            let input = ["steps": steps, "pause": pause]
            return try await client.submit(kind: "drill", input: input, idempotencyKey: order.key).id
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
                        run.ledger.note("user \(order.user): \(problem)")
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
                run.ledger.note("user \(order.user): completed was visible before the result: \(error)")
            }
        }
    }

    /// What a client must never see.
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

    /// Asks one broker after the other until one answers with more than its own trouble.
    private func untilAnswered<Answer: Sendable>(
        _ ask: @Sendable (DossierClient) async throws -> Answer
    ) async throws -> Answer {
        var number = order.user
        while true {
            try Task.checkCancellation()
            let client = DossierClient(
                baseURL: run.broker(number), user: String(order.user), transport: run.fleet.transport)
            do {
                return try await ask(client)
            } catch ClientError.refused(let status, let error) where status < 500 {
                throw SystemFailure("user \(order.user) was refused: \(error)")
            } catch is ClientError {
                number += 1
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }
}
