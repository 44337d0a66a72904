internal import JSON
package import JobQueue
package import Prompts

/// Explains a story calmly: what happened, why it matters, how it unfolded, what to watch, what it does not mean, and
/// where all of it comes from.
///
/// The input names a story of the service, or brings articles along. What is written of a story is kept for everybody
/// who asks for the same; what was made before is not made again.
package struct ExplanationAgent: Agent {
    package let name = "explanation"

    /// What `jobs/explanation.yaml` must give.
    package static let requirements = BundleRules.Agent(prompts: ["explain"], stages: ["explain", "store"])

    private let step: StoryStep
    private let explainer: Explainer

    /// `stories` has the stories, `explanations` what was made before, `models` writes; `now` gives milliseconds since
    /// 1970.
    package init(
        stories: any StoryReader, explanations: any ExplanationRepository, models: ModelCalls,
        now: @escaping @Sendable () -> Int64
    ) {
        step = StoryStep(stories: stories, explanations: explanations, now: now)
        explainer = Explainer(models: models)
    }

    package func run(_ context: JobContext) async throws(AgentError) -> AgentResult {
        guard let group = context.job.input["story_id"]?.integer else {
            return AgentResult(try await explain(try ExplanationInput(context), in: context))
        }
        let holdings = context.job.input["holdings"]?.array?.compactMap(\.string) ?? []
        let story = try await step.read(group: group, holdings: holdings, in: context)
        if let made = story.made {
            return AgentResult([
                "explanation": made.explanation, "holdings": JSON(story.key.holdings), "provenance": made.provenance,
            ])
        }
        let result = try await explain(story.order, in: context)
        let record = StoryExplanation(
            story.key, body: result["explanation"]?.compact ?? "", provenance: result["provenance"]?.compact ?? "",
            createdAt: story.readAt)
        return AgentResult(result, records: [.storyExplanation(record)] + passages(of: story, result))
    }

    /// What everybody's answers may rest on: nothing that speaks to somebody's holdings.
    private func passages(of story: StoryStep.Found, _ result: JSON) -> [RecordChange] {
        guard story.key.holdings.isEmpty, let group = story.group, let explanation = result["explanation"] else {
            return []
        }
        return StoryPassages(
            group: group, title: story.order.title ?? "", explanation: explanation, writtenAt: story.readAt
        ).records
    }

    private func explain(_ order: ExplanationInput, in context: JobContext) async throws(AgentError) -> JSON {
        let prompt = try context.prompt("explain")
        context.progress("explain")
        let (explanation, answer) = try await explainer.explain(order, with: prompt, stage: "explain", in: context)
        context.progress("store")
        return [
            "explanation": explanation, "holdings": JSON(order.holdings),
            "provenance": CheckedAnswer.provenance(of: [answer], in: context),
        ]
    }
}
