import Testing

/// Compares the sources of this package with its manifest and `docs/architecture.md`.
@Suite struct ArchitectureTests {
    private let repository = Repository.here
    private var sources: [SourceFile] { get throws { try Repository.sources.get() } }
    private var tests: [SourceFile] { get throws { try Repository.tests.get() } }

    @Test func everyImportIsDeclaredInTheManifest() throws {
        report(ImportRules.undeclared(try sources, try repository.manifest()))
    }

    @Test func everyTargetIsOnceInTheTableOfLevels() throws {
        report(LevelRules.incomplete(try repository.levels(), try repository.manifest()))
    }

    @Test func noTargetImportsItsOwnLevelOrOneAbove() throws {
        report(ImportRules.upward(try sources, try repository.levels()))
    }

    @Test func noTargetDeclaresADependencyOnItsOwnLevelOrOneAbove() throws {
        report(LevelRules.upward(try repository.manifest(), try repository.levels()))
    }

    @Test func everyTargetHasItsFolder() throws {
        report(LevelRules.misplaced(try repository.manifest(), folders: try repository.folders()))
    }

    @Test func eachCModuleIsImportedByOneTarget() throws {
        let files = try sources + tests
        report(ImportRules.sharedCModules(files, try repository.manifest()))
    }

    @Test func onlyTheCommandLineReadsTheEnvironment() throws {
        report(CodeRules.environment(try sources))
    }

    @Test func nothingImportsFoundationNetworking() throws {
        let files = try sources + tests
        report(ImportRules.foundationNetworking(files))
    }

    @Test func theClientOfAppsImportsFoundationAlone() throws {
        report(ImportRules.beyondFoundation(try sources))
    }

    @Test func noFileIsTooLong() throws {
        report(CodeRules.tooLong(try sources + tests))
    }

    @Test func noSourceEndsTheProcess() throws {
        report(CodeRules.crashes(try sources))
    }

    @Test func noNameIsAPrivateTerm() throws {
        report(CodeRules.privateTerms(try sources + tests))
    }

    @Test func everyUncheckedSendableSaysWhy() throws {
        report(CodeRules.unexplainedSendable(try sources))
    }

    /// The rules above would pass on nothing.
    @Test func theWholePackageIsRead() throws {
        let manifest = try repository.manifest()
        let files = try sources
        for target in manifest.dependencies.keys.sorted() {
            #expect(files.contains { $0.target == target }, "no source of '\(target)' was read")
        }
        #expect(manifest.dependencies["DossierCLI"]?.contains("Broker") == true)
        #expect(manifest.cModules.contains("CSQLite"))
        #expect(files.contains { !$0.imports.isEmpty })
    }

    private func report(_ violations: [Violation], sourceLocation: SourceLocation = #_sourceLocation) {
        for violation in violations {
            Issue.record(Comment(rawValue: violation.description), sourceLocation: sourceLocation)
        }
    }
}
