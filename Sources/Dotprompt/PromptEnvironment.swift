public import JSON

/// What prompts can refer to: partials, helpers, schemas and tools by name, and settings of models.
public struct PromptEnvironment: Sendable {
    public var partials: Partials
    public var helpers: [String: TemplateHelper]
    /// JSON Schemas that Picoschema may use by name.
    public var schemas: [String: JSON]
    /// Definitions of tools by name; a prompt that lists one gets its definition.
    public var tools: [String: JSON]
    /// For prompts that name no model.
    public var defaultModel: String?
    /// Settings for each model, which those of a prompt override.
    public var modelConfigs: [String: JSONObject]
    public var limits: RenderLimits

    public init(
        partials: Partials = Partials(), helpers: [String: TemplateHelper] = [:], schemas: [String: JSON] = [:],
        tools: [String: JSON] = [:], defaultModel: String? = nil, modelConfigs: [String: JSONObject] = [:],
        limits: RenderLimits = RenderLimits()
    ) {
        self.partials = partials
        self.helpers = helpers
        self.schemas = schemas
        self.tools = tools
        self.defaultModel = defaultModel
        self.modelConfigs = modelConfigs
        self.limits = limits
    }
}
