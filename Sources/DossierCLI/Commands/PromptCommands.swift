import Dotprompt
import JSON
import PromptRegression
import Prompts

extension Command {
    static let prompts: [Command] = [
        Command(path: ["prompts", "list"], summary: "List prompts, personas and kinds of jobs", options: [.json]) {
            invocation in
            let bundle = try bundle(invocation)
            if invocation.has("--json") {
                Terminal.print(bundle.inventory.compact)
            } else {
                Terminal.print(bundle.overview)
            }
        },
        Command(
            path: ["prompts", "lint"],
            summary: "Check every prompt, persona, kind of job, case and route, and the plans",
            notes: "Prints each problem as FILE:LINE: problem (fix). The exit code is 1 if there is any."
        ) { invocation in
            let bundle = try bundle(invocation)
            let settings = try Settings(environment: invocation.environment)
            let cases = CaseLibrary.load(home: settings.home, bundle: bundle).problems.map(\.description)
            let routes = try Composition.routeProblems(bundle, settings).map(\.description)
            let problems = try cases + routes + planProblems(settings)
            for problem in problems { Terminal.print(problem) }
            guard problems.isEmpty else {
                throw CommandFailure.failed(problems.count == 1 ? "1 problem" : "\(problems.count) problems")
            }
            Terminal.print(
                "\(bundle.prompts.count) prompts, \(bundle.personas.count) personas and \(bundle.kinds.count) kinds of "
                    + "jobs are valid (bundle \(bundle.hash.prefix(12)))")
            if !bundle.routes.simulated.isEmpty {
                Terminal.print(
                    "\(Routes.file): the order of \(bundle.routes.simulated.joined(separator: ", ")) comes from the "
                        + "simulator and says nothing about real models")
            }
        },
        Command(
            path: ["prompts", "render"], summary: "Print a prompt rendered with an input",
            arguments: [Argument(name: "NAME", help: "The name of the prompt, without .prompt")],
            options: [Option("--input", "JSON", "The input: a JSON object, @FILE, or - for standard input"), .json]
        ) { invocation in
            let name = try invocation.argument("NAME")
            let bundle = try bundle(invocation)
            guard let prompt = bundle.prompts[name] else {
                let known = bundle.prompts.keys.sorted().joined(separator: ", ")
                throw CommandFailure.failed("unknown prompt '\(name)'; the prompts are \(known)")
            }
            let rendered = try prompt.render(input: try invocation.inputObject())
            if invocation.has("--json") {
                Terminal.print(rendered.inventory.pretty)
            } else {
                if let system = rendered.system { Terminal.print("--- system\n\(system)") }
                for message in rendered.messages { Terminal.print("--- \(message.role.rawValue)\n\(message.text)") }
            }
        },
        Command(
            path: ["prompts", "conformance"], summary: "Run dotprompt's conformance tests",
            arguments: [Argument(name: "DIR", help: "A folder of dotprompt spec files (.yaml)")]
        ) { invocation in
            let spec = try DotpromptSpec(directory: try invocation.argument("DIR"))
            for outcome in spec.outcomes {
                guard let failure = outcome.failure else { continue }
                Terminal.print("FAILED \(outcome.file), \(outcome.suite), \(outcome.test): \(failure)")
            }
            Terminal.print(spec.summary)
            if spec.failed > 0 || spec.outcomes.isEmpty { throw CommandFailure.silent }
        },
    ]

    private static func planProblems(_ settings: Settings) throws -> [String] {
        do throws(BundleProblems) {
            _ = try PlansReader.load(path: settings.plansPath)
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    private static func bundle(_ invocation: Invocation) throws -> Bundle {
        let settings = try Settings(environment: invocation.environment)
        do {
            return try BundleLoader.load(home: settings.home, rules: Composition.rules)
        } catch {
            for problem in error.problems { Terminal.print(problem.description) }
            throw CommandFailure.failed(error.problems.count == 1 ? "1 problem" : "\(error.problems.count) problems")
        }
    }
}

extension Bundle {
    fileprivate var inventory: JSON {
        [
            "hash": JSON(hash), "prompts": JSON(prompts.keys.sorted()), "personas": JSON(personas.keys.sorted()),
            "kinds": JSON(kinds.keys.sorted()),
        ]
    }

    fileprivate var overview: String {
        let sections: [(String, [(String, String)])] = [
            ("Prompts", prompts.values.sorted { $0.name < $1.name }.map { ($0.name, $0.tier ?? "") }),
            ("Personas", personas.values.sorted { $0.id < $1.id }.map { ($0.id, $0.summary) }),
            ("Kinds of jobs", kinds.values.sorted { $0.name < $1.name }.map { ($0.name, $0.title) }),
        ]
        return sections.map { title, rows in
            let width = rows.map(\.0.count).max() ?? 0
            let lines = rows.map { "  \($0.0)\(String(repeating: " ", count: width - $0.0.count))  \($0.1)" }
            return ([title] + lines).joined(separator: "\n")
        }.joined(separator: "\n\n")
    }
}

extension RenderedModelPrompt {
    fileprivate var inventory: JSON {
        [
            "name": JSON(name), "system": JSON(system),
            "messages": .array(messages.map { ["role": JSON($0.role.rawValue), "text": JSON($0.text)] }),
            "output_schema": output?.schema ?? .null,
        ]
    }
}
