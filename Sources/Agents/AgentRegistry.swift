package import Prompts

/// What the agents need from the files that define kinds of jobs.
package enum AgentRequirements {
    /// By the name that `agent:` in a job kind gives.
    package static let all: [String: BundleRules.Agent] = [
        "research": ResearchAgent.requirements, "analyze": AnalyzeAgent.requirements,
        "explanation": ExplanationAgent.requirements, "interpret": InterpretAgent.requirements,
        "summary": SummaryAgent.requirements, "chat": ArticleChatAgent.requirements,
        "education": EducationAgent.requirements, "drill": DrillAgent.requirements, "ingest": IngestAgent.requirements,
        "brief": BriefAgent.requirements,
    ]
}
