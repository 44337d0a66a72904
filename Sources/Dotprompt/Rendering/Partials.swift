/// The templates that prompts can call by name (`{{> name}}`), parsed once.
public struct Partials: Sendable {
    private var templates: [String: Template] = [:]

    /// No partials.
    public init() {}

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
    ///   - name: What templates call it by.
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
