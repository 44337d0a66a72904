internal import Basics
internal import JSON
internal import JobQueue
internal import News

/// Makes a value that a JSON Schema allows, from the material of the request and by the rules of schema and prompt.
///
/// Nothing here knows a kind of job: descriptions, formats, limits and the lines of the instructions on a property
/// decide whether a string is prose, a quotation, an identifier or a choice. It reads JSON Schema as Claude and OpenAI
/// take it and Gemini's dialect (types in capitals, `nullable`).
struct SchemaWriter: Sendable {
    private static let depthLimit = 24

    var writer: ProseWriter
    let resolver: SchemaResolver
    private let subjects: SubjectFinder
    let evidence: Evidence?
    let assessment: Assessment?
    let occasion: Occasion?
    let fixed: FixedTexts
    /// Words that the prose of the whole answer may have.
    let room: Int
    var isQuestionAnswered = false

    var material: Material { writer.material }

    /// `room` is the number of words that the answer's limit of tokens leaves.
    init(_ writer: ProseWriter, root: JSON, room: Int = .max, fixed: FixedTexts = FixedTexts()) {
        self.writer = writer
        self.fixed = fixed
        resolver = SchemaResolver(root: root)
        subjects = SubjectFinder(writer.material)
        assessment = Assessment(writer.material, writer.phrases)
        occasion = Occasion.of(writer.material, in: writer.phrases.language)
        evidence = writer.material.question.flatMap { Evidence(for: $0, in: writer.material) }
        self.room = min(room, writer.rules.wordLimit ?? .max)
    }

    mutating func value() -> JSON {
        value(resolver.root, Field(hint: FieldHint(description: "", line: "")))
    }

    /// A value's place in the answer.
    struct Field {
        var name = ""
        var parents: [String] = []
        /// The names of the properties that lead to it, as the schema writes them.
        var path: [String] = []
        var hint: FieldHint
        var subject: Subject?
        var index = 0
        /// Elements of the list that holds the value.
        var listCount = 1
        /// Members that the object around it has already.
        var siblings = JSONObject()
        /// True where the object around it lists options, of which one is the answer.
        var isChoice = false

        var depth: Int { parents.count }
        /// True where the object answers a question of yes or no with no.
        var isDenied: Bool { siblings.contains { $0.value == .bool(false) } }
        var topic: Phrases.Topic { Phrases.shared.topic(of: name, within: parents) }
    }

    private mutating func value(_ schema: JSON, _ field: Field) -> JSON {
        let schema = resolver.resolved(schema)
        var field = field
        if let description = schema["description"]?.string, !description.isEmpty {
            field.hint = hint(description, field.name)
        }
        if let constant = schema["const"] { return constant }
        if let choices = schema["enum"]?.array { return choice(among: choices, field) }
        switch resolver.kind(of: schema) {
        case "object": return object(schema, field)
        case "array": return array(schema, field)
        case "integer", "number": return number(schema, field)
        case "boolean": return .bool(isTrue(field))
        case "null": return .null
        default: return string(schema, field)
        }
    }

    private func hint(_ description: String, _ name: String) -> FieldHint {
        FieldHint(description: SchemaResolver.text(of: description), line: writer.rules.line(on: name))
    }

    // MARK: Objects

    private mutating func object(_ schema: JSON, _ field: Field) -> JSON {
        guard let properties = schema["properties"]?.object, field.depth < Self.depthLimit else { return .object([:]) }
        let required = schema["required"]?.array?.compactMap(\.string) ?? []
        // Required properties come first, as Claude writes them.
        let optional = properties.keys.filter { !required.contains($0) && field.depth < Self.depthLimit / 2 }
        let options = properties.map { hint(resolver.description(of: $0.value), $0.key) }.first {
            role($0, "") == .prose && $0.says("options")
        }
        var members = JSONObject()
        for name in required + optional {
            guard let property = properties[name] else { continue }
            let name = (written: name, plain: Self.snakeCase(name))
            var inner = Field(
                name: name.plain, parents: field.parents + [field.name], path: field.path + [name.written],
                hint: hint(resolver.description(of: property), name.written), subject: field.subject,
                index: field.index, listCount: field.listCount, siblings: members)
            inner.isChoice = options.map { isWanted($0, among: members) } ?? false
            let isRequired = required.contains(name.written)
            if isWanted(inner, isRequired: isRequired) || (isRequired && !resolver.isNullable(property)) {
                members[name.written] = value(property, inner)
            } else if isRequired {
                members[name.written] = .null
            }
        }
        return .object(members)
    }

