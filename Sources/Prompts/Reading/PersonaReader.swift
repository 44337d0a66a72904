/// Reads `personas/*.yaml`.
struct PersonaReader {
    private static let keys = [
        "id", "version", "name", "summary", "says", "approach", "voice", "verdicts", "checklist", "walk_aways",
        "reading",
    ]

    private static let longestSaying = 200

    let root: Node
    let rules: BundleRules

    func read() -> Persona? {
        guard root.members(allowed: Self.keys) != nil else { return nil }
        let id = root.required("id", such: root.stem)?.identifier()
        if let id, id != root.stem {
            root.report(
                at: ["id"], "the file defines '\(id)'", fix: "name the file '\(id).yaml' or write 'id: \(root.stem)'")
        }
        let version = root.required("version", such: "1")?.integer(in: 1...1_000_000)
        let name = root.required("name", such: "Warren Buffett")?.text()
        let summary = root.required("summary", such: "One line for a list")?.text()
        let approach = root.required("approach", such: "How they read a company")?.text()
        let voice = root.required("voice", such: "How they write")?.text()
        let verdicts = root.required("verdicts", such: "{fits: 70, mixed: 45}").flatMap(verdicts)
        let checklist = root.required("checklist", such: "[…]").flatMap(checklist)
        let walkAways = root.optional("walk_aways").map(walkAways) ?? []
        guard let id, let version, let name, let summary, let approach, let voice, let verdicts, let checklist,
            let walkAways
        else { return nil }
        var persona = Persona(
            id: id, version: version, name: name, summary: summary, approach: approach, voice: voice,
            checklist: checklist, walkAways: walkAways, verdicts: verdicts)
        if let reading = root.optional("reading") {
            guard let questions = self.reading(reading) else { return nil }
            persona.reading = questions
        }
        persona.says = root.optional("says").flatMap(says)
        return persona
    }

    private func says(_ node: Node) -> String? {
        guard let text = node.text() else { return nil }
        guard text.unicodeScalars.count <= Self.longestSaying, !text.contains(where: \.isNewline) else {
            node.report(
                "'says' is more than one line of \(Self.longestSaying) characters", fix: "write one sentence")
            return nil
        }
        return text
    }

    private func verdicts(_ node: Node) -> Persona.Verdicts? {
        guard node.members(allowed: ["fits", "mixed"]) != nil else { return nil }
        guard let fits = node.required("fits", such: "70")?.number(within: 0...100),
            let mixed = node.required("mixed", such: "45")?.number(within: 0...100)
        else { return nil }
        if fits <= mixed {
            node.report("'fits' must be above 'mixed'", fix: "the verdict 'fits' needs the higher score")
        }
        return Persona.Verdicts(fits: fits, mixed: mixed)
    }

    // MARK: Reading

    private static let mostQuestions = 8

    private func reading(_ node: Node) -> [ReadingQuestion]? {
        guard let elements = node.elements() else { return nil }
        if elements.count > Self.mostQuestions {
            node.report("there are more than \(Self.mostQuestions) questions", fix: "leave some out")
        }
        var ids: Set<String> = []
        let questions = elements.compactMap { element -> ReadingQuestion? in
            guard element.members(allowed: ["id", "question", "items", "terms"]) != nil else { return nil }
            let id = uniqueID(of: element, ids: &ids)
            let question = element.required("question", such: "…?")?.text()
            let items = element.required("items", such: "[\"1\", \"7\"]")?.elements()?.compactMap { $0.text() }
            let terms = element.optional("terms").map { $0.elements()?.compactMap { $0.text() } } ?? []
            guard let id, let question, let items, let terms else { return nil }
            if items.isEmpty {
                element.report(at: ["items"], "the question names no item", fix: "write 'items: [\"1\"]'")
            }
            return ReadingQuestion(id: id, question: question, items: items, terms: terms)
        }
        return questions.count == elements.count ? questions : nil
    }

    // MARK: Checklist

    private func checklist(_ node: Node) -> [ChecklistItem]? {
        guard let elements = node.elements() else { return nil }
        if elements.isEmpty { node.report("the checklist has no items", fix: "add at least one") }
        var ids: Set<String> = []
        let items = elements.compactMap { element in item(element, ids: &ids) }
        guard items.count == elements.count else { return nil }
        let sum = items.reduce(0) { $0 + $1.weight }
        if !items.isEmpty, abs(sum - 100) > 1e-9 {
            let shown = sum == sum.rounded() ? String(Int(sum)) : String(sum)
            node.report("the weights of the checklist add up to \(shown)", fix: "make them add up to 100")
        }
        return items
    }

