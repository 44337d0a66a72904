public import JSON

/// The front matter of a prompt: the model to ask, its settings, and the shapes of input and output.
///
/// Schemas are JSON Schemas; Picoschema has been expanded.
public struct PromptMetadata: Sendable, Hashable {
    /// The keys that mean something. A key with a dot belongs to an extension; others are only in `raw`.
    public static let reservedKeys = [
        "config", "description", "ext", "input", "model", "name", "output", "raw", "toolDefs", "tools", "variant",
        "version",
    ]

    /// Everything but `raw`, as one object.
    public internal(set) var fields: JSONObject
    /// The front matter as it was written; empty when there is none.
    public internal(set) var raw: JSONObject

    /// The keys of the front matter that mean nothing: neither reserved nor those of an extension.
    public var unknownKeys: [String] {
        raw.keys.filter { !Self.reservedKeys.contains($0) && !$0.contains(".") }
    }

    public var name: String? { fields["name"]?.string }
    public var variant: String? { fields["variant"]?.string }
    public var version: String? { fields["version"]?.string }
    public var description: String? { fields["description"]?.string }
    public var model: String? { fields["model"]?.string }
    /// Settings of the model, such as `temperature`.
    public var config: JSONObject { fields["config"]?.object ?? [:] }
    /// The JSON Schema of the input.
    public var inputSchema: JSON? { fields["input"]?["schema"] }
    /// Values for what a caller leaves out.
    public var inputDefaults: JSONObject { fields["input"]?["default"]?.object ?? [:] }
    /// `json`, `text` or another word that the runner understands.
    public var outputFormat: String? { fields["output"]?["format"]?.string }
    /// The JSON Schema of the output.
    public var outputSchema: JSON? { fields["output"]?["schema"] }
    /// Tools by name that are not among `toolDefinitions`.
    public var tools: [String] { fields["tools"]?.array?.compactMap(\.string) ?? [] }
    public var toolDefinitions: [JSON] { fields["toolDefs"]?.array ?? [] }
    /// The fields of extensions: `acme.limit: 3` is `ext["acme"]["limit"]`.
    public var ext: JSONObject { fields["ext"]?.object ?? [:] }
}
