/// Gives the names that modules import from each other short ones, each the same in all modules. What only a page or a test
/// imports by its name keeps it.
///
/// Modules import by `import {name} from` or `import {name as other} from`, and two modules do not export the same name.
enum ScriptImports {
    static func shortened(_ modules: [String: [ScriptToken]]) -> [String: [ScriptToken]] {
        let imports = modules.mapValues(imports)
        var uses: [String: Int] = [:]
        for (path, tokens) in modules {
            let exported = Dictionary(imports[path]?.map { ($0.local, $0.exported) } ?? [], uniquingKeysWith: { $1 })
            for name in tokens.compactMap({ exported[$0.name] }) { uses[name, default: 0] += 1 }
        }
        let taken = Set(modules.values.joined().map(\.name))
        let names = uses.keys.filter { $0.utf8.count > 1 }
            .sorted { (uses[$1, default: 0], $0) < (uses[$0, default: 0], $1) }
        let short = Dictionary(uniqueKeysWithValues: zip(names, shortNames.filter { !taken.contains($0) }))
        return modules.mapValues { shortened($0, by: short) }
    }

    /// Those come first that the names within a module take last.
    private static let shortNames = ScriptNames.letters.reversed() + ScriptNames.pairs

    private struct Import {
        let exported: String
        let local: String
        /// The names, and `as` between them.
        let tokens: Range<Int>
    }

    /// What a module imports: the names between the braces of its imports.
    private static func imports(_ tokens: [ScriptToken]) -> [Import] {
        tokens.indices.filter { tokens[$0].isName("import") && tokens.dropFirst($0 + 1).first?.isMark("{") == true }
            .flatMap { start in
                tokens[(start + 2)...].prefix { !$0.isMark("}") }.split { $0.isMark(",") }.map { part in
                    Import(
                        exported: tokens[part.startIndex].name, local: tokens[part.endIndex - 1].name,
                        tokens: part.startIndex..<part.endIndex)
                }
            }
    }

    /// A module with the short names of what it imports and exports.
    private static func shortened(_ tokens: [ScriptToken], by short: [String: String]) -> [ScriptToken] {
        let imports = imports(tokens)
        let exports = tokens.indices.filter { index in
            ["function", "class", "const", "let"].contains(tokens[max(0, index - 1)].name)
                && (2...3).contains { index >= $0 && tokens[index - $0].isName("export") }
        }
        var names: [String: String] = [:]
        for index in exports { names[tokens[index].name] = short[tokens[index].name] }
        for one in imports { names[one.local] = short[one.exported] }
        // Both names of an import become the short one, which stands once.
        let dropped = Set(imports.filter { short[$0.exported] != nil }.flatMap { $0.tokens.dropLast() })
        let module = ScriptNames.Module(tokens.indices.filter { !dropped.contains($0) }.map { tokens[$0] })
        return module.renamed { names[$0] }
    }
}
