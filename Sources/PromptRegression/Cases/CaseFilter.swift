/// The cases to run: `research/*`, `*hostile*`, a tag; several with commas between them.
package struct CaseFilter: Sendable {
    private let patterns: [String]

    /// Every case.
    package static let all = CaseFilter(nil)

    package init(_ text: String?) {
        patterns = (text ?? "").split(separator: ",").map { $0.split(separator: " ").joined(separator: " ") }
            .filter { !$0.isEmpty }
    }

    package var isAll: Bool { patterns.isEmpty }

    /// A pattern with a slash is compared with `prompt/case`; one without, with each of the two and the tags.
    package func selects(_ promptCase: PromptCase) -> Bool {
        isAll
            || patterns.contains { pattern in
                let names =
                    pattern.contains("/")
                    ? [promptCase.id.description] : [promptCase.id.prompt, promptCase.id.name] + promptCase.tags
                return names.contains { Glob.matches($0, pattern) }
            }
    }
}

/// `*` for any number of characters, `?` for one.
enum Glob {
    static func matches(_ text: String, _ pattern: String) -> Bool {
        let (text, pattern) = (Array(text), Array(pattern))
        var (place, mark) = (0, 0)
        var star: Int?
        var next = 0
        while place < text.count {
            if next < pattern.count, pattern[next] == "?" || pattern[next] == text[place], pattern[next] != "*" {
                (place, next) = (place + 1, next + 1)
            } else if next < pattern.count, pattern[next] == "*" {
                (star, mark, next) = (next, place, next + 1)
            } else if let star {
                mark += 1
                (place, next) = (mark, star + 1)
            } else {
                return false
            }
        }
        return pattern[next...].allSatisfy { $0 == "*" }
    }
}
