internal import DossierAPI
internal import JobQueue
internal import JSON

/// Does a number of empty journalled steps: the whole way of a job without the work.
///
/// It is part of the product because benchmarks and failure tests run it in the real `dossier worker`, with the kind
/// `Benchmarks/drill.yaml`. No kind of job that comes with Dossier uses it. Its input is `{"steps": 2, "pause": 0}`:
/// the number of steps (0 to 100), and the milliseconds that the job takes in all (0 to 600,000). Its result is
/// `{"steps": 2, "replayed": 0}`: the number of steps, and the number of those that an earlier run had done.
struct DrillAgent: Agent {
    func run(_ context: JobContext) async throws(AgentError) -> AgentResult {
        let steps = try Self.number("steps", in: context.job.input, usually: 2, upTo: 100)
        let pause = try Self.number("pause", in: context.job.input, usually: 0, upTo: 600_000)
        var replayed = 0
        for step in 0..<steps {
            context.progress("work", fraction: Double(step) / Double(steps))
            let entry = try await context.journal.step("work", input: ["step": JSON(step)]) {
                try await Self.wait(.milliseconds(pause / steps))
                return (["step": JSON(step)], [])
            }
            if entry.isReplayed { replayed += 1 }
        }
        if steps == 0 { try await Self.wait(.milliseconds(pause)) }
        return AgentResult(["steps": JSON(steps), "replayed": JSON(replayed)])
    }

    private static func wait(_ pause: Duration) async throws(AgentError) {
        guard pause > .zero else { return }
        do { try await Task.sleep(for: pause) } catch { throw .interrupted }
    }

    private static func number(
        _ name: String, in input: JSON, usually: Int, upTo limit: Int
    ) throws(AgentError) -> Int {
        guard let value = input[name], !value.isNull else { return usually }
        guard let number = value.integer.map(Int.init(clamping:)), (0...limit).contains(number) else {
            let problem = JobError(
                code: .malformed, message: "\(name) must be a whole number from 0 to \(limit)",
                userMessage: "\(name) must be a whole number from 0 to \(limit).")
            throw .failed(AgentFailure(problem, isTransient: false))
        }
        return number
    }
}
