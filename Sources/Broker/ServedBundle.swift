internal import JSONSchema
internal import Prompts

/// A bundle and what is worked out once of it, so that a submit need not: to compile a schema with its patterns costs
/// more than all the rest of a submit.
///
/// A class, so that to pick it up costs one count and not one for each member.
final class ServedBundle: Sendable {
    let bundle: Bundle
    /// The schemas of inputs, by kind.
    let inputs: [String: JSONSchema]

    /// - Throws: `JSONSchemaError`; a bundle that was validated has none.
    init(_ bundle: Bundle) throws(JSONSchemaError) {
        self.bundle = bundle
        var inputs: [String: JSONSchema] = [:]
        for (name, kind) in bundle.kinds { inputs[name] = try JSONSchema(kind.inputSchema) }
        self.inputs = inputs
    }
}
