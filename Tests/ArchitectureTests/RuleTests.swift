import Testing

/// Each rule on made-up sources that break it, and on ones that almost do.
@Suite struct RuleTests {
    private let manifest = Manifest(
        """
        let modules: [(name: String, dependsOn: [Target.Dependency])] = [
            // Level 1: ("Ghost", [])
            ("Low", ["CZip"]),
            (
                "Middle",
                [
                    "Low",
                ]
            ),
            ("Beside", []),
        ]
        let systemLibraries: [(module: String, pkgConfig: String)] = [("CZip", "zip")]
        let package = Package(targets: [
            .systemLibrary(name: library.module), .target(name: "CRaw"),
            .executableTarget(name: "Top", dependencies: modules.map { .init(stringLiteral: $0.name) }),
            .executableTarget(name: "Aside", dependencies: ["Low"], path: "Tests/Aside"),
        ])
        """)
    private let levels = LevelTable(
        """
        | level | target | owns |
        |---|---|---|
        | 0 | `CZip`, `CRaw` | a level of `Nobody` |
        | 1 | `Low`, `Beside` | |
        | 2 | `Middle` | |
        | 3 | `Top` | |
        """)

    private func file(_ text: String, in target: String = "Middle") -> SourceFile {
        SourceFile(path: "Sources/\(target)/File.swift", target: target, text: text)
    }

    // MARK: Reading

