package import JobQueue
internal import JSON
internal import YAML

/// All models that Dossier may use, and the models of each tier: the content of `models.yaml`.
package struct ModelCatalogue: Hashable, Sendable {
    package let models: [String: ModelDescription]
    /// The ids of each tier's candidates in order of preference.
    package let tiers: [String: [String]]
    /// The model that makes vectors from texts; `nil` when there is none.
    package let embedding: ModelDescription?
    /// The bounds of batches of calls.
    package let batches: BatchBounds
    /// Whether another candidate may be asked beside one whose first byte is late.
    let allowsHedges: Bool

    /// The tiers must name known models with prices, which the loader checks.
    init(
        models: [String: ModelDescription], tiers: [String: [String]], embedding: ModelDescription? = nil,
        batches: BatchBounds = BatchBounds(), allowsHedges: Bool = true
    ) {
        self.models = models
        self.tiers = tiers
        self.embedding = embedding
        self.batches = batches
        self.allowsHedges = allowsHedges
    }

    /// The models of a route that have prices; without one, the candidates of the tier.
    func candidates(for tier: String, route: PromptRoute?) -> [ModelDescription]? {
        let routed = (route?.models ?? []).compactMap { models[$0] }.filter(\.hasPrices)
        return routed.isEmpty ? candidates(for: tier) : routed
    }

    /// The candidates of a tier in their order, or the model with that id; `nil` for any other name.
    package func candidates(for name: String) -> [ModelDescription]? {
        if let ids = tiers[name] { return ids.compactMap { models[$0] } }
        guard let model = models[name], model.prices != nil else { return nil }
        return [model]
    }
}

extension ModelCatalogue {
    /// Reads `models.yaml` strictly: unknown keys, wrong types, and tiers with an unknown or unpriced model are errors.
    ///
    /// - Parameters:
    ///   - text: The content of the file.
    ///   - file: The file's name for messages.
    /// - Throws: `CatalogueError` naming file and line.
    package init(parsing text: String, file: String = "models.yaml") throws(CatalogueError) {
        let document: YAMLDocument
        do {
            document = try YAMLDocument(parsing: text)
        } catch {
            throw CatalogueError(file: file, line: error.line, message: error.message)
        }
        do throws(CatalogueProblem) {
            try self.init(document.value)
        } catch {
            throw CatalogueError(file: file, line: document.line(nearest: error.path), message: error.description)
        }
    }

    private init(_ root: JSON) throws(CatalogueProblem) {
        let reader = CatalogueReader(root, path: [])
        try reader.allow(["models", "tiers", "budgets", "embedding", "batches", "hedging"])
        let budgets =
            try reader.optional("budgets").map { list throws(CatalogueProblem) in try Self.budgets(list) } ?? [:]
        var models: [String: ModelDescription] = [:]
        for (id, entry) in try reader.member("models").members() { models[id] = try Self.model(id, entry, budgets) }
        for (name, budget) in budgets where !models.values.contains(where: { $0.budget == budget }) {
            throw CatalogueProblem(path: ["budgets", name], message: "is no model's budget")
        }
        var tiers: [String: [String]] = [:]
        for (name, list) in try reader.member("tiers").members() {
            let ids = try list.strings()
            guard !ids.isEmpty else { throw list.problem("needs at least one model") }
            guard models[name] == nil else { throw list.problem("has the name of a model") }
            for id in ids {
                guard let model = models[id] else { throw list.problem("names '\(id)', which is not among the models") }
                guard model.prices != nil else {
                    throw list.problem("names '\(id)', whose price is unknown: spend could not be counted")
                }
            }
            guard Set(ids).count == ids.count else { throw list.problem("names a model twice") }
            tiers[name] = ids
        }
        let embedding = try reader.optional("embedding").map { place throws(CatalogueProblem) in
            try Self.embedding(place, among: models)
        }
        let batches = try reader.optional("batches").map { entry throws(CatalogueProblem) in try Self.batches(entry) }
        self.init(
            models: models, tiers: tiers, embedding: embedding, batches: batches ?? BatchBounds(),
            allowsHedges: try reader.optional("hedging")?.bool() ?? true)
    }

    private static func batches(_ entry: CatalogueReader) throws(CatalogueProblem) -> BatchBounds {
        try entry.allow(["gather", "gather_hurried", "lines", "bytes", "poll", "unclear", "lease"])
        var bounds = BatchBounds()
        bounds.gather = try entry.optional("gather")?.seconds() ?? bounds.gather
        bounds.gatherHurried = try entry.optional("gather_hurried")?.seconds() ?? bounds.gatherHurried
        bounds.lines = try entry.optional("lines")?.count(in: 1...50_000) ?? bounds.lines
        bounds.bytes = try entry.optional("bytes")?.count(in: 1...200_000_000) ?? bounds.bytes
        bounds.poll = try entry.optional("poll")?.seconds() ?? bounds.poll
        bounds.unclear = try entry.optional("unclear")?.seconds() ?? bounds.unclear
        bounds.lease = try entry.optional("lease")?.seconds() ?? bounds.lease
        return bounds
    }

