internal import JSON
internal import YAML

/// A prompt file cut into its front matter and its body.
///
/// The front matter stands between two lines of `---`; only blank lines and lines that start with `#`, such as a
/// license, may come before it.
struct FrontMatter {
    /// The YAML between the dashes; `nil` when the file has none.
    let yaml: String?
    /// The line of the file in which the YAML starts.
    let yamlLine: Int
    /// The template, without whitespace at its ends when there is front matter.
    let body: String
    /// The line of the file in which the body starts.
    let bodyLine: Int

    init(_ source: String) {
        var source = source
        if source.unicodeScalars.first == "\u{FEFF}" { source.unicodeScalars.removeFirst() }
        let lines = source.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        guard let open = Self.opening(of: lines),
            let close = lines.indices.dropFirst(open + 1).first(where: { Self.isFence(lines[$0]) })
        else {
            yaml = nil
            yamlLine = 1
            body = source
            bodyLine = 1
            return
        }
        yaml = Self.joined(lines[(open + 1)..<close])
        yamlLine = open + 2
        let rest = Self.joined(lines[(close + 1)...])
        let trimmed = JavaScriptWhitespace.trimmingStart(rest)
        let skipped = rest.unicodeScalars.prefix(rest.unicodeScalars.count - trimmed.unicodeScalars.count)
        bodyLine = close + 2 + skipped.count { $0 == "\n" }
        body = JavaScriptWhitespace.trimmingEnd(trimmed)
    }

    private static func opening(of lines: [Substring.UnicodeScalarView]) -> Int? {
        let first = lines.firstIndex { line in
            line.first != "#" && !line.allSatisfy { $0 == " " || $0 == "\t" || $0 == "\r" }
        }
        return first.flatMap { isFence(lines[$0]) ? $0 : nil }
    }

    private static func isFence(_ line: Substring.UnicodeScalarView) -> Bool {
        line.starts(with: "---".unicodeScalars) && line.dropFirst(3).allSatisfy(JavaScriptWhitespace.contains)
    }

    private static func joined(_ lines: ArraySlice<Substring.UnicodeScalarView>) -> String {
        lines.map { String($0) }.joined(separator: "\n")
    }
}

extension FrontMatter {
    /// The metadata as written, with keys of extensions gathered under `ext`.
    ///
    /// - Throws: `PromptError` of stage `frontMatter`.
    func parse() throws(PromptError) -> (metadata: PromptMetadata, document: YAMLDocument?) {
        var fields: JSONObject = ["ext": .object([:]), "config": .object([:])]
        guard let yaml, !JavaScriptWhitespace.isBlank(yaml) else {
            return (PromptMetadata(fields: fields, raw: [:]), nil)
        }
        let (document, raw) = try read(yaml)
        var ext = raw["ext"]?.object ?? [:]
        for (key, value) in raw where value != .null {
            if PromptMetadata.reservedKeys.contains(key) {
                try check(key, value, document)
                fields[key] = value
            } else if let dot = key.lastIndex(of: ".") {
                let namespace = String(key[..<dot])
                var members = ext[namespace]?.object ?? [:]
                members[String(key[key.index(after: dot)...])] = value
                ext[namespace] = .object(members)
            }
        }
        fields["ext"] = .object(ext)
        fields["raw"] = nil
        return (PromptMetadata(fields: fields, raw: raw), document)
    }

    private func read(_ yaml: String) throws(PromptError) -> (YAMLDocument, JSONObject) {
        let document: YAMLDocument
        do {
            document = try YAMLDocument(parsing: yaml)
        } catch {
            throw PromptError(.frontMatter, error.message, line: error.line + yamlLine - 1)
        }
        let value = document.value
        guard value.isNull || value.object != nil else {
            throw PromptError(.frontMatter, "the front matter must be a mapping of keys to values", line: yamlLine)
        }
        return (document, value.object ?? [:])
    }

    private func check(_ key: String, _ value: JSON, _ document: YAMLDocument) throws(PromptError) {
        let expected: JSON.Kind
        switch key {
        case "config", "ext", "input", "output": expected = .object
        case "tools", "toolDefs": expected = .array
        case "model", "name", "variant", "description": expected = .string
        default: return
        }
        guard value.kind == expected else {
            let line = document.line(nearest: [key]) + yamlLine - 1
            throw PromptError(
                .frontMatter, "'\(key)' must be \(expected == .string ? "a" : "an") \(expected)", line: line)
        }
    }
}
