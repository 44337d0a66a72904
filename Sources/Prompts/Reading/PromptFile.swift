/// Where the front matter of a prompt's file stands: the YAML between two lines of three hyphens.
struct PromptFile {
    let yaml: String
    /// The lines before the YAML.
    let yamlOffset: Int

    /// Why a file has no front matter that can be read.
    enum Absence: Error {
        case none
        /// It begins in this line and does not end.
        case unclosed(line: Int)
    }

    /// Comments and empty lines may stand before the front matter.
    init(_ source: String) throws(Absence) {
        // A byte order mark, as some editors put it in front.
        let source = source.hasPrefix("\u{FEFF}") ? String(source.unicodeScalars.dropFirst()) : source
        let lines: [Substring] = source.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let isMark: (Substring) -> Bool = { line in
            line.hasPrefix("---") && line.dropFirst(3).allSatisfy(\.isWhitespace)
        }
        guard let start = lines.firstIndex(where: isMark),
            lines[..<start].allSatisfy({ $0.hasPrefix("#") || $0.allSatisfy(\.isWhitespace) })
        else { throw .none }
        guard let end = lines[(start + 1)...].firstIndex(where: isMark) else { throw .unclosed(line: start + 1) }
        yaml = lines[(start + 1)..<end].joined(separator: "\n")
        yamlOffset = start + 1
    }
}