    private func item(_ node: Node, ids: inout Set<String>) -> ChecklistItem? {
        guard node.members(allowed: ["id", "question", "metric", "needs", "weight", "points"]) != nil else {
            return nil
        }
        let id = uniqueID(of: node, ids: &ids)
        let question = node.required("question", such: "…?")?.text()
        let metric = node.required("metric", such: "roic_median")?.word(of: rules.metrics.keys, called: "metric")
        let needs = needs(of: node, metric: metric)
        let weight = node.required("weight", such: "10")?.number(within: 0.01...100)
        let points = node.required("points", such: "[{value: 5%, score: 0}, {value: 20%, score: 10}]").flatMap(points)
        guard let id, let question, let metric, let needs, let weight, let points else { return nil }
        return ChecklistItem(
            id: id, question: question, needs: needs, weight: weight, rule: ScoreRule(metric: metric, points: points))
    }

    private func points(_ node: Node) -> [ScoreRule.Point]? {
        guard let elements = node.elements() else { return nil }
        let points = elements.compactMap { element -> ScoreRule.Point? in
            guard element.members(allowed: ["value", "score"]) != nil else { return nil }
            guard let value = element.required("value", such: "5%")?.number(),
                let score = element.required("score", such: "0")?.number(within: 0...10)
            else { return nil }
            return ScoreRule.Point(value: value, score: score)
        }
        guard points.count == elements.count else { return nil }
        if points.count < 2 { node.report("a rule needs at least two points", fix: "add one") }
        for (place, pair) in zip(points, points.dropFirst()).enumerated() where pair.1.value <= pair.0.value {
            elements[place + 1].report(
                "the values of the points do not rise", fix: "order them by value, each above the one before")
        }
        return points
    }

    // MARK: Walking away

    private func walkAways(_ node: Node) -> [WalkAway]? {
        guard let elements = node.elements() else { return nil }
        var ids: Set<String> = []
        let found = elements.compactMap { element in walkAway(element, ids: &ids) }
        return found.count == elements.count ? found : nil
    }

    private func walkAway(_ node: Node, ids: inout Set<String>) -> WalkAway? {
        guard node.members(allowed: ["id", "metric", "needs", "below", "above", "because"]) != nil else { return nil }
        let id = uniqueID(of: node, ids: &ids)
        let metric = node.required("metric", such: "debt_service")?.word(of: rules.metrics.keys, called: "metric")
        let needs = needs(of: node, metric: metric)
        let because = node.required("because", such: "Why, in a sentence.")?.text()
        let below = node.optional("below").flatMap { $0.number() }
        let above = node.optional("above").flatMap { $0.number() }
        if (node.optional("below") == nil) == (node.optional("above") == nil) {
            node.report("exactly one of 'below' and 'above' is needed", fix: "write 'below: 2' or 'above: 2'")
        }
        guard let id, let metric, let needs, let because else { return nil }
        guard let condition = below.map(WalkAway.Condition.below) ?? above.map(WalkAway.Condition.above) else {
            return nil
        }
        return WalkAway(id: id, needs: needs, metric: metric, condition: condition, because: because)
    }

    // MARK: Both

    private func uniqueID(of node: Node, ids: inout Set<String>) -> String? {
        guard let id = node.required("id", such: "roic")?.identifier() else { return nil }
        if !ids.insert(id).inserted { node.report(at: ["id"], "the id '\(id)' is listed twice", fix: "rename one") }
        return id
    }

    /// The figures that an item says it needs: exactly those that its metric is made of.
    private func needs(of node: Node, metric: String?) -> [String]? {
        let known = metric.flatMap { rules.metrics[$0] }
        let example = known.map { "[\($0.sorted().joined(separator: ", "))]" } ?? "[net_income]"
        guard let list = node.required("needs", such: example)?.elements() else { return nil }
        let names = list.compactMap { $0.identifier() }
        guard names.count == list.count else { return nil }
        if let known, let metric, Set(names) != known || Set(names).count != names.count {
            node.report(
                at: ["needs"], "the metric '\(metric)' is made of other figures than 'needs' says",
                fix: "write 'needs: \(example)'")
        }
        return names
    }
}

extension Node {
    /// A number between limits, both included.
    func number(within range: ClosedRange<Double>) -> Double? {
        func limit(_ end: Double) -> String { end == end.rounded() ? short(end) : "\(end)" }
        guard let number = number() else { return nil }
        guard range.contains(number) else {
            report(
                "'\(name)' is \(value)",
                fix: "write a number from \(limit(range.lowerBound)) to \(limit(range.upperBound))")
            return nil
        }
        return number
    }
}
