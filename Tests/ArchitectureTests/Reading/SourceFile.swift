/// A Swift file, as text and as code without comments and texts.
struct SourceFile: Sendable {
    /// Relative to the package's folder.
    let path: String
    /// The folder below `Sources` or `Tests`.
    let target: String
    /// As written.
    let lines: [String]
    /// The same lines with comments and the contents of string literals left out.
    let code: [String]
    let imports: [Import]

    init(path: String, target: String, text: String) {
        self.path = path
        self.target = target
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        code = CodeStripper.strip(text).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        imports = code.enumerated().compactMap { index, line in
            Self.module(importedBy: line).map { Import(module: $0, line: index + 1) }
        }
    }

    struct Import: Equatable {
        var module: String
        /// From 1.
        var line: Int
    }

    /// Attributes and access levels come before `import`; a kind (`struct`, `func`) may follow it.
    private static func module(importedBy line: String) -> String? {
        let words = line.split { $0 == " " || $0 == "\t" }
        guard let place = words.firstIndex(of: "import"), words[..<place].allSatisfy(isModifier) else { return nil }
        var rest = words[(place + 1)...]
        if let kind = rest.first, kinds.contains(String(kind)) { rest.removeFirst() }
        return rest.first.map { String($0.prefix { $0.isLetter || $0.isNumber || $0 == "_" }) }
    }

    private static func isModifier(_ word: Substring) -> Bool {
        word.hasPrefix("@") || ["public", "package", "internal", "fileprivate", "private"].contains(word)
    }

    private static let kinds: Set<String> = ["struct", "class", "enum", "protocol", "typealias", "func", "let", "var"]

    func violation(_ line: Int, _ message: String) -> Violation {
        Violation(file: path, line: line, message: message)
    }
}