    /// Whether an object has a property, by the conditions that its description states.
    private func isWanted(_ field: Field, isRequired: Bool) -> Bool {
        guard isWanted(field.hint, among: field.siblings) else { return false }
        guard !isRequired else { return true }
        if field.hint.says("copied from the list") { return field.subject?.isListed == true }
        return !field.isDenied
    }

    /// Whether the sibling that a description names has the value that it asks for.
    private func isWanted(_ hint: FieldHint, among siblings: JSONObject) -> Bool {
        guard let condition = hint.condition else { return true }
        let values = siblings.values.compactMap { $0.string?.lowercased() }
        return values.isEmpty || values.contains(condition)
    }

    // MARK: Lists

    private mutating func array(_ schema: JSON, _ field: Field) -> JSON {
        if field.name == "findings", let findings = findings(resolver.resolved(schema["items"] ?? .null)) {
            return .array(findings)
        }
        if field.name == "claims" { return .array(claims(resolver.resolved(schema["items"] ?? .null))) }
        let limits = resolver.limits(of: schema)
        let low = limits["minItems"]?.integer.map(Int.init) ?? 0
        let high = max(low, limits["maxItems"]?.integer.map(Int.init) ?? max(low, 64))
        let name = Self.singular(field.name)
        let inner = Field(
            name: name, parents: field.parents + [field.name], path: field.path, hint: field.hint,
            subject: field.subject, siblings: field.siblings)
        if let fixed = schema["prefixItems"]?.array { return .array(fixed.map { value($0, inner) }) }
        guard field.depth < Self.depthLimit, let items = schema["items"] else { return .array([]) }
        let element = resolver.resolved(items)
        let stated = LengthHint.count(in: field.hint.description) ?? LengthHint.count(in: field.hint.head)
        var wanted = stated.map(usual)
        if resolver.kind(of: element) == "string", element["enum"] == nil {
            if let texts = texts(field, inner, wanted) {
                return .array(texts.prefix(high).map { JSON($0) })
            }
            wanted = wanted ?? (field.hint.range(of: "paragraph") ?? field.hint.range(of: "sentence")).map(usual)
        }
        let found = found(for: element, atLeast: max(low, stated?.low ?? 0))
        var count = min(max(wanted ?? 3, low), high)
        if let found { count = max(min(wanted ?? found.count, found.count, high), low) }
        if field.depth == 1, let assessed = assessment?.count(field.topic.name) {
            count = min(max(assessed, low), high)
        }
        if let paragraphs = field.hint.range(of: "paragraph"), material.facts.isEmpty, material.question == nil {
            // Each paragraph repeats a sentence of the source, where it has enough of them.
            count = min(count, max(writer.sentencesLeft, low, paragraphs.low))
        }
        return .array(
            (0..<count).map { index in
                var place = inner
                place.index = index
                place.listCount = count
                place.siblings = JSONObject()
                if let found, found.indices.contains(index) {
                    place.subject = found[index]
                } else if !material.facts.isEmpty {
                    // A statement refers to the fact that it states.
                    let isOwnReference = index == 0 && Phrases.shared.role(ofName: name) == "reference"
                    place.subject =
                        (isOwnReference ? field.subject : nil)
                        ?? writer.fact(for: field.name, field.topic).map { Subject(fact: $0) }
                } else {
                    place.subject = nil
                }
                return value(items, place)
            })
    }

    /// Three elements where a hint allows them.
    private func usual(_ hint: LengthHint) -> Int { min(max(3, hint.low), hint.high) }

    /// The subjects of a list's objects: those of a list in the prompt, or those of the source where the objects quote
    /// it, with as many as the list has to have; `nil` where they do neither.
    private func found(for element: JSON, atLeast low: Int) -> [Subject]? {
        guard material.facts.isEmpty, let properties = element["properties"]?.object else { return nil }
        let hints = properties.map { (name: $0.key, hint: hint(resolver.description(of: $0.value), $0.key)) }
        if hints.contains(where: { $0.hint.description.contains("the id of one of the ") }) { return subjects.entries }
        if hints.contains(where: { $0.hint.description.contains("copied from the list") }), !subjects.inLists.isEmpty {
            return subjects.inLists
        }
        let needsPassages = hints.contains { role($0.hint, $0.name) == .quote || $0.hint.says("options") }
        return needsPassages ? subjects.inText(atLeast: low) : nil
    }

