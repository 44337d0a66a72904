internal import JSON

/// Reads the line `subject:` of a kind of jobs: a template, or a list of templates of which the first that has all its
/// values counts.
struct SubjectReader {
    /// The most alternatives, and the most scalars of one.
    private static let mostAlternatives = 8
    private static let longest = 200

    /// The kind's schema of inputs; `nil` when it could not be read.
    let schema: JSON?

    func read(_ node: Node) -> SubjectTemplate? {
        let nodes = node.value.array == nil ? [node] : node.elements() ?? []
        guard (1...Self.mostAlternatives).contains(nodes.count) else {
            node.report(
                "'subject' must have 1 to \(Self.mostAlternatives) alternatives",
                fix: "write one template, or a list of them")
            return nil
        }
        let alternatives = nodes.compactMap(parts)
        return alternatives.count == nodes.count ? SubjectTemplate(alternatives) : nil
    }

    private func parts(_ node: Node) -> [SubjectTemplate.Part]? {
        guard let text = node.text() else { return nil }
        guard text.unicodeScalars.count <= Self.longest else {
            node.report("the template is longer than \(Self.longest) characters", fix: "shorten it")
            return nil
        }
        var parts: [SubjectTemplate.Part] = []
        var rest = text[...]
        while let open = rest.firstRange(of: "{{") {
            if open.lowerBound > rest.startIndex { parts.append(.text(String(rest[..<open.lowerBound]))) }
            guard let close = rest[open.upperBound...].firstRange(of: "}}") else {
                node.report("a '{{' has no '}}'", fix: "write, for example, '{{ticker}}'")
                return nil
            }
            guard let part = value(rest[open.upperBound..<close.lowerBound], node) else { return nil }
            parts.append(part)
            rest = rest[close.upperBound...]
        }
        if rest.contains("}}") {
            node.report("a '}}' has no '{{'", fix: "write, for example, '{{ticker}}'")
            return nil
        }
        if !rest.isEmpty { parts.append(.text(String(rest))) }
        return parts
    }

    /// Reads what is between the braces: `ticker`, `articles.0.title`, `persona.name` or `address content_url`.
    private func value(_ text: Substring, _ node: Node) -> SubjectTemplate.Part? {
        let words = text.split(separator: " ")
        if words.count == 1, let known = SubjectTemplate.Known(rawValue: String(words[0])) {
            guard schema == nil || schema?["properties"]?[known.member] != nil else {
                node.report(
                    "'{{\(known.rawValue)}}' needs a member '\(known.member)' of the input",
                    fix: "name a member of the input")
                return nil
            }
            return .known(known)
        }
        let isAddress = words.count == 2 && words[0] == "address"
        guard words.count == 1 || isAddress, let last = words.last else {
            node.report(
                "'{{\(text)}}' is no value",
                fix: "write '{{MEMBER}}', '{{address MEMBER}}' or one of "
                    + SubjectTemplate.Known.allCases.map { "'{{\($0.rawValue)}}'" }.joined(separator: ", "))
            return nil
        }
        let path = last.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard isWord(at: path, isText: isAddress) else {
            let kind = isAddress ? "text" : "text or whole number"
            node.report("'\(last)' is no \(kind) of the input", fix: "name a member of the input's schema")
            return nil
        }
        return isAddress ? .address(path) : .input(path)
    }

    /// Whether the schema has a text, or a whole number unless `isText`, at the end of a path.
    private func isWord(at path: [String], isText: Bool) -> Bool {
        guard var place = schema else { return true }
        for step in path {
            let isMember = SubjectTemplate.place(step) == nil
            guard let next = isMember ? place["properties"]?[step] : place["items"] else { return false }
            place = next
        }
        if let words = place["enum"]?.array { return words.allSatisfy { $0.string != nil } }
        return place["type"] == "string" || (!isText && place["type"] == "integer")
    }
}
