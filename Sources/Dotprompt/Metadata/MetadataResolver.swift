internal import JSON

/// Turns front matter as written into what a model is asked with.
struct MetadataResolver {
    let environment: PromptEnvironment

    /// Fields of `overrides` replace those of the prompt; `config` is merged key by key.
    ///
    /// Throws a `PromptError` of stage `schema`.
    func resolve(_ metadata: PromptMetadata, overrides: JSONObject) throws(PromptError) -> PromptMetadata {
        var fields = metadata.fields
        if fields["model"] == nil, let model = environment.defaultModel { fields["model"] = .string(model) }
        for (key, value) in overrides where key != "config" && value != .null { fields[key] = value }
        var config = fields["model"]?.string.flatMap { environment.modelConfigs[$0] } ?? [:]
        for settings in [metadata.config, overrides["config"]?.object ?? [:]] {
            for (key, value) in settings { config[key] = value }
        }
        fields["config"] = .object(config)
        resolveTools(in: &fields)
        try expandSchema(in: "input", of: &fields)
        try expandSchema(in: "output", of: &fields)
        return PromptMetadata(fields: fields, raw: metadata.raw)
    }

    private func resolveTools(in fields: inout JSONObject) {
        guard let tools = fields["tools"]?.array else { return }
        var unknown: [JSON] = []
        var definitions = fields["toolDefs"]?.array ?? []
        for tool in tools {
            if let name = tool.string, let definition = environment.tools[name] {
                definitions.append(definition)
            } else {
                unknown.append(tool)
            }
        }
        fields["tools"] = .array(unknown)
        fields["toolDefs"] = .array(definitions)
    }

    private func expandSchema(in part: String, of fields: inout JSONObject) throws(PromptError) {
        guard let schema = fields[part]?["schema"], schema != .null else { return }
        do {
            let expanded = try Picoschema.jsonSchema(from: schema, schemas: environment.schemas)
            fields[part]?["schema"] = expanded
        } catch {
            throw PromptError(.schema, "\(part) schema: \(error.description)")
        }
    }
}
