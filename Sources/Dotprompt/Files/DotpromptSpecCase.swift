internal import JSON

/// One test of a spec file.
struct DotpromptSpecCase {
    let suite: JSON
    let test: JSON

    /// What is wrong; `nil` when everything is as expected.
    func failure() -> String? {
        do {
            let prompt = try Dotprompt.parse(suite["template"]?.string ?? "", environment: try environment())
            return try compare(prompt)
        } catch {
            return "\(error)"
        }
    }

    private func compare(_ prompt: Prompt) throws -> String? {
        let overrides = test["options"]?.object ?? [:]
        var data = suite["data"]?.object ?? [:]
        for (key, value) in test["data"]?.object ?? [:] { data[key] = value }
        let history = try (data["messages"]?.array ?? []).map { try PromptMessage(json: $0) }
        let rendered = try prompt.render(
            input: data["input"]?.object ?? [:], context: data["context"]?.object ?? [:], messages: history,
            docs: data["docs"], overrides: overrides)
        var expected = test["expect"]?.object ?? [:]
        if let raw = expected["raw"], raw != .object(rendered.metadata.raw) {
            return difference("raw", raw, .object(rendered.metadata.raw))
        }
        expected["raw"] = nil
        guard case .object(var actual) = rendered.json else { return nil }
        // The fields that every result has, even when a test does not mention them.
        for key in ["ext", "config", "metadata"] {
            if expected[key] == nil { expected[key] = .object([:]) }
            if actual[key] == nil { actual[key] = .object([:]) }
        }
        let keys = expected.keys + actual.keys.filter { expected[$0] == nil }
        return keys.first { expected[$0] != actual[$0] }.map { difference($0, expected[$0], actual[$0]) }
    }

    private func difference(_ key: String, _ expected: JSON?, _ actual: JSON?) -> String {
        "\(key): expected \(expected?.compact ?? "nothing"), got \(actual?.compact ?? "nothing")"
    }

    private func environment() throws(PromptError) -> PromptEnvironment {
        var partials = Partials()
        for key in ["partials", "resolverPartials"] {
            for (name, source) in suite[key]?.object ?? [:] { try partials.add(name, source.string ?? "") }
        }
        return PromptEnvironment(partials: partials, schemas: members("schemas"), tools: members("tools"))
    }

    private func members(_ key: String) -> [String: JSON] {
        Dictionary((suite[key]?.object ?? [:]).map { ($0.key, $0.value) }) { $1 }
    }
}