    private static func embedding(
        _ place: CatalogueReader, among models: [String: ModelDescription]
    ) throws(CatalogueProblem) -> ModelDescription {
        guard let model = models[try place.string()] else { throw place.problem("is not among the models") }
        guard model.provider == .gemini else { throw place.problem("must be a model of gemini") }
        guard model.prices != nil else { throw place.problem("has no price: spend could not be counted") }
        return model
    }

    private static func budgets(_ list: CatalogueReader) throws(CatalogueProblem) -> [String: ModelBudget] {
        var budgets: [String: ModelBudget] = [:]
        for (name, entry) in try list.members() {
            try entry.allow([
                "provider", "requests_per_minute", "input_tokens_per_minute", "output_tokens_per_minute",
                "tokens_per_minute", "share",
            ])
            let provider: ModelProvider = try entry.member("provider").choice()
            let budget = ModelBudget(
                name: "\(provider.rawValue)/\(name)",
                limits: BudgetLimits(
                    requestsPerMinute: try entry.optional("requests_per_minute")?.rate(),
                    inputTokensPerMinute: try entry.optional("input_tokens_per_minute")?.rate(),
                    outputTokensPerMinute: try entry.optional("output_tokens_per_minute")?.rate(),
                    tokensPerMinute: try entry.optional("tokens_per_minute")?.rate(),
                    share: try entry.optional("share")?.share() ?? 100))
            budgets[name] = budget
        }
        return budgets
    }

    private static func model(
        _ id: String, _ entry: CatalogueReader, _ budgets: [String: ModelBudget]
    ) throws(CatalogueProblem) -> ModelDescription {
        try entry.allow([
            "provider", "name", "context", "max_output", "thinking", "efforts", "forced_tool_choice", "prices",
            "budget", "timeouts", "cache_minimum", "batch",
        ])
        var efforts: [Effort] = []
        if let list = entry.optional("efforts") {
            for name in try list.strings() {
                guard let effort = Effort(rawValue: name) else { throw list.problem("knows no effort '\(name)'") }
                efforts.append(effort)
            }
        }
        let provider: ModelProvider = try entry.member("provider").choice()
        let budget = try entry.optional("budget").map { place throws(CatalogueProblem) in
            guard let budget = budgets[try place.string()] else { throw place.problem("is not among the budgets") }
            guard budget.name.hasPrefix(provider.rawValue + "/") else {
                throw place.problem("is the budget of another provider")
            }
            return budget
        }
        var model = ModelDescription(
            id: id, provider: provider, wireName: try entry.optional("name")?.string(),
            contextTokens: try entry.member("context").count(),
            maxOutputTokens: try entry.member("max_output").count(),
            thinking: try entry.optional("thinking")?.choice() ?? .unset, efforts: efforts,
            allowsForcedToolChoice: try entry.optional("forced_tool_choice")?.bool() ?? true,
            prices: try entry.optional("prices").map { list throws(CatalogueProblem) in try prices(list) },
            budget: budget)
        if let minimum = entry.optional("cache_minimum") { model.cacheMinimum = Int64(try minimum.count()) }
        model.hasBatches = try entry.optional("batch")?.bool() ?? model.hasBatches
        if let limits = entry.optional("timeouts") { model.timeouts = try timeouts(limits) }
        return model
    }

    /// The limits of the clocks of a call, in seconds.
    private static func timeouts(_ entry: CatalogueReader) throws(CatalogueProblem) -> CallTimeouts {
        try entry.allow(Set(CallClock.limited.map(\.rawValue)))
        func limit(_ clock: CallClock) throws(CatalogueProblem) -> Duration {
            try entry.optional(clock.rawValue)?.seconds() ?? CallTimeouts.standard[clock]
        }
        return CallTimeouts(
            firstByte: try limit(.firstByte), firstContent: try limit(.firstContent), gap: try limit(.gap))
    }

    private static func prices(_ list: CatalogueReader) throws(CatalogueProblem) -> PriceList {
        var rows: [PriceList.Row] = []
        for entry in try list.elements() {
            try entry.allow([
                "until", "longest_prompt", "input", "output", "cache_read", "cache_write_5m", "cache_write_1h",
            ])
            rows.append(
                PriceList.Row(
                    until: try entry.optional("until")?.day(),
                    longestPrompt: try entry.optional("longest_prompt").map { value throws(CatalogueProblem) in
                        Int64(try value.count())
                    },
                    input: try entry.member("input").price(), output: try entry.member("output").price(),
                    cacheRead: try entry.optional("cache_read")?.price(),
                    cacheWrite5m: try entry.optional("cache_write_5m")?.price(),
                    cacheWrite1h: try entry.optional("cache_write_1h")?.price()))
        }
        guard let prices = PriceList(rows) else {
            throw list.problem("must end with a line that has neither until nor longest_prompt")
        }
        return prices
    }
}
