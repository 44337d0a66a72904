internal import JSON

/// Reads paths into a value whose schema is known, so that a path to nowhere is found when it is written.
struct PathReader {
    /// `nil` when nothing is known of the value.
    let schema: JSON?

    /// The paths in a list; `nil` after a problem was added.
    func list(_ node: Node) -> [OutputPath]? {
        guard let elements = node.elements() else { return nil }
        let paths = elements.compactMap(read)
        return paths.count == elements.count ? paths : nil
    }

    func read(_ node: Node) -> OutputPath? {
        guard let text = node.text() else { return nil }
        guard let path = OutputPath(text) else {
            node.report("'\(text)' is no path", fix: "write it like 'summary' or 'risks[].detail'")
            return nil
        }
        if let schema, !leads(path, through: schema, node) { return nil }
        return path
    }

    private func leads(_ path: OutputPath, through schema: JSON, _ node: Node) -> Bool {
        var schema = schema
        for step in path.steps {
            switch step {
            case .member(let name):
                // A schema that says nothing of its members, or that allows others, lets any path pass.
                guard let members = schema["properties"]?.object else {
                    return schema["type"]?.string == nil || isOpen(schema)
                }
                guard let member = members[name] else {
                    if isOpen(schema) { return true }
                    node.report("the schema has no '\(name)'", fix: Suggestion.fix(for: name, among: members.keys))
                    return false
                }
                schema = member
            case .element, .everyElement:
                guard let elements = schema["items"] else {
                    guard schema["properties"] != nil else { return true }
                    node.report("'\(path)' looks for a list where the schema has an object", fix: "remove the brackets")
                    return false
                }
                schema = elements
            }
        }
        return true
    }

    private func isOpen(_ schema: JSON) -> Bool { schema["additionalProperties"] != false }
}
