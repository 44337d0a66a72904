/// The table of levels holds every target once, and nothing else.
enum LevelRules {
    static func incomplete(_ levels: LevelTable, _ manifest: Manifest) -> [Violation] {
        var found: [Violation] = []
        var seen: Set<String> = []
        for row in levels.rows {
            if !manifest.targets.contains(row.target) {
                found.append(at(row, "'\(row.target)' is no target of Package.swift"))
            } else if !seen.insert(row.target).inserted {
                found.append(at(row, "'\(row.target)' stands in the table twice"))
            }
        }
        for target in manifest.targets.subtracting(seen).sorted() {
            found.append(Violation(file: LevelTable.path, line: 1, message: "the target '\(target)' has no level"))
        }
        return found
    }

    /// Dependencies that the manifest declares lie on lower levels, imported or not.
    static func upward(_ manifest: Manifest, _ levels: LevelTable) -> [Violation] {
        manifest.dependencies.sorted { $0.key < $1.key }.flatMap { target, dependencies in
            dependencies.sorted().compactMap { dependency in
                guard let own = levels.level(of: target), let other = levels.level(of: dependency), other >= own
                else { return nil }
                return Violation(
                    file: "Package.swift", line: 1,
                    message: "'\(target)' (level \(own)) depends on '\(dependency)' (level \(other))")
            }
        }
    }

    /// Each target has its folder below `Sources`, and each folder its target.
    static func misplaced(_ manifest: Manifest, folders: Set<String>) -> [Violation] {
        folders.symmetricDifference(manifest.targets).sorted().map { name in
            let message = folders.contains(name) ? "is a folder without a target" : "is a target without a folder"
            return Violation(file: "Sources/\(name)", line: 1, message: message)
        }
    }

    private static func at(_ row: LevelTable.Row, _ message: String) -> Violation {
        Violation(file: LevelTable.path, line: row.line, message: message)
    }
}
