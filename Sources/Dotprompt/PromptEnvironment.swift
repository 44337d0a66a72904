public import JSON

/// The names that prompts can refer to: partials, helpers, schemas, tools and models.
public struct PromptEnvironment: Sendable {
    /// The templates that prompts can call.
    public var partials: Partials
    /// Helpers beyond the built-in ones, by name.
    public var helpers: [String: TemplateHelper]
    /// Helpers that leave a place for the caller: `{{name "purpose"}}` becomes a pending part `name purpose`.
    public var placeHelpers: Set<String>
    /// JSON Schemas that Picoschema may use by name.
    public var schemas: [String: JSON]
    /// Definitions of tools by name; a prompt that lists one gets its definition.
    public var tools: [String: JSON]
    /// The model for prompts that name none.
    public var defaultModel: String?
    /// Settings for each model, which those of a prompt override.
    public var modelConfigs: [String: JSONObject]
    /// The limit on the work of one rendering.
    public var limits: RenderLimits

    /// An environment; everything that is left out is empty.
    public init(
        partials: Partials = Partials(), helpers: [String: TemplateHelper] = [:], placeHelpers: Set<String> = [],
        schemas: [String: JSON] = [:],
        tools: [String: JSON] = [:], defaultModel: String? = nil, modelConfigs: [String: JSONObject] = [:],
        limits: RenderLimits = RenderLimits()
    ) {
        self.partials = partials
        self.helpers = helpers
        self.placeHelpers = placeHelpers
        self.schemas = schemas
        self.tools = tools
        self.defaultModel = defaultModel
        self.modelConfigs = modelConfigs
        self.limits = limits
    }
}

extension PromptEnvironment {
    /// The names of all helpers beyond the built-in ones.
    public var helperNames: Set<String> { placeHelpers.union(helpers.keys) }
}

/// A custom helper: makes a value from arguments (`{{name one two}}`) and named arguments (`key=value`).
///
/// `nil` among the arguments is an undefined value. An error that it throws is reported with the line of its call.
public typealias TemplateHelper = @Sendable (_ arguments: [JSON?], _ named: JSONObject) throws -> JSON

/// The limit on the work of one rendering; more is an error.
public struct RenderLimits: Sendable, Hashable {
    /// Bytes of output.
    public var outputSize: Int
    /// Statements that are carried out, counting every round of a loop.
    public var steps: Int
    /// Partials within partials.
    public var partialDepth: Int

    /// Limits; those that are left out have values that no honest prompt reaches.
    public init(outputSize: Int = 8 << 20, steps: Int = 500_000, partialDepth: Int = 48) {
        self.outputSize = outputSize
        self.steps = steps
        self.partialDepth = partialDepth
    }
}

/// The templates that prompts can call by name (`{{> name}}`), parsed once.
public struct Partials: Sendable {
    private var templates: [String: Template] = [:]

    /// No partials.
    public init() {}

    /// Partials from their texts.
    ///
    /// - Parameters:
    ///   - sources: The text of each partial by its name.
    ///   - helpers: Names of helpers beyond the built-in ones that the partials may call.
    /// - Throws: `PromptError` of stage `template` that names the partial.
    public init(_ sources: [String: String], helpers: Set<String> = []) throws(PromptError) {
        for (name, source) in sources.sorted(by: { $0.key < $1.key }) {
            try add(name, source, helpers: helpers)
        }
    }

    /// Adds a partial or replaces it.
    ///
    /// - Parameters:
    ///   - name: The name in calls (`{{> name}}`).
    ///   - source: The text of the template.
    ///   - helpers: Names of helpers beyond the built-in ones that it may call.
    ///   - firstLine: The line of its file in which the template starts.
    /// - Throws: `PromptError` of stage `template` that names the partial.
    public mutating func add(
        _ name: String, _ source: String, helpers: Set<String> = [], firstLine: Int = 1
    ) throws(PromptError) {
        templates[name] = try Template(parsing: source, name: name, helpers: helpers, firstLine: firstLine)
    }

    /// The names, sorted.
    public var names: [String] { templates.keys.sorted() }

    /// The partials that a partial calls by a fixed name.
    public func references(of name: String) -> [PartialReference] { templates[name]?.partialReferences ?? [] }

    func template(named name: String) -> Template? { templates[name] }
}
