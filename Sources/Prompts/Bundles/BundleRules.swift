public import JSON
public import JobQueue

/// What the code knows and content files may refer to.
public struct BundleRules: Sendable {
    /// What a kind of job has to give the agent that runs it.
    public struct Agent: Sendable, Hashable {
        /// The roles of the prompts that it uses (`draft`).
        public var prompts: Set<String>
        /// The stages through which it reports progress.
        public var stages: Set<String>
        /// Roles that a kind may leave out.
        public var optionalPrompts: Set<String>
        /// JSON Schema of what a kind sets under `settings`; `nil` for an agent without settings.
        public var settings: JSON?

        public init(
            prompts: Set<String>, stages: Set<String>, optionalPrompts: Set<String> = [], settings: JSON? = nil
        ) {
            self.prompts = prompts
            self.stages = stages
            self.optionalPrompts = optionalPrompts
            self.settings = settings
        }
    }

    /// The metrics that score rules may name, each with the figures (concepts) that it is made of.
    public var metrics: [String: Set<String>]
    public var agents: [String: Agent]
    /// The tiers of models that can be asked for.
    public var tiers: Set<String>
    /// The time zones that schedules may name.
    public var zone: @Sendable (_ name: String) -> ZoneOffsets?

    public init(
        metrics: [String: Set<String>], agents: [String: Agent], tiers: Set<String> = ["fast", "deep"],
        zone: @escaping @Sendable (_ name: String) -> ZoneOffsets? = { $0 == "UTC" ? .utc : nil }
    ) {
        self.metrics = metrics
        self.agents = agents
        self.tiers = tiers
        self.zone = zone
    }
}
