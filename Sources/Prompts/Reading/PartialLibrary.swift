internal import Dotprompt
internal import JSON

/// The partials of a bundle, and the templates that call them.
struct PartialLibrary {
    private let environment: PromptEnvironment
    private let names: [String]
    /// Whether all partials that partials call exist.
    private let isComplete: Bool
    private let problems: ProblemList

    /// - Parameters:
    ///   - sources: The text of each partial, by its file's name (`_house_style`).
    ///   - problems: Receives the problems of the partials.
    init(sources: [String: String], problems: ProblemList) {
        self.problems = problems
        let helpers = PromptHelpers.all
        let known = PromptHelpers.places.union(helpers.keys)
        var partials = Partials()
        names = sources.keys.map { String($0.dropFirst()) }
        var isReadable = true
        for (file, source) in sources.sorted(by: { $0.key < $1.key }) {
            let (body, line) = Dotprompt.body(of: source)
            do {
                try partials.add(String(file.dropFirst()), body, helpers: known, firstLine: line)
            } catch {
                isReadable = false
                problems.add(.template(error.message, line: error.line, in: "prompts/\(file).prompt"))
            }
        }
        environment = PromptEnvironment(
            partials: partials, helpers: helpers, placeHelpers: PromptHelpers.places)
        let references = sources.keys.sorted().map { ($0, partials.references(of: String($0.dropFirst()))) }
        let partialNames = Set(names)
        isComplete = isReadable && references.allSatisfy { $0.1.allSatisfy { partialNames.contains($0.name) } }
        for (file, called) in references { report(called, in: "prompts/\(file).prompt") }
    }

    /// The template of a prompt; `nil` after a problem was added.
    func template(of source: String, in file: String) -> Prompt? {
        do {
            let prompt = try Dotprompt.parse(source, environment: environment)
            report(prompt.partialReferences, in: file)
            return prompt
        } catch {
            problems.add(
                .template(error.message, line: error.line, in: error.partial.map { Self.file(of: $0) } ?? file))
            return nil
        }
    }

    /// Renders a template with a sample, to find errors that only rendering shows: partials that call each other
    /// without end, names of roles, arguments that a helper rejects.
    func rehearse(_ prompt: Prompt, with sample: JSON, in file: String) -> Bool {
        guard isComplete, prompt.partialReferences.allSatisfy({ names.contains($0.name) }) else { return false }
        do {
            _ = try prompt.render(input: sample.object ?? [:])
            return true
        } catch {
            problems.add(
                .template(error.message, line: error.line, in: error.partial.map { Self.file(of: $0) } ?? file))
            return false
        }
    }

    /// Reports variables that the input of a prompt does not have.
    func checkVariables(of prompt: Prompt, named name: String, schema: JSON?, in file: String) {
        guard let schema else { return }
        for variable in prompt.unknownVariables(in: schema) {
            let place = variable.partial.map { Self.file(of: $0) } ?? file
            let whole =
                variable.path == variable.name ? "'\(variable.name)'" : "'\(variable.name)' in '\(variable.path)'"
            let whose = variable.partial == nil ? "" : " that prompts/\(name).prompt has no such input for"
            problems.add(
                BundleProblem(
                    file: place, line: variable.line, message: "unknown variable \(whole)\(whose)",
                    fix: variable.known.isEmpty
                        ? "'input.schema' says that there is nothing within it"
                        : Suggestion.fix(for: variable.name, among: variable.known)))
        }
    }

    private static func file(of partial: String) -> String { "prompts/_\(partial).prompt" }

    private func report(_ references: [PartialReference], in file: String) {
        for reference in references where !names.contains(reference.name) {
            problems.add(
                BundleProblem(
                    file: file, line: reference.line, message: "unknown partial '\(reference.name)'",
                    fix: Suggestion.fix(for: reference.name, among: names)))
        }
    }
}

extension BundleProblem {
    fileprivate static func template(_ message: String, line: Int?, in file: String) -> BundleProblem {
        BundleProblem(file: file, line: line, message: message, fix: fix(message))
    }

    private static func fix(_ message: String) -> String {
        let opening = "there is no helper '"
        guard message.hasPrefix(opening) else { return "check the braces and names there" }
        let helpers = ["role", "json", "if", "unless", "each", "with", "ifEquals", "unlessEquals", "lookup"]
        return Suggestion.fix(
            for: String(message.dropFirst(opening.count).dropLast()),
            among: helpers + PromptHelpers.all.keys + PromptHelpers.places)
    }
}
