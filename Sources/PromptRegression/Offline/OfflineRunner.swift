internal import JSON
package import Prompts

/// Runs cases without calling a model: render, compare, replay, parse, validate, check, compare.
package struct OfflineRunner: Sendable {
    let home: String
    let bundle: Bundle

    /// - Parameters:
    ///   - home: The folder that holds `prompts/cases`.
    ///   - bundle: The prompts under test.
    package init(home: String, bundle: Bundle) {
        self.home = home
        self.bundle = bundle
    }

    /// Runs the cases of a filter. With the filter for all cases, files that no case uses are looked for everywhere.
    package func run(_ filter: CaseFilter = .all) -> SuiteReport {
        let clock = ContinuousClock()
        let start = clock.now
        let library = CaseLibrary.load(home: home, bundle: bundle)
        var reports: [CaseReport] = []
        var orphans = filter.isAll ? library.strays : []
        for promptCase in library.cases where filter.selects(promptCase) {
            let begin = clock.now
            let run = CaseRun(promptCase, bundle: bundle)
            var report = run.report
            report.duration = clock.now - begin
            reports.append(report)
            orphans += run.orphans
        }
        return SuiteReport(
            cases: reports, orphans: orphans, problems: library.problems, duration: clock.now - start)
    }

    /// Writes the goldens of the cases from the present results and returns the files that changed. Recordings
    /// stay as they are. Where the environment has `CI`, nothing is written, since no person would review it.
    package func update(_ filter: CaseFilter = .all, environment: [String: String]) throws(ApprovalError) -> [String] {
        try Self.refuseInCI(environment)
        var changed: [String] = []
        for promptCase in CaseLibrary.load(home: home, bundle: bundle).cases where filter.selects(promptCase) {
            do throws(FileFailure) {
                changed += try CaseRun(promptCase, bundle: bundle).writeGoldens()
            } catch {
                throw .file(error)
            }
        }
        return changed
    }

    /// Approves the present results: writes the goldens and removes recordings of requests that are no longer made.
    /// Returns the files that changed or were removed. Where the environment has `CI`, nothing is written.
    package func accept(_ filter: CaseFilter = .all, environment: [String: String]) throws(ApprovalError) -> [String] {
        try Self.refuseInCI(environment)
        var changed: [String] = []
        for promptCase in CaseLibrary.load(home: home, bundle: bundle).cases where filter.selects(promptCase) {
            let run = CaseRun(promptCase, bundle: bundle)
            // An answer that was asked for and never came must not cost the one that is there.
            guard run.hasAnswer else { continue }
            do throws(FileFailure) {
                changed += try run.writeGoldens()
                changed += try run.removeOrphans()
            } catch {
                throw .file(error)
            }
        }
        return changed
    }

    private static func refuseInCI(_ environment: [String: String]) throws(ApprovalError) {
        guard let value = environment["CI"], !["", "0", "false"].contains(value) else { return }
        throw .refusedInCI
    }
}

/// The reason why nothing was approved.
package enum ApprovalError: Error, Sendable, CustomStringConvertible {
    case refusedInCI
    case file(FileFailure)

    package var description: String {
        switch self {
        case .refusedInCI: "refused where CI is set: an unreviewed result must not become the golden"
        case .file(let failure): failure.description
        }
    }
}
