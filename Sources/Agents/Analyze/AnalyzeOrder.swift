internal import JSON
internal import JobQueue
internal import Prompts

/// What an `analyze` job asks for.
struct AnalyzeInput: Sendable {
    let url: String
    let goal: String
    let learner: Learner
    let analyze: LoadedPrompt
    let questions: LoadedPrompt

    init(_ context: JobContext) throws(AgentError) {
        let input = JSONField(context.job.input)
        do {
            url = try input["content_url"].string()
            goal = try input["goal_description"].string()
            learner = Learner(
                known: try input["known_concepts"].optional?.strings() ?? [],
                weak: try input["weak_concepts"].optional?.strings() ?? [])
        } catch {
            throw .failed(AgentFailure(.internalFailure("the job's input: \(error)"), isTransient: false))
        }
        analyze = try context.prompt("analyze")
        questions = try context.prompt("questions")
    }
}
