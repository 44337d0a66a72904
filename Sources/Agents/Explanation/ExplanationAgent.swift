internal import JSON
internal import JobQueue
public import Prompts

/// Explains a story calmly: what happened, why it matters, how it unfolded, what to watch, what it does not mean, and
/// where all of it comes from.
public struct ExplanationAgent: Agent {
    public let name = "explanation"

    /// What `jobs/explanation.yaml` must give.
    public static let requirements = BundleRules.Agent(prompts: ["explain"], stages: ["explain", "store"])

    private let explainer: Explainer

    /// `models` writes.
    public init(models: ModelCalls) { explainer = Explainer(models: models) }

    public func run(_ context: JobContext) async throws(AgentError) -> AgentResult {
        let order = try ExplanationOrder(context)
        let prompt = try context.prompt("explain")
        context.progress("explain")
        let (explanation, answer) = try await explainer.explain(order, with: prompt, stage: "explain", in: context)
        context.progress("store")
        return AgentResult([
            "explanation": explanation, "holdings": JSON(order.holdings),
            "provenance": CheckedAnswer.provenance(of: [answer], in: context),
        ])
    }
}
