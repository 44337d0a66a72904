import Agents
import Foundation
import HTTP
import JSON
import JobQueue
import LanguageModels
import Observability
import PromptRegression
import Prompts
import Basics
import Simulator

extension Command {
    static let promptTests: [Command] = [
        Command(
            path: ["prompts", "test"], summary: "Run the prompts' cases offline, with recorded answers",
            options: [
                .filter, .json,
                Option("--update", nil, "Write the goldens instead of comparing them; refused when CI is set"),
                Option("--junit", "FILE", "Write the result as JUnit XML"),
                Option("--markdown", "FILE", "Write the result as Markdown"),
                Option("--html", "FILE", "Write the result as an HTML page with diffs"),
            ],
            notes: "The exit code is 1 when a case fails or a file belongs to no case. See docs/prompt-tests.md."
        ) { try await PromptTests($0).test() },
        Command(
            path: ["prompts", "record"], summary: "Record models' answers to the cases",
            options: [
                .filter, .provider, .simulator, .batch,
                Option("--grades", nil, "Keep the answers and request only the missing grades of rubrics"),
            ],
            notes: """
                Calls the configured services. The simulator answers cases with 'simulate' in any event. With --batch the \
                same command resumes an interrupted one, and buys no call twice.
                """
        ) { try await PromptTests($0).record() },
        Command(
            path: ["prompts", "live"],
            summary: "Run each case several times against real models and compare pass rates",
            options: [
                .filter, .provider, .simulator, .batch, .json,
                Option("--model", "LIST", "Models of models.yaml that answer every prompt, beside the providers"),
                Option("--repair", nil, "Ask again after a rejected draft, as production does, and judge that answer"),
                Option("--repeat", "N", "The calls per case (default 5)"),
                Option("--concurrency", "N", "The concurrent calls (default 4)"),
                Option("--baseline", "FILE", "The file to compare with (default prompts/cases/baseline.json)"),
                Option("--faults", "LIST", "With --simulator: its faults with their rates, as in broken_schema=0.1"),
            ],
            notes: """
                Each answer is stored in var/prompt-runs at once, so that the same command resumes an interrupted run.
                The exit code is 1 when a case that always passed fails, or when a pass rate fell significantly.
                """
        ) { try await PromptTests($0).live() },
        Command(
            path: ["prompts", "accept"],
            summary: "Accept the present results as goldens, and with --run as the baseline",
            options: [.filter, Option("--run", "NAME", "The run in var/prompt-runs for the baseline, or 'latest'")]
        ) { try await PromptTests($0).accept() },
        Command(
            path: ["prompts", "case"], summary: "Make cases from the prompts of a job",
            options: [
                .database, Option("--from-job", "ID", "The id of the job"),
                Option("--name", "NAME", "The name of the cases (default job- and the end of the id)"),
                Option("--prompt", "NAME", "Only the case of this prompt"),
            ]
        ) { try await PromptTests($0).fromJob() },
    ]
}

extension Command.Option {
    static let filter = Command.Option("--filter", "GLOB", "Only matching cases: 'research/*', '*hostile*', or a tag")
    static let provider = Command.Option("--provider", "LIST", "The providers: claude, gemini, openai")
    static let batch = Command.Option(
        "--batch", nil, "Make the calls by batch, at half the price; it may take hours")
    static let simulator = Command.Option("--simulator", nil, "Use a temporary simulator instead of the real services")
}

/// `dossier prompts test|record|live|accept|case`.
struct PromptTests {
    /// The folder of the kept answers of live runs.
    static let runs = "var/prompt-runs"
    /// The folder of batches that are on their way.
    static let batches = "var/prompt-batches"
    /// The calls by batch that are under way at once: all of them.
    private static let mostCalls = 100_000

    private let invocation: Invocation
    private let settings: Settings
    private let bundle: Prompts.Bundle
    private let filter: CaseFilter

    init(_ invocation: Invocation) throws {
        self.invocation = invocation
        settings = try Settings(environment: invocation.environment, flags: invocation.options)
        bundle = try Composition(settings: settings, logger: .standardError(threshold: .error)).loadBundle()
        filter = CaseFilter(invocation.options["--filter"])
    }

