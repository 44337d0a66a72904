package import Basics

/// The models of prompts in the order in which they are asked: the content of `routes.yaml`.
package struct Routes: Hashable, Sendable {
    package static let file = "routes.yaml"

    /// One model of a prompt, with the evidence for its place.
    package struct Entry: Hashable, Sendable {
        /// The id in `models.yaml`.
        package var model: String
        /// Accepted answers, of `asked`.
        package var passes: Int?
        package var asked: Int?
        /// Micro-dollars of an accepted answer.
        package var price: Int64?
        /// The day on which the order was made.
        package var date: CalendarDate?
        /// The answers came from the simulator, so the order says nothing about real models.
        package var isSimulated = false
        /// The line in `routes.yaml`; `nil` for an entry that was not read from there.
        package var line: Int?

        package init(
            model: String, passes: Int? = nil, asked: Int? = nil, price: Int64? = nil, date: CalendarDate? = nil,
            isSimulated: Bool = false
        ) {
            self.model = model
            self.passes = passes
            self.asked = asked
            self.price = price
            self.date = date
            self.isSimulated = isSimulated
        }
    }

    /// The entries by the name of the prompt; never empty lists.
    package var entries: [String: [Entry]]

    package init(_ entries: [String: [Entry]] = [:]) { self.entries = entries }

    /// The models of a prompt; empty where its tier decides.
    package func models(of prompt: String) -> [String] { entries[prompt]?.map(\.model) ?? [] }

    /// The prompts whose order comes from answers of the simulator.
    package var simulated: [String] { entries.filter { $0.value.contains(where: \.isSimulated) }.keys.sorted() }
}

// MARK: The catalogue

extension Routes {
    /// The problems of the entries with the catalogue at hand: unknown models, and models whose spend could not be
    /// counted. They are no problems of the bundle, since a job may run with a bundle that is older than the catalogue.
    ///
    /// - Parameter models: The ids of the catalogue, each with whether its price is known.
    /// - Returns: A problem for each such entry, with its line.
    package func problems(with models: [String: Bool]) -> [BundleProblem] {
        entries.sorted { $0.key < $1.key }.flatMap { prompt, entries in
            entries.compactMap { entry in
                guard let isPriced = models[entry.model] else {
                    return BundleProblem(
                        file: Self.file, line: entry.line,
                        message: "'\(prompt)' names the model '\(entry.model)', which is not in models.yaml",
                        fix: Suggestion.fix(for: entry.model, among: models.keys))
                }
                guard !isPriced else { return nil }
                return BundleProblem(
                    file: Self.file, line: entry.line,
                    message: "'\(prompt)' names the model '\(entry.model)', which has no prices",
                    fix: "write its 'prices' in models.yaml: spend could not be counted")
            }
        }
    }
}

// MARK: Writing

extension Routes {
    private static let header = """
        # The models of each prompt in the order in which they are asked. 'dossier prompts route --write' writes this
        # file from kept answers; see docs/prompt-tests.md. A prompt without an entry asks the models of its tier.
        # passes: accepted answers, repaired ones included. price: dollars of an accepted answer.

        """

    /// The text of the file; reading it gives the same entries.
    package var text: String {
        var text = Self.header
        for (prompt, entries) in entries.sorted(by: { $0.key < $1.key }) where !entries.isEmpty {
            text += "\n\(Self.quoted(prompt)):\n" + entries.map { "  - \($0.text)\n" }.joined()
        }
        return text
    }

    /// Plain where YAML reads the text as a text without quotes.
    fileprivate static func quoted(_ text: String) -> String {
        let isPlain =
            text.utf8.first.map { (0x61...0x7A).contains($0) } == true
            && text.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || [0x2D, 0x2E, 0x5F].contains(byte)
            } && !["true", "false", "null", "yes", "no", "on", "off", "y", "n"].contains(text)
        return isPlain
            ? text
            : "'"
                + text.split(separator: "'", omittingEmptySubsequences: false)
                .joined(separator: "''") + "'"
    }
}

extension Routes.Entry {
    fileprivate var text: String {
        var members = ["model: \(Routes.quoted(model))"]
        if let passes { members.append("passes: \(passes)") }
        if let asked { members.append("asked: \(asked)") }
        if let price { members.append("price: \(Self.dollars(price))") }
        if let date { members.append("date: \(date)") }
        if isSimulated { members.append("simulated: true") }
        return "{" + members.joined(separator: ", ") + "}"
    }

    /// `0.041250`
    private static func dollars(_ microDollars: Int64) -> String {
        let fraction = String(microDollars % 1_000_000)
        return "\(microDollars / 1_000_000)." + String(repeating: "0", count: 6 - fraction.utf8.count) + fraction
    }
}
