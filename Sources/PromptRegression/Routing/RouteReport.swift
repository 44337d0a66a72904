package import Basics
package import LanguageModels
package import Prompts

/// For each prompt the models that may answer it, the cheapest accepted answer first, and what is missing to know more.
package struct RouteReport: Sendable {
    /// One model's answers to a prompt, and the judgement.
    struct Row: Sendable {
        var evidence: ModelEvidence
        var verdict: ModelEvidence.Verdict
    }

    /// Answers that are needed before a model can be judged.
    struct Gap: Sendable, Hashable {
        var model: String
        var reason: String
        /// The command that asks for them.
        var command: String
    }

    struct Table: Sendable {
        var prompt: String
        var floor: Double
        /// The prompt's cases that a real service can answer.
        var cases: Int
        var rows: [Row]
        var gaps: [Gap]

        /// The eligible models, the lowest price first.
        func order(simulated: Bool) -> [ModelEvidence] {
            rows.filter { $0.evidence.source.isSimulated == simulated && $0.verdict == .eligible }.map(\.evidence)
        }

        var hasRealAnswers: Bool { rows.contains { !$0.evidence.source.isSimulated } }
    }

    var tables: [Table] = []
    package var problems: [String] = []
    let today: CalendarDate

    package var isEmpty: Bool { tables.isEmpty }

    /// Reads every kept run.
    ///
    /// - Parameters:
    ///   - filter: The prompts that have a case of these; all of a prompt's cases count.
    ///   - home: The home folder.
    ///   - bundle: The prompts as they are.
    ///   - catalogue: The models that can be used.
    ///   - runs: The folder of the runs, `var/prompt-runs`.
    ///   - today: The day from which the age of answers is counted.
    package init(
        _ filter: CaseFilter, home: String, bundle: Bundle, catalogue: ModelCatalogue, runs: String,
        today: CalendarDate
    ) {
        self.today = today
        let library = CaseLibrary.load(home: home, bundle: bundle)
        problems = library.problems.map(\.description)
        let answers = KeptAnswers(root: runs, bundle: bundle, today: today)
        let byPrompt = Dictionary(grouping: library.cases, by: \.id.prompt)
        for (name, cases) in byPrompt.sorted(by: { $0.key < $1.key }) where cases.contains(where: filter.selects) {
            guard let prompt = bundle.prompts[name] else { continue }
            let askable = cases.filter { $0.simulation == nil }
            let evidence = answers.evidence(of: askable, by: prompt)
            problems += evidence.problems
            tables.append(
                Table(prompt, evidence, cases: askable.count, tier: bundle.tier(of: prompt), catalogue: catalogue))
        }
    }
}

extension RouteReport.Table {
    init(
        _ prompt: LoadedPrompt, _ evidence: KeptAnswers.Evidence, cases: Int, tier: String, catalogue: ModelCatalogue
    ) {
        self.prompt = prompt.name
        self.cases = cases
        floor = prompt.floor
        rows = evidence.models.values.map { model in
            let isUsable = catalogue.models[model.source.model]?.hasPrices == true
            return RouteReport.Row(
                evidence: model, verdict: model.verdict(floor: prompt.floor, isUsable: isUsable))
        }.sorted(by: RouteReport.Row.isBefore)
        gaps = []
        guard cases > 0 else { return }
        let candidates = catalogue.candidates(for: tier)?.map(\.id) ?? []
        for model in candidates where !rows.contains(where: { $0.evidence.source == .init(real: model) }) {
            gaps.append(gap(of: .init(.init(real: model)), because: evidence.absence(of: model)))
        }
        for row in rows where !row.evidence.source.isSimulated {
            guard case .tooFew(let further) = row.verdict else { continue }
            let reason =
                row.evidence.unrepaired > 0
                ? "\(row.evidence.unrepaired) rejected drafts were not asked for again"
                : "\(further) further passes would show it"
            gaps.append(gap(of: row.evidence, because: reason))
        }
    }

    /// The answers that a model needs at least, if all of them pass.
    private func gap(of evidence: ModelEvidence, because reason: String) -> RouteReport.Gap {
        let further = WilsonInterval.furtherPasses(after: evidence.accepted, of: evidence.asked, toReach: floor) ?? 1
        let repeats = min(1000, max(1, (further + cases - 1) / cases))
        let model = evidence.source.model
        return RouteReport.Gap(
            model: model, reason: reason,
            command: "dossier prompts live --filter '\(prompt)/*' --model \(model) --repair --repeat \(repeats)")
    }
}

extension ModelEvidence.Source {
    fileprivate init(real model: String) { self.init(model: model, isSimulated: false) }
}

extension KeptAnswers.Evidence {
    /// Why there is no fresh answer of a model.
    fileprivate func absence(of model: String) -> String {
        let source = ModelEvidence.Source(real: model)
        var reasons: [String] = []
        if let count = superseded[source] { reasons.append("\(count) are of an earlier text of the prompt or a case") }
        if let count = old[source] { reasons.append("\(count) are older than \(KeptAnswers.longestAge) days") }
        return reasons.isEmpty ? "no answers" : "no fresh answers: " + reasons.joined(separator: ", ")
    }
}

extension RouteReport.Row {
    /// Real answers first, then eligible models, then the lower price.
    fileprivate static func isBefore(_ left: RouteReport.Row, _ right: RouteReport.Row) -> Bool {
        left.rank < right.rank
    }

    private var rank: (Int, Int, Double, Double, String) {
        (
            evidence.source.isSimulated ? 1 : 0, verdict == .eligible ? 0 : 1, evidence.price ?? .infinity,
            -evidence.lowerBound, evidence.source.model
        )
    }
}

// MARK: Routes

extension RouteReport {
    /// Prompts whose only answers come from the simulator, with an order that they would give.
    package var simulatedOnly: [String] {
        tables.filter { !$0.hasRealAnswers && !$0.order(simulated: true).isEmpty }.map(\.prompt)
    }

    /// The routes that follow from the answers.
    ///
    /// A prompt without any answers keeps its entries. One whose answers make no model eligible loses them and goes
    /// back to its tier.
    ///
    /// - Parameters:
    ///   - routes: The present ones.
    ///   - simulated: Whether answers of the simulator may decide where there are no others.
    /// - Returns: The present routes with those of the judged prompts replaced.
    package func routes(updating routes: Routes, simulated: Bool) -> Routes {
        var routes = routes
        for table in tables {
            let isSimulated = !table.hasRealAnswers
            guard !table.rows.isEmpty, !isSimulated || simulated else { continue }
            let entries = table.order(simulated: isSimulated).map { model in
                Routes.Entry(
                    model: model.source.model, passes: model.accepted, asked: model.asked,
                    price: model.price.map { Int64($0.rounded()) }, date: today, isSimulated: isSimulated)
            }
            routes.entries[table.prompt] = entries.isEmpty ? nil : entries
        }
        return routes
    }
}

extension Routes {
    /// Writes the file of a home folder.
    package func write(home: String) throws(FileFailure) { try Files.write(text, to: "\(home)/\(Self.file)") }
}