    // MARK: Offline

    func test() async throws {
        let runner = OfflineRunner(home: settings.home, bundle: bundle)
        if invocation.has("--update") {
            let paths = try approving("--update") { () throws(ApprovalError) in
                try runner.update(filter, environment: invocation.environment)
            }
            for path in paths { Terminal.print("updated \(path)") }
        }
        let report = runner.run(filter)
        guard !report.cases.isEmpty || !report.problems.isEmpty else { throw noCases }
        for (option, text) in [
            ("--junit", JUnitReport(report).text), ("--markdown", MarkdownReport(report).text),
            ("--html", HTMLReport(report).text),
        ] {
            if let path = invocation.options[option] { try write(text, to: path) }
        }
        let hasColour = isatty(STDOUT_FILENO) == 1 && invocation.environment["NO_COLOR"] == nil
        if invocation.has("--json") {
            Terminal.print(report.json.pretty)
        } else {
            Terminal.print(styled: TerminalReport(report, hasColour: hasColour).text)
        }
        if !report.isSuccess { throw CommandFailure.silent }
    }

    func accept() async throws {
        let runner = OfflineRunner(home: settings.home, bundle: bundle)
        let paths = try approving("prompts accept") { () throws(ApprovalError) in
            try runner.accept(filter, environment: invocation.environment)
        }
        for path in paths { Terminal.print("accepted \(path)") }
        if let run = invocation.options["--run"] {
            let path = Baseline.path(home: settings.home)
            var baseline = try Baseline.read(from: path)
            let results = try LiveRunner.results(of: run == "latest" ? nil : run, in: Self.runs)
            baseline.entries.merge(results.entries) { $1 }
            try baseline.write(to: path)
            Terminal.print("accepted \(results.entries.count) pass rates into \(path)")
        }
    }

    // MARK: Live

    func record() async throws {
        try await withModels { models, simulated in
            let recorder = Recorder(
                home: settings.home, bundle: bundle, client: models, simulated: simulated, redactor: redactor,
                concurrency: invocation.has("--batch") ? Self.mostCalls : 1, now: Self.now)
            let outcomes: [Recorder.Outcome]
            if invocation.has("--grades") {
                outcomes = await recorder.recordGrades(filter) { Terminal.print(Self.line($0)) }
                if outcomes.isEmpty {
                    Terminal.print("Every recorded answer has all grades of its prompt.")
                    return
                }
            } else {
                outcomes = await recorder.record(filter, providers: try providers()) { Terminal.print(Self.line($0)) }
                guard !outcomes.isEmpty else { throw noCases }
            }
            let failures = outcomes.count { if case .failure = $0.result { true } else { false } }
            Terminal.print(
                "\nNext: 'dossier prompts test' shows the changes, and 'dossier prompts accept' accepts them.")
            if failures > 0 { throw CommandFailure.failed("\(failures) of \(outcomes.count) answers failed") }
        }
    }

    func live() async throws {
        let wanted = try providers().map(LiveSide.provider) + models().map(LiveSide.model)
        let concurrency = try invocation.integer("--concurrency", in: 1...64, default: 4)
        guard !invocation.has("--batch") || invocation.options["--concurrency"] == nil else {
            throw CommandFailure.usage("--concurrency is for calls without --batch: in a batch all calls wait together")
        }
        let plan = LivePlan(
            filter: filter, sides: wanted.isEmpty ? [.provider(.claude)] : wanted,
            repeats: try invocation.integer("--repeat", in: 1...1000, default: 5),
            concurrency: invocation.has("--batch") ? Self.mostCalls : concurrency,
            repairs: invocation.has("--repair"))
        let baseline = try Baseline.read(
            from: invocation.options["--baseline"] ?? Baseline.path(home: settings.home))
        try await withModels { models, simulated in
            let client = if let models { models } else { try await simulated.client() }
            let runner = LiveRunner(
                home: settings.home, bundle: bundle, client: client, runs: Self.runs, redactor: redactor, now: Self.now)
            let isQuiet = invocation.has("--json")
            let report = try await runner.run(plan, baseline: baseline) { done, all in
                if !isQuiet { Terminal.printError("\(done) of \(all) answers") }
            }
            Terminal.print(isQuiet ? report.json.pretty : LiveTextReport(report).text)
            if !report.isSuccess { throw CommandFailure.silent }
        }
    }

