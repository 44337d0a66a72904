/// What may import what.
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

    /// `FoundationNetworking` is a second HTTP client, without our limits and guards.
    static func foundationNetworking(_ files: [SourceFile]) -> [Violation] {
        files.flatMap { file in
            file.imports.filter { $0.module == "FoundationNetworking" }.map { entry in
                file.violation(entry.line, "FoundationNetworking is imported; use the target 'HTTP'")
            }
        }
    }
}
