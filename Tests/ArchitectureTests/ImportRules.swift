/// Rules on imports.
enum ImportRules {
    /// Modules of the toolchain that sources may use. `FoundationNetworking` is not among them: `HTTP` is the client.
    static let system: Set<String> = ["Dispatch", "Foundation", "FoundationEssentials", "Glibc", "Synchronization"]

    /// Every import is of the toolchain or declared as a dependency of the target.
    static func undeclared(_ files: [SourceFile], _ manifest: Manifest) -> [Violation] {
        files.flatMap { file in
            file.imports.compactMap { entry in
                let (module, line) = (entry.module, entry.line)
                if system.contains(module) || module == "FoundationNetworking" { return nil }
                if manifest.dependencies[file.target]?.contains(module) == true { return nil }
                let reason =
                    manifest.targets.contains(module)
                    ? "Package.swift does not declare it as a dependency of '\(file.target)'"
                    : "it is neither a target of this package nor one of \(system.sorted().joined(separator: ", "))"
                return file.violation(line, "'\(file.target)' imports '\(module)', but \(reason)")
            }
        }
    }

    /// What apps depend on needs nothing but Foundation, which all of its systems have.
    static func beyondFoundation(_ files: [SourceFile]) -> [Violation] {
        files.filter { $0.target == "DossierClient" }.flatMap { file in
            file.imports.filter { $0.module != "Foundation" && $0.module != "FoundationNetworking" }.map { entry in
                file.violation(entry.line, "'\(file.target)' imports '\(entry.module)'; it may import Foundation alone")
            }
        }
    }

    /// No target imports its own level or one above.
    static func upward(_ files: [SourceFile], _ levels: LevelTable) -> [Violation] {
        files.flatMap { file in
            file.imports.compactMap { entry in
                let (module, line) = (entry.module, entry.line)
                guard let own = levels.level(of: file.target), let other = levels.level(of: module), other >= own
                else { return nil }
                return file.violation(
                    line,
                    "'\(file.target)' (level \(own)) imports '\(module)' (level \(other)); only lower levels may be")
            }
        }
    }

    /// Each C module is imported by exactly one target.
    static func sharedCModules(_ files: [SourceFile], _ manifest: Manifest) -> [Violation] {
        manifest.cModules.sorted().flatMap { module in
            var owner: String?
            var found: [Violation] = []
            for file in files {
                for entry in file.imports where entry.module == module {
                    let first = owner ?? file.target
                    owner = first
                    guard first != file.target else { continue }
                    let message = "'\(file.target)' imports '\(module)', which belongs to '\(first)' alone"
                    found.append(file.violation(entry.line, message))
                }
            }
            if owner == nil {
                found.append(Violation(file: "Package.swift", line: 1, message: "no target imports '\(module)'"))
            }
            return found
        }
    }

    /// `FoundationNetworking` is a second HTTP client, without our limits and guards. Apps have no other.
    static func foundationNetworking(_ files: [SourceFile]) -> [Violation] {
        files.filter { $0.target != "DossierClient" }.flatMap { file in
            file.imports.filter { $0.module == "FoundationNetworking" }.map { entry in
                file.violation(entry.line, "FoundationNetworking is imported; use the target 'HTTP'")
            }
        }
    }
}

/// Rules on the table of levels: it has every target once, and nothing else.
enum LevelRules {
    static func incomplete(_ levels: LevelTable, _ manifest: Manifest) -> [Violation] {
        var found: [Violation] = []
        var seen: Set<String> = []
        for row in levels.rows {
            if !manifest.targets.contains(row.target) {
                found.append(at(row, "'\(row.target)' is no target of Package.swift"))
            } else if !seen.insert(row.target).inserted {
                found.append(at(row, "'\(row.target)' is in the table twice"))
            }
        }
        for target in manifest.targets.subtracting(seen).sorted() {
            found.append(Violation(file: LevelTable.path, line: 1, message: "the target '\(target)' has no level"))
        }
        return found
    }

    /// Declared dependencies are on lower levels, imported or not.
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
