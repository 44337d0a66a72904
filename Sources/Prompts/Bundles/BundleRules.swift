package import JSON
package import JobQueue

/// What the code knows and content files may refer to.
package struct BundleRules: Sendable {
    /// What a kind of job has to give the agent that runs it.
    package struct Agent: Sendable, Hashable {
        /// The roles of the prompts that it uses (`draft`).
        package var prompts: Set<String>
        /// The stages through which it reports progress.
        package var stages: Set<String>
        /// Roles that a kind may leave out.
        package var optionalPrompts: Set<String>
        /// JSON Schema of what a kind sets under `settings`; `nil` for an agent without settings.
        package var settings: JSON?

        package init(
            prompts: Set<String>, stages: Set<String>, optionalPrompts: Set<String> = [], settings: JSON? = nil
        ) {
            self.prompts = prompts
            self.stages = stages
            self.optionalPrompts = optionalPrompts
            self.settings = settings
        }
    }

    /// The metrics that score rules may name, each with the figures (concepts) that it is made of.
    package var metrics: [String: Set<String>]
    package var agents: [String: Agent]
    /// The tiers of models that can be asked for.
    package var tiers: Set<String>
    /// The time zones that schedules may name.
    package var zone: @Sendable (_ name: String) -> ZoneOffsets?

    package init(
        metrics: [String: Set<String>], agents: [String: Agent], tiers: Set<String> = ["fast", "deep"],
        zone: @escaping @Sendable (_ name: String) -> ZoneOffsets? = { $0 == "UTC" ? .utc : nil }
    ) {
        self.metrics = metrics
        self.agents = agents
        self.tiers = tiers
        self.zone = zone
    }
}
