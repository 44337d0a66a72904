/// Where the front matter of a prompt's file stands: the YAML between two lines of three hyphens.
struct PromptFile {
    let yaml: String
    /// The lines before the YAML.
    let yamlOffset: Int

    /// - Returns: `nil` when the file does not start with front matter. Comments and empty lines may stand before it.
    init?(_ source: String) {
        let lines: [Substring] = source.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let isMark: (Substring) -> Bool = { line in
            line.hasPrefix("---") && line.dropFirst(3).allSatisfy(\.isWhitespace)
        }
        guard let start = lines.firstIndex(where: isMark),
            lines[..<start].allSatisfy({ $0.hasPrefix("#") || $0.allSatisfy { $0.isWhitespace || $0 == "\u{FEFF}" } }),
            let end = lines[(start + 1)...].firstIndex(where: isMark)
        else { return nil }
        yaml = lines[(start + 1)..<end].joined(separator: "\n")
        yamlOffset = start + 1
    }
}