    // MARK: From a job

    func fromJob() async throws {
        guard let text = invocation.options["--from-job"], let id = JobID(text) else {
            throw CommandFailure.usage("--from-job needs the id of a job; see 'dossier jobs list'")
        }
        let composition = Composition(settings: settings, logger: .standardError(threshold: .error))
        let store = try await composition.openStore(migrations: .refuse)
        defer { Task { await store.close() } }
        guard let job = try await store.job(id, of: nil) else { throw CommandFailure.failed("unknown job \(id)") }
        guard let archive = try await store.archive(ofBundle: job.bundle) else {
            throw CommandFailure.failed("the bundle of job \(id) is no longer in the database")
        }
        let own = try Prompts.Bundle(archive: archive, rules: Composition.rules)
        let steps = try await store.journal(of: id)
        let agents = try composition.replayingAgents(through: steps, over: store, transport: HTTPClient())
        guard let kind = own.kinds[job.kind], let agent = agents[kind.agent] else {
            throw CommandFailure.failed("the kind '\(job.kind)' no longer has an agent")
        }
        let found = try await JobCase(job, steps: steps, bundle: own, agent: agent).uses()
        let writer = JobCaseWriter(home: settings.home, bundle: bundle, redactor: redactor, now: Self.now)
        let name = invocation.options["--name"] ?? "job-\(id.description.suffix(12))"
        let wanted = found.filter { invocation.options["--prompt"] ?? $0.use.prompt == $0.use.prompt }
        guard !wanted.isEmpty else {
            throw CommandFailure.failed("the job used only \(found.map(\.use.prompt).joined(separator: ", "))")
        }
        for use in wanted {
            let written = try writer.write(use, name: name, origin: "job \(id)")
            Terminal.print("prompts/cases/\(written.id): \(written.note)")
        }
    }

    // MARK: Shared

    private var noCases: CommandFailure {
        let pattern = invocation.options["--filter"]
        return .failed(pattern.map { "no case matches '\($0)'" } ?? "there are no cases in prompts/cases")
    }

    private func approving(
        _ what: String, _ body: () throws(ApprovalError) -> [String]
    ) throws(CommandFailure) -> [String] {
        do throws(ApprovalError) {
            return try body()
        } catch {
            switch error {
            case .refusedInCI: throw .usage("\(what) is \(error)")
            case .file(let failure): throw .failed("\(failure)")
            }
        }
    }

    private func providers() throws(CommandFailure) -> [ModelProvider] {
        var providers: [ModelProvider] = []
        for name in (invocation.options["--provider"] ?? "").split(separator: ",") {
            guard let provider = ModelProvider(rawValue: String(name)) else {
                throw .usage("--provider: unknown provider '\(name)'; the providers are claude, gemini, openai")
            }
            if !providers.contains(provider) { providers.append(provider) }
        }
        return providers
    }

    /// The models that `--model` names.
    private func models() throws(CommandFailure) -> [String] {
        guard let list = invocation.options["--model"] else { return [] }
        let known = try Composition.catalogue(settings).models
        var models: [String] = []
        for part in list.split(separator: ",") {
            let id = String(part)
            guard let model = known[id] else {
                let ids = known.keys.sorted().joined(separator: ", ")
                throw .usage("--model: '\(id)' is not in models.yaml; the models are \(ids)")
            }
            guard model.hasPrices else { throw .usage("--model: '\(id)' has no prices in models.yaml") }
            guard ModelProvider(rawValue: id) == nil else {
                throw .usage("--model: '\(id)' has the name of a provider; use --provider, or rename the model")
            }
            if !models.contains(id) { models.append(id) }
        }
        guard !models.isEmpty else { throw .usage("--model needs the ids of models in models.yaml") }
        return models
    }

