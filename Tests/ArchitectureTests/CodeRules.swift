/// Rules on the text of source files.
enum CodeRules {
    static let longestFile = 500
    /// The composition root, which alone reads the configuration.
    static let readsEnvironment = "DossierCLI"

    static func tooLong(_ files: [SourceFile]) -> [Violation] {
        files.compactMap { file in
            // The newline at the end of a file begins no line.
            let count = file.lines.last == "" ? file.lines.count - 1 : file.lines.count
            guard count > longestFile else { return nil }
            return file.violation(longestFile + 1, "the file has \(count) lines; \(longestFile) are the limit")
        }
    }

    static func environment(_ files: [SourceFile]) -> [Violation] {
        files.filter { $0.target != readsEnvironment }.flatMap { file in
            places(of: ["ProcessInfo", "getenv", "secure_getenv", "environ"], in: file).map { word, line in
                file.violation(line, "'\(word)' is used; only '\(readsEnvironment)' reads the process environment")
            }
        }
    }

    /// Ways to end the process where an error could be thrown.
    static func crashes(_ files: [SourceFile]) -> [Violation] {
        files.flatMap { file in
            places(of: ["try!", "as!", "fatalError"], in: file).map { word, line in
                file.violation(line, "'\(word)' ends the process; throw an error instead")
            }
        }
    }

    /// `@unchecked Sendable` without the reason why it holds, in a comment right above the declaration.
    static func unexplainedSendable(_ files: [SourceFile]) -> [Violation] {
        files.flatMap { file in
            places(of: ["@unchecked"], in: file).compactMap { _, line in
                guard !isExplained(file, line) else { return nil }
                return file.violation(line, "'@unchecked Sendable' without a comment above that gives the reason")
            }
        }
    }

    /// A declaration may take several lines; the comment is above its first.
    private static func isExplained(_ file: SourceFile, _ line: Int) -> Bool {
        var index = line - 2
        while index >= 0, !file.code[index].isBlank, !file.code[index].contains(/[{}]/) { index -= 1 }
        guard index >= 0 else { return false }
        return file.code[index].isBlank && !file.lines[index].isBlank
    }

    /// Metaphors that the code once had for things with a standard name. `docs/glossary.md` has the standard ones.
    static let privateTerms: Set<String> = [
        "desk", "knock", "knocks", "patience", "apology", "plea", "rider", "riding", "crowd", "bed", "beds", "bless",
        "blessed", "farewell", "timekeeper", "moment", "moments", "mendable", "payer", "pulse", "mailbox", "follower",
        "followers", "leader", "leaders", "judge", "judged", "judgement", "era", "eras", "talk", "lane", "lanes",
        "tick",
        "ticks",
    ]

    /// Names that the API's answers have, which the client library keeps.
    static let wireNames: Set<String> = ["judgedBy"]

    /// Names in code that contain a private term as one of their words.
    static func privateTerms(_ files: [SourceFile]) -> [Violation] {
        files.flatMap { file in
            file.code.enumerated().flatMap { index, line in
                line.split { !$0.isPartOfName }.filter { !wireNames.contains(String($0)) }.compactMap { name in
                    words(of: name).first(where: privateTerms.contains).map { term in
                        file.violation(index + 1, "the name '\(name)' contains the private term '\(term)'")
                    }
                }
            }
        }
    }

    /// The words of a name in camel case or snake case, in lower case.
    private static func words(of name: Substring) -> [String] {
        var words: [String] = [""]
        for character in name {
            if character == "_" {
                words.append("")
            } else if character.isUppercase, words[words.count - 1].last?.isLowercase == true {
                words.append(character.lowercased())
            } else {
                words[words.count - 1].append(character)
            }
        }
        return words.map { $0.lowercased() }
    }

    /// The places of whole words in the code.
    private static func places(of words: [String], in file: SourceFile) -> [(word: String, line: Int)] {
        file.code.enumerated().flatMap { index, line in
            words.filter { line.contains($0) && isWhole($0, in: line) }.map { ($0, index + 1) }
        }
    }

    private static func isWhole(_ word: String, in line: String) -> Bool {
        line.ranges(of: word).contains { range in
            !(line[..<range.lowerBound].last?.isPartOfName ?? false)
                && !(line[range.upperBound...].first?.isPartOfName ?? false)
        }
    }
}

extension Character {
    fileprivate var isPartOfName: Bool { isLetter || isNumber || self == "_" }
}

extension String {
    fileprivate var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