    @Test func theManifestIsRead() {
        #expect(
            manifest.dependencies == [
                "Low": ["CZip"], "Middle": ["Low"], "Beside": [], "Top": ["Low", "Middle", "Beside"],
            ])
        #expect(manifest.cModules == ["CZip", "CRaw"])
    }

    @Test func theTableIsRead() {
        #expect(levels.rows.map(\.target) == ["CZip", "CRaw", "Low", "Beside", "Middle", "Top"])
        #expect(levels.rows.map(\.level) == [0, 0, 1, 1, 2, 3])
        #expect(levels.rows.first?.line == 3)
    }

    @Test func importsAreFoundInEveryForm() {
        let source = file(
            """
            import A
            public import B
            @testable import C
            @preconcurrency internal import D
            import struct E.Thing
            // import F
            /* import G
            import H */
            let text = "import I"
            let long = \"""
                import J
                \"""
            important()
            """)
        #expect(source.imports.map(\.module) == ["A", "B", "C", "D", "E"])
        #expect(source.imports.map(\.line) == [1, 2, 3, 4, 5])
    }

    @Test func codeIsSeparatedFromCommentsAndTexts() {
        let source = file(
            ##"""
            a /* b /* c */ d */ e
            let f = "g \" h" + i
            let j = #"k " l \(m)"# + n
            let o = "p \(q("r") + s) t" + u
            """##)
        #expect(
            source.code == [
                "a  e", "let f = \"\" + i", "let j = \"\" + n", "let o = \"(q(\"\") + s)\" + u",
            ])
    }

    // MARK: Imports

    @Test func anUndeclaredImportIsFound() {
        let files = [file("import Foundation\n\nimport Low\nimport Beside\nimport Vapor")]
        let found = ImportRules.undeclared(files, manifest)
        #expect(found.map(\.line) == [4, 5])
        #expect(
            found.first?.description
                == "Sources/Middle/File.swift:4: 'Middle' imports 'Beside', but Package.swift does not declare it as a "
                + "dependency of 'Middle'")
    }

    @Test func anImportOfTheSameLevelOrAboveIsFound() {
        let found = ImportRules.upward(
            [file("import Low"), file("import CZip\nimport Beside\nimport Top", in: "Low")], levels)
        #expect(found.map(\.line) == [2, 3])
        #expect(found.last?.message.contains("'Low' (level 1) imports 'Top' (level 3)") == true)
    }

    @Test func aCModuleThatTwoTargetsImportIsFound() {
        let files = [
            file("import CZip\nimport CRaw", in: "Low"), file("import CZip", in: "Low"), file("\nimport CZip"),
        ]
        let found = ImportRules.sharedCModules(files, manifest)
        #expect(
            found.map(\.description) == [
                "Sources/Middle/File.swift:2: 'Middle' imports 'CZip', which belongs to 'Low' alone"
            ])
    }

    @Test func anUnusedCModuleIsFound() {
        let found = ImportRules.sharedCModules([file("import CZip", in: "Low")], manifest)
        #expect(found.map(\.message) == ["no target imports 'CRaw'"])
    }

    @Test func anImportOfFoundationNetworkingIsFound() {
        let found = ImportRules.foundationNetworking([file("import Foundation\nimport FoundationNetworking")])
        #expect(found.map(\.line) == [2])
    }

    @Test func whatAppsDoNotHaveIsFound() {
        let text = "import Foundation\nimport FoundationNetworking\nimport Glibc"
        let files = [file(text, in: "DossierClient"), file("import Glibc")]
        #expect(ImportRules.beyondFoundation(files).map(\.line) == [3])
        #expect(ImportRules.foundationNetworking(files).isEmpty)
    }

    // MARK: Levels

    @Test func aTableThatDoesNotFitTheTargetsIsFound() {
        let table = LevelTable("| 0 | `CZip` | |\n| 1 | `Low`, `Ghost` | |\n| 2 | `Middle`, `Low` | |\n| 3 | `Top` | |")
        let found = LevelRules.incomplete(table, manifest)
        #expect(
            found.map(\.description) == [
                "docs/architecture.md:2: 'Ghost' is no target of Package.swift",
                "docs/architecture.md:3: 'Low' is in the table twice",
                "docs/architecture.md:1: the target 'Beside' has no level",
                "docs/architecture.md:1: the target 'CRaw' has no level",
            ])
        #expect(LevelRules.incomplete(levels, manifest).isEmpty)
    }

    @Test func aDeclaredDependencyOnTheSameLevelIsFound() {
        let table = LevelTable("| 1 | `Low`, `Middle`, `Beside` | |\n| 2 | `Top` | |")
        #expect(
            LevelRules.upward(manifest, table).map(\.message) == [
                "'Middle' (level 1) depends on 'Low' (level 1)"
            ])
        #expect(LevelRules.upward(manifest, levels).isEmpty)
    }

    @Test func aFolderWithoutATargetIsFound() {
        let folders = manifest.targets.subtracting(["Low"]).union(["Stray"])
        #expect(
            LevelRules.misplaced(manifest, folders: folders).map(\.description) == [
                "Sources/Low:1: is a target without a folder", "Sources/Stray:1: is a folder without a target",
            ])
    }

    // MARK: Code

    @Test func anAccessToTheEnvironmentIsFound() {
        let text = "let environment = 1\nlet a = ProcessInfo.processInfo.environment\nlet b = getenv(\"A\")"
        #expect(CodeRules.environment([file(text)]).map(\.line) == [2, 3])
        #expect(CodeRules.environment([file(text, in: "DossierCLI")]).isEmpty)
    }

    @Test func aFileOverTheLimitIsFound() {
        let line = "let a = 1\n"
        let found = CodeRules.tooLong([
            file(String(repeating: line, count: 500)), file(String(repeating: line, count: 501)),
        ])
        #expect(found.map(\.line) == [501])
    }

    @Test(arguments: ["let batchDesk = 1", "struct Patience {}", "func wait(for a_rider: Int) {}"])
    func aPrivateTermInANameIsFound(code: String) {
        #expect(CodeRules.privateTerms([file("\n" + code)]).map(\.line) == [2])
    }

    @Test(arguments: ["let desktop = 1", "// a desk", "let a = \"patience\"", "let embedded = 1"])
    func aNameWithAStandardTermPasses(code: String) { #expect(CodeRules.privateTerms([file(code)]).isEmpty) }

    @Test(arguments: [
        "let a = try! b()", "let a = b as! C", "fatalError(\"a\")", "fatalError ()", "let a = \"\\(try! b())\"",
    ])
    func aCrashIsFound(code: String) {
        #expect(CodeRules.crashes([file("\n" + code)]).map(\.line) == [2])
    }

    @Test(arguments: ["let a = try? b()", "// try! this", "let a = \"as! it is\"", "notfatalError()", "a.tryHarder()"])
    func codeThatResemblesACrashPasses(code: String) { #expect(CodeRules.crashes([file(code)]).isEmpty) }

    @Test(arguments: [
        "final class A: @unchecked Sendable {}", "/// Why.\n\nfinal class A: @unchecked Sendable {}",
        "}\nfinal class A: @unchecked Sendable {}", "// Why.\nlet a = 1\n{\nfinal class A:\n    @unchecked Sendable {}",
    ]) func anUncheckedSendableWithoutAReasonIsFound(code: String) {
        #expect(CodeRules.unexplainedSendable([file(code)]).count == 1)
    }

    @Test(arguments: [
        "/// Why.\nfinal class A: @unchecked Sendable {}", "// Why.\n@frozen\nstruct A:\n    B, @unchecked Sendable {}",
        "/* Why. */\nextension A: @unchecked Sendable {}",
    ]) func anUncheckedSendableWithAReasonPasses(code: String) {
        #expect(CodeRules.unexplainedSendable([file(code)]).isEmpty)
    }
}