    private func faults() throws(CommandFailure) -> [FaultRule] {
        guard let list = invocation.options["--faults"] else { return [] }
        guard invocation.has("--simulator") else { throw .usage("--faults needs --simulator") }
        do {
            return try FaultRule.rates(list, seed: 1)
        } catch {
            throw .usage("--faults: \(error)")
        }
    }

    /// Makes the model clients, and stops them after the body.
    private func withModels(_ body: (ModelClient?, SimulatedModelClient) async throws -> Void) async throws {
        let catalogue = try Composition.catalogue(settings)
        let transport = HTTPClient()
        let configuration = ModelsConfiguration(
            claude: settings.anthropic.configuration, gemini: settings.gemini.configuration,
            openai: settings.openAI.configuration)
        let simulated = SimulatedModelClient(catalogue, faults: try faults())
        let outcome: Result<Void, any Error>
        do {
            let direct =
                invocation.has("--simulator")
                ? nil
                : ModelClient(
                    catalogue, router: ModelRouter(catalogue, configuration: configuration, transport: transport))
            if invocation.has("--batch") {
                let reached = direct == nil ? try await simulated.endpoints() : (configuration, transport)
                try await withBatches(catalogue, reached.0, reached.1) { try await body($0, simulated) }
            } else {
                try await body(direct, simulated)
            }
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        await simulated.stop()
        await transport.shutdown()
        try outcome.get()
    }

    /// Makes a client whose calls go by batch. What an interrupted command has left in the folder is gone on with.
    private func withBatches(
        _ catalogue: ModelCatalogue, _ configuration: ModelsConfiguration, _ transport: HTTPClient,
        _ body: (ModelClient) async throws -> Void
    ) async throws {
        let router = ModelRouter(catalogue, configuration: configuration, transport: transport)
        let isSimulated = invocation.has("--simulator")
        let batches = BatchedCalls(
            catalogue, configuration: configuration, transport: transport,
            folder: BatchFiles(path: isSimulated ? Self.batches + "/simulated" : Self.batches),
            onEvent: { Self.show($0) }
        ) { request, tier async throws(ModelError) in try await router.respond(to: request, tier: tier) }
        await batches.resume()
        do {
            try await body(ModelClient(catalogue, batches: batches))
        } catch {
            // A run in which a case fails is over; one whose answers could not be kept goes on with the same batches.
            await batches.close(isDone: error is CommandFailure)
            throw error
        }
        await batches.close(isDone: true)
    }

    private static func show(_ event: BatchEvent) {
        switch event {
        case .sealed(let batch):
            Terminal.printError("a batch of \(batch.lines) calls of \(batch.model); a provider may take a day")
        case .changed(_, let batch, let problem):
            if let problem { Terminal.printError("the batch of \(batch.lines) calls of \(batch.model): \(problem)") }
        case .settled, .failed: break
        }
    }

    private var redactor: Redactor {
        let secrets = [settings.anthropic.key, settings.gemini.key, settings.openAI.key].compactMap { $0?.reveal() }
        let others = ["FMP_API_KEY", "NEWS_API_KEY", "DOSSIER_JWT_SECRET", "SUPABASE_JWT_SECRET"]
        // The simulator's key is "simulated", which is not a secret.
        return Redactor(
            secrets: (secrets + others.compactMap { invocation.environment[$0] }).filter { $0 != "simulated" })
    }

    private func write(_ text: String, to path: String) throws(CommandFailure) {
        do {
            try text.write(toFile: path, atomically: true, encoding: .utf8)
        } catch {
            throw .failed("\(path) cannot be written")
        }
    }

    @Sendable private static func now() -> String { ISO8601.text(milliseconds: WallClock.milliseconds()) }

    private static func line(_ outcome: Recorder.Outcome) -> String {
        let name = "\(outcome.id)" + (outcome.provider.map { ", \($0.rawValue)" } ?? "")
        switch outcome.result {
        case .failure(let failure): return "FAILED   \(name): \(failure)"
        case .success(let recorded):
            return "\(recorded.isExpected ? "recorded" : "LOOK AT ") \(name): \(recorded.evaluation.summary) "
                + "(\(recorded.model)\(recorded.isSimulated ? ", simulated" : ""), \(recorded.cost))"
        }
    }
}
