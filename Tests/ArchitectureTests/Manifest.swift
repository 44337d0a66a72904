/// The declarations of `Package.swift`, read as text: a test cannot ask SwiftPM, which holds its lock meanwhile.
struct Manifest: Equatable {
    /// The targets below `Sources` that contain Swift, with the modules that each may import.
    var dependencies: [String: Set<String>] = [:]
    /// The targets that wrap a C or C++ library.
    var cModules: Set<String> = []

    var targets: Set<String> { cModules.union(dependencies.keys) }

    init(_ text: String) {
        var stripped = ""
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            stripped += Self.withoutComment(line) + "\n"
        }
        for entry in Self.entries(of: "modules", in: stripped) {
            dependencies[entry.name] = Set(entry.listed)
        }
        cModules = Set(Self.entries(of: "systemLibraries", in: stripped).map(\.name))
        readSingleTargets(stripped)
    }

    /// `.target(name: "CMalloc")` and `.executableTarget(name: "DossierCLI", dependencies: modules.map …)`. Those with
    /// a path are elsewhere; those whose name is computed come from the tables.
    private mutating func readSingleTargets(_ text: String) {
        for match in text.matches(of: /\.(?:target|executableTarget)\(\s*name:\s*"(\w+)"/) {
            let name = String(match.output.1)
            let arguments = Self.untilClosed(text[match.range.upperBound...])
            if arguments.contains("path:") { continue }
            if name.wholeMatch(of: /C[A-Z]\w*/) != nil {
                cModules.insert(name)
            } else if arguments.contains("modules.map") {
                // Every module, and the names that are added to them.
                dependencies[name] = Set(dependencies.keys).union(
                    arguments.firstMatch(of: /\+\s*\[([^\]]*)\]/).map { Self.strings(in: String($0.output.1)) } ?? [])
            } else {
                let list = arguments.firstMatch(of: /dependencies:\s*\[([^\]]*)\]/).map { String($0.output.1) } ?? ""
                dependencies[name] = Set(Self.strings(in: list))
            }
        }
    }

    // MARK: Tables

    /// The tuples of `let NAME: […] = [ … ]`: the first string of each, and the strings in its inner list.
    private static func entries(of table: String, in text: String) -> [(name: String, listed: [String])] {
        guard let start = text.firstRange(of: "let \(table):")?.upperBound,
            let equals = text[start...].firstRange(of: "= [")?.upperBound
        else { return [] }
        var entries: [(name: String, listed: [String])] = []
        var brackets = 1
        var rest = text[equals...]
        while brackets > 0, let character = rest.first {
            switch character {
            case "[": brackets += 1
            case "]": brackets -= 1
            case "\"":
                let literal = rest.dropFirst().prefix { $0 != "\"" }
                rest = rest.dropFirst(literal.count + 1)
                if brackets > 1 {
                    entries[entries.count - 1].listed.append(String(literal))
                } else if entries.last.map({ !$0.name.isEmpty }) == false {
                    entries[entries.count - 1].name = String(literal)
                }
            case "(": entries.append(("", []))
            default: break
            }
            rest = rest.dropFirst()
        }
        return entries
    }

    private static func strings(in text: String) -> [String] {
        text.matches(of: /"(\w+)"/).map { String($0.output.1) }
    }

    /// The text up to the parenthesis that closes the one that is open.
    private static func untilClosed(_ text: Substring) -> Substring {
        var open = 1
        for index in text.indices {
            if text[index] == "(" { open += 1 }
            if text[index] == ")" { open -= 1 }
            if open == 0 { return text[..<index] }
        }
        return text
    }

    private static func withoutComment(_ line: Substring) -> Substring {
        guard let comment = line.firstRange(of: "//"), line.prefix(upTo: comment.lowerBound).last != ":" else {
            return line
        }
        return line[..<comment.lowerBound]
    }
}

/// The table of levels in `docs/architecture.md`: `| 2 | `JSONSchema`, `Dotprompt` | what they own |`.
struct LevelTable: Equatable {
    static let path = "docs/architecture.md"

    struct Row: Equatable {
        var target: String
        var level: Int
        /// From 1.
        var line: Int
    }

    var rows: [Row] = []

    init(_ text: String) {
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).map {
                $0.trimmingPrefix { $0 == " " }
            }
            // A row begins and ends with a bar, so its first cell is the second part.
            guard cells.count >= 4, cells[0].isEmpty, let level = Int(cells[1].prefix { $0.isNumber }),
                cells[1].drop(while: \.isNumber).allSatisfy({ $0 == " " })
            else { continue }
            rows += cells[2].matches(of: /`(\w+)`/).map {
                Row(target: String($0.output.1), level: level, line: index + 1)
            }
        }
    }

    /// The first level given for a target.
    func level(of target: String) -> Int? { rows.first { $0.target == target }?.level }
}
