internal import JobQueue
internal import JSON
package import Prompts

/// Walks through so many journalled steps and asks nobody: the whole way of a job without the work, for measuring a
/// fleet and for drills in which parts of it die.
///
/// No kind of job that comes with Dossier uses it. Its input is `{"steps": 2, "pause": 0}`: how many steps (0 to 100)
/// and how many milliseconds the job takes in all (0 to 600,000). Its result is `{"steps": 2, "replayed": 0}`: how many
/// steps it has, and how many of them an earlier run had done.
package struct DrillAgent: Agent {
    package let name = "drill"

    /// What a kind of job must give to be run by this agent.
    package static let requirements = BundleRules.Agent(prompts: [], stages: ["work"])

    package init() {}

    package func run(_ context: JobContext) async throws(AgentError) -> AgentResult {
        let steps = try Self.number("steps", in: context.job.input, usually: 2, upTo: 100)
        let pause = try Self.number("pause", in: context.job.input, usually: 0, upTo: 600_000)
        var replayed = 0
        for step in 0..<steps {
            context.progress("work", fraction: Double(step) / Double(steps))
            let entry = try await context.journal.step("work", input: ["step": JSON(step)]) { () throws(AgentError) in
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
                code: "VAL_3004", message: "\(name) must be a whole number from 0 to \(limit)",
                userMessage: "\(name) must be a whole number from 0 to \(limit).")
            throw .failed(AgentFailure(problem, isTransient: false))
        }
        return number
    }
}
