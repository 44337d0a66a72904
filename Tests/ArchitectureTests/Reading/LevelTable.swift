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