    /// The elements of a list of quotations, identifiers or options; `nil` for other lists.
    private mutating func texts(_ field: Field, _ inner: Field, _ wanted: Int?) -> [String]? {
        switch role(field.hint, inner.name) {
        case .quote:
            if material.question != nil { return evidence.map { [$0.sentence] } ?? [] }
            if field.isDenied { return [] }
            let quotes = (0..<(wanted ?? 2)).compactMap { _ in writer.excerpt() }
            return quotes.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        case .reference where material.facts.isEmpty:
            if material.question != nil { return evidence?.identifier.map { [$0] } ?? [] }
            return identifiers.isEmpty ? nil : Array(identifiers.prefix(wanted ?? identifiers.count))
        case .listed:
            return Array(listed(field).prefix(wanted ?? 2))
        default:
            guard field.hint.says("option"), let passage = field.subject?.passage else { return nil }
            let general = writer.shuffled(writer.phrases.list("wrong", in: "questions")).map {
                $0.replacing("{name}", with: field.subject?.label ?? "it")
            }
            guard writer.isReadable else {
                let right = field.siblings["answer"]?.string ?? writer.phrase("told", in: "questions")
                return writer.shuffled([right] + general.prefix((wanted ?? 4) - 1))
            }
            let wrong =
                Distractors.beside(passage, on: field.subject?.label, in: material.source.text, writer.phrases)
                + general
            return writer.shuffled([passage] + wrong.prefix((wanted ?? 4) - 1))
        }
    }

    /// The identifiers of passages, or the `id` members of lists in the prompt.
    var identifiers: [String] {
        let listed = material.context.flatMap(\.elements).compactMap { $0["id"]?.string }
        return material.passages.isEmpty ? listed : material.passages.map(\.name)
    }

    /// Entries of a list that the prompt holds: of the section that the hint names, else of all.
    func listed(_ field: Field) -> [String] {
        let lists = material.context.filter { $0.isList || $0.name.hasSuffix("s") }
        let named = lists.filter { section in Words.stems(of: section.name).contains { field.hint.whole.contains($0) } }
        return (named.isEmpty ? lists : named).flatMap { section in
            section.isList
                ? section.elements.compactMap { $0.string ?? $0["name"]?.string ?? $0["id"]?.string }
                : section.text.split(whereSeparator: \.isNewline).map(String.init)
        }
    }

    // MARK: Choices and numbers

    private mutating func choice(among choices: [JSON], _ field: Field) -> JSON {
        let named = choices.filter { !$0.isNull }
        if let text = occasion?.text(at: field.path, index: field.index), named.contains(JSON(text)) {
            return JSON(text)
        }
        let names = named.map { $0.string?.lowercased() ?? "" }
        func pick(_ wanted: String...) -> JSON? {
            wanted.lazy.compactMap { word in
                names.firstIndex { $0.split(separator: " ").first.map(String.init) == word }
            }
            .first.map { named[$0] }
        }
        if let subject = field.subject, subject.identifier != nil, let headline = subject.name,
            ImpactLevel.allCases.allSatisfy({ named.contains(JSON($0.rawValue)) })
        {
            // How much a headline matters is no prose: the rule of the feeds says it.
            return JSON(ImpactLevel.byRule(titles: [headline], publishers: 1).rawValue)
        }
        if field.isDenied, let none = pick("none", "no", "neutral") { return none }
        if let share = share(comparedBy: field.hint), named.count > 1 {
            // From saying the same to saying something else.
            return named[share >= 0.6 ? 0 : share >= 0.2 ? named.count / 2 : named.count - 1]
        }
        if names.contains("positive") || names.contains("negative") { return tone(pick) ?? named.first ?? .null }
        if let subject = field.subject, let name = subject.name, named.count > 1 {
            let words = field.hint.description
            if let goal = material.context.first(where: { words.contains("the " + $0.name) }) {
                // From serving it to having nothing to do with it.
                let aims = Words.stems(of: goal.text)
                let isNear = subject.isListed || !Words.stems(of: name).isDisjoint(with: aims)
                let helps = !Words.stems(of: subject.passage ?? "").isDisjoint(with: aims)
                return named[isNear ? 0 : helps ? named.count / 2 : named.count - 1]
            }
            if words.contains("the " + material.source.name) {
                // From a mention to a long treatment.
                let isLong = Words.count(subject.passage ?? "") >= 8
                return named[subject.occurrences > 1 ? named.count - 1 : isLong ? named.count / 2 : 0]
            }
        }
        // Elements of a list differ.
        return
            (field.listCount == 1
            ? writer.element(of: named) : named.dropFirst(field.index % max(named.count, 1)).first) ?? .null
    }

