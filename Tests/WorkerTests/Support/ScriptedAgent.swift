import Agents
import JSON
import JobQueue
import TestSupport

/// An agent that does what a test tells it to.
struct ScriptedAgent: Agent {
    let name = "scripted"
    let script: @Sendable (JobContext) async throws(AgentError) -> JSON

    func run(_ context: JobContext) async throws(AgentError) -> AgentResult {
        AgentResult(try await script(context))
    }

    static let error = JobError(code: "EXT_4004", message: "The provider failed.", userMessage: "Please try again.")

    static func failure(isTransient: Bool, retryAfter: Duration? = nil) -> AgentError {
        .failed(AgentFailure(error, isTransient: isTransient, retryAfter: retryAfter))
    }
}

/// Returns when the task is cancelled.
func untilCancelled() async {
    while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
}
