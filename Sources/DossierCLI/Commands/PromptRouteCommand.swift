import Basics
import JSON
import Observability
import PromptRegression
import Prompts

extension Command {
    static let promptRoute = Command(
        path: ["prompts", "route"],
        summary: "Compare models by the price of an accepted answer, and choose those of each prompt",
        options: [
            Option("--filter", "GLOB", "Only prompts with a matching case: 'research/*', '*hostile*', or a tag"),
            .json,
            Option("--write", nil, "Write the order of eligible models to routes.yaml in the home folder"),
            Option("--simulated", nil, "With --write: use answers of the simulator where there are no others"),
        ],
        notes: """
            Reads the answers that 'dossier prompts live' has kept in var/prompt-runs; it calls no model. An answer
            counts for 90 days and as long as the prompt and its case are the same.
            """
    ) { try PromptRouting($0).run() }
}

/// `dossier prompts route`.
private struct PromptRouting {
    private let invocation: Invocation
    private let settings: Settings
    private let bundle: Prompts.Bundle

    init(_ invocation: Invocation) throws {
        self.invocation = invocation
        settings = try Settings(environment: invocation.environment, flags: invocation.options)
        bundle = try Composition(settings: settings, logger: .standardError(threshold: .error)).loadBundle()
    }

    func run() throws {
        guard !invocation.has("--simulated") || invocation.has("--write") else {
            throw CommandFailure.usage("--simulated needs --write")
        }
        let report = RouteReport(
            CaseFilter(invocation.options["--filter"]), home: settings.home, bundle: bundle,
            catalogue: try Composition.catalogue(settings), runs: PromptTests.runs, today: TimeSource.system.today)
        guard !report.isEmpty else {
            let pattern = invocation.options["--filter"]
            throw CommandFailure.failed(
                pattern.map { "no case matches '\($0)'" } ?? "there are no cases in prompts/cases")
        }
        Terminal.print(invocation.has("--json") ? report.json.pretty : report.text)
        if invocation.has("--write") { try write(report) }
    }

    private func write(_ report: RouteReport) throws {
        let allowsSimulated = invocation.has("--simulated")
        let routes = report.routes(updating: bundle.routes, simulated: allowsSimulated)
        let refused = allowsSimulated ? [] : report.simulatedOnly
        let changed = Set(routes.entries.keys).union(bundle.routes.entries.keys).filter { prompt in
            Routes([prompt: routes.entries[prompt] ?? []]).text
                != Routes([prompt: bundle.routes.entries[prompt] ?? []]).text
        }
        if !changed.isEmpty {
            try routes.write(home: settings.home)
            for prompt in changed.sorted() {
                let models = routes.models(of: prompt)
                Terminal.printError(
                    "\(Routes.file): \(prompt): \(models.isEmpty ? "removed" : models.joined(separator: ", "))")
            }
            Terminal.printError("Read \(settings.home)/\(Routes.file) and commit it.")
        } else if refused.isEmpty {
            Terminal.printError("\(Routes.file): no change")
        }
        guard refused.isEmpty else {
            throw CommandFailure.failed(
                "not written, since only the simulator answered: \(refused.joined(separator: ", ")); "
                    + "'--write --simulated' writes them with a mark")
        }
    }
}