    /// How much of one section another one says, where a description compares two: "how much of the goal the text
    /// says".
    private func share(comparedBy hint: FieldHint) -> Double? {
        let words = hint.description
        let current = material.sections.filter { !$0.isEarlier }
        let named = current.compactMap { section in
            words.firstRange(of: "the " + section.name).map { (start: $0.lowerBound, section: section) }
        }
        let sections = named.sorted { $0.start < $1.start }.map(\.section)
        guard sections.count == 2, words.hasPrefix("how much of the ") else { return nil }
        func text(_ name: String) -> String { current.first { $0.name == name }?.text ?? "" }
        return Likeness(
            of: sections[1].text, to: sections[0].text, question: text("question"), source: text("text")
        )?.share
    }

    private func tone(_ pick: (String...) -> JSON?) -> JSON? {
        let words = Words.stems(of: material.spoken)
        let isGood = !words.isDisjoint(with: Phrases.shared.positive)
        let isBad = !words.isDisjoint(with: Phrases.shared.negative)
        return switch (isGood, isBad) {
        case (true, true): pick("mixed", "none", "neutral")
        case (true, false): pick("positive")
        case (false, true): pick("negative")
        case (false, false): pick("neutral", "none")
        }
    }

    /// Whether a question is answered, or the material belongs to the field that the description names; else true.
    private func isTrue(_ field: Field) -> Bool {
        if material.question != nil, field.hint.says("answer") { return evidence != nil }
        let words = Words.stems(of: field.hint.description)
        let field = Phrases.shared.fields.first { $0.intersection(words).count >= 2 }
        return field.map { !$0.isDisjoint(with: Words.stems(of: material.spoken)) || tellsOfBusiness } ?? true
    }

    /// Whether a text without a word of the field tells of a company or an economy all the same: `Apple unveils a phone`.
    private var tellsOfBusiness: Bool {
        let titles = material.sections.filter { $0.name.contains("title") && !$0.isEarlier }.map(\.text)
        if ImpactLevel.byRule(titles: titles, publishers: 1) > .veryLow { return true }
        return Words.count(material.source.text) <= Self.fewWords
            && !TickerRecognizer().tickers(in: material.source.text).isEmpty
    }

    /// A text of so few words is about the company that it names.
    private static let fewWords = 40

    private func number(_ schema: JSON, _ field: Field) -> JSON {
        let limits = resolver.limits(of: schema)
        let stated = LengthHint.count(in: field.hint.description)
        let scale = field.hint.scale
        let low = limits["minimum"]?.double ?? limits["exclusiveMinimum"]?.double.map { $0 + 1 } ?? scale?.lowerBound
        let high = limits["maximum"]?.double ?? limits["exclusiveMaximum"]?.double.map { $0 - 1 } ?? scale?.upperBound
        let bottom = low ?? high.map { min(0, $0) } ?? Double(stated?.low ?? 0)
        let top = high ?? stated.map { max(Double($0.high), bottom) } ?? bottom
        let value = bottom + (top - bottom) * share(field)
        let isWhole = resolver.kind(of: schema) == "integer" || top - bottom > 1
        guard !isWhole else {
            let step = max(limits["multipleOf"]?.integer ?? 1, 1)
            return JSON((Int64(exactly: value.rounded()) ?? 0) / step * step)
        }
        return JSON((value * 100).rounded() / 100)
    }

    /// The position of a number on its scale: the share of the hint's words in the material, else three quarters.
    private func share(_ field: Field) -> Double {
        if field.isDenied { return 0.05 }
        guard material.facts.isEmpty, field.hint.scale != nil,
            field.hint.says("how much", "how far", "how well"),
            let goal = material.context.first(where: { field.hint.says("the " + $0.name) })
        else { return 0.75 }
        let aims = Words.stems(of: goal.text)
        let near = subjects.inText().count { $0.isListed || !Words.stems(of: $0.name ?? "").isDisjoint(with: aims) }
        return min(1, subjects.share(of: goal) + 0.2 * Double(near))
    }

    private static func snakeCase(_ name: String) -> String {
        name.reduce(into: "") { text, character in
            if character.isUppercase, text.last?.isLowercase == true { text += "_" }
            text += character == "-" ? "_" : character.lowercased()
        }
    }

    private static func singular(_ name: String) -> String { name.hasSuffix("s") ? String(name.dropLast()) : name }
}
