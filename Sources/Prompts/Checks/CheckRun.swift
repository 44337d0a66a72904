internal import Basics
internal import JSON
internal import JSONSchema

extension [Check] {
    /// The failures of an output, in the order of the checks.
    package func failures(in context: CheckContext) -> [CheckFailure] { flatMap { $0.failures(in: context) } }
}

extension Check {
    /// The failures of an output by this check; empty when it passes.
    package func failures(in context: CheckContext) -> [CheckFailure] {
        if let languages, !languages.contains(context.language) { return [] }
        switch rule {
        case .isJSON(let schema): return jsonFailures(context, schema)
        case .figuresInFacts(let exempt, let sources):
            return figureFailures(context, exempt: exempt, sources: sources)
        case .noNearDuplicates(let limit): return duplicateFailures(context, limit: limit)
        case .jargon: return jargonFailures(context)
        case .grounding(let rule, let sources, let exempt):
            return groundingFailures(context, rule, sources: sources, exempt: exempt)
        case .holdersAddressed(let holders): return holderFailures(context, holders)
        case .cost(let limit): return costFailures(context, limit)
        case .latency(let limit): return latencyFailures(context, limit)
        case .rubric: return []
        default: break
        }
        guard let path else {
            if needsJSON, context.json == nil { return [failure("", "The output has to be JSON.")] }
            let found = failures(of: context.json ?? .string(context.output), at: "", context)
            return found.isEmpty ? found : placed(found, context)
        }
        guard let json = context.json else { return [failure(path.description, "The output has to be JSON.")] }
        let values = path.values(in: json)
        if values.isEmpty, !path.steps.contains(.everyElement) {
            return isAbsence ? [] : [failure(path.description, "This part is missing.")]
        }
        return values.flatMap { failures(of: $0.value, at: $0.path, context) }
    }

    /// Failures of the whole answer that a single text of it causes, with that text's path.
    private func placed(_ found: [CheckFailure], _ context: CheckContext) -> [CheckFailure] {
        guard case .regex(let pattern, isNegated: true) = rule, let json = context.json else { return found }
        let own = OutputText.all(in: json).compactMap { text in
            regexProblem(in: text.text, pattern, true).map { failure(text.path, $0) }
        }
        return own.isEmpty ? found : own
    }

    private var needsJSON: Bool {
        switch rule {
        case .jsonSchema, .itemCount, .sourcesInInput, .quoteInSource, .recallQuestion: true
        default: false
        }
    }

    /// Whether a missing value satisfies the rule, since the rule only forbids something.
    private var isAbsence: Bool {
        switch rule {
        case .contains(let words): words.isNegated
        case .regex(_, let isNegated): isNegated
        case .noAdvice, .noAlarm, .quotationsInSource, .calmLanguage, .language, .verdictInInput: true
        case .similarity(let similarity): similarity.isNegated
        default: false
        }
    }

    private func failures(of value: JSON, at path: String, _ context: CheckContext) -> [CheckFailure] {
        if case .jsonSchema(let schema) = rule { return schemaFailures(of: value, schema, at: path) }
        if case .recallQuestion = rule { return RecallQuestionRule.problems(with: value).map { failure(path, $0) } }
        let text = OutputText.all(in: value).map(\.text).joined(separator: "\n\n")
        let prose = Prose(text)
        let message: String? =
            switch rule {
            case .contains(let words): words.problem(in: text)
            case .startsWith(let start): text.hasPrefix(start) ? nil : "It has to start with \"\(start)\"."
            case .regex(let pattern, let isNegated): regexProblem(in: text, pattern, isNegated)
            case .wordCount(let bounds): bounds.inWords(of: context.language).problem(Double(prose.words.count), "word")
            case .sentenceCount(let bounds): bounds.problem(Double(prose.sentences.count), "sentence")
            case .paragraphCount(let bounds): bounds.problem(Double(prose.paragraphs.count), "paragraph")
            case .itemCount(let bounds):
                if let items = value.array {
                    bounds.problem(Double(items.count), "item")
                } else {
                    "It has to be a list."
                }
            case .averageSentenceWords(let bounds):
                bounds.inWords(of: context.language).problem(
                    prose.averageSentenceWords, "word", "a sentence on average")
            case .readingLevel(let bounds):
                bounds.allows(prose.readingGrade(in: context.language))
                    ? nil
                    : "The reading level is grade \(short(prose.readingGrade(in: context.language))), but \(bounds.wanted) is wanted: "
                        + "change the length of sentences and words."
            case .readingTime(let bounds): bounds.problem(prose.readingSeconds, "second", "of reading")
            case .sourcesInInput(let source): sourceProblem(value, source, context.input)
            case .quoteInSource(let source): quoteProblem(value, source, context.input)
            case .quotationsInSource(let sources): quotationProblem(in: text, sources, context)
            // The words of these two rules are English; other languages have the calm rules.
            case .noAdvice where context.language != .english, .noAlarm where context.language != .english: nil
            case .noAdvice(let sources):
                WordingRule.advice.problem(in: text, sources: Self.texts(at: sources, in: context.input))
                    ?? hedgedAdviceProblem(in: text)
            case .noAlarm(let sources):
                WordingRule.alarm.problem(in: text, sources: Self.texts(at: sources, in: context.input))
                    ?? figurativeProblem(in: text, sources, context)
            case .holdingsNamed(let holdings, let exempt):
                HoldingsRule.problem(
                    in: exempt.isEmpty ? text : Self.text(of: value, without: exempt),
                    holdings: Self.texts(at: holdings, in: context.input), context.language)
            case .calmLanguage(let rules, let sources):
                rules.lazy.compactMap { rule in
                    rule.match(in: text, context.language, except: Self.texts(at: sources, in: context.input))
                }.first.map { found in
                    "It must not say \"\(found.prefix(scalars: 80))\"."
                } ?? (rules.contains(.drama) ? figurativeProblem(in: text, sources, context) : nil)
            case .verdictInInput(let source):
                context.language == .english
                    ? source.values(in: context.input).first?.value.string.flatMap {
                        VerdictRule.problem(in: text, verdict: $0)
                    } : nil
            case .language(let otherwise, let sources):
                languageProblem(value, otherwise, sources, context)
            case .similarity(let similarity):
                similarity.problem(in: text, references: references(of: similarity, context.input))
            case .isJSON, .jsonSchema, .figuresInFacts, .noNearDuplicates, .recallQuestion, .rubric, .cost, .latency,
                .jargon, .holdersAddressed, .grounding:
                nil
            }
        return message.map { [failure(path, $0)] } ?? []
    }

    /// The problem of the first text that is in another language than was asked for; where none was, than that of the
    /// sources, or than most of the answer.
    private func languageProblem(
        _ value: JSON, _ otherwise: Language?, _ sources: [OutputPath], _ context: CheckContext
    ) -> String? {
        let wanted =
            context.askedLanguage ?? otherwise
            ?? LanguageDetector.language(ofQuestion: Self.texts(at: sources, in: context.input).joined(separator: "\n"))
            ?? context.language
        return OutputText.all(in: value).lazy.compactMap { LanguageRule.problem(in: $0.text, wanted: wanted) }.first
    }

    // MARK: JSON

    private func jsonFailures(_ context: CheckContext, _ schema: JSON?) -> [CheckFailure] {
        guard let json = context.json else {
            do {
                _ = try JSON(parsing: context.output)
                return []
            } catch {
                return [failure("", "The output has to be one JSON value and nothing else: \(error).")]
            }
        }
        return schema.map { schemaFailures(of: json, $0, at: "") } ?? []
    }

    private func schemaFailures(of value: JSON, _ schema: JSON, at path: String) -> [CheckFailure] {
        SchemaProblems.of(value, schema: schema).map { problem in
            failure(join(path, problem.path), "It \(problem.problem).")
        }
    }

    private func join(_ path: String, _ rest: String) -> String {
        path.isEmpty ? rest : rest.isEmpty || rest.hasPrefix("[") ? path + rest : "\(path).\(rest)"
    }

    // MARK: Single rules

    private func regexProblem(in text: String, _ pattern: CompiledPattern, _ isNegated: Bool) -> String? {
        var found = pattern.search(text)
        if isNegated, found == .none, !NormalizedText.isSpaced(text) {
            // A forbidden word with invisible characters or no-break spaces in it is still forbidden.
            let plain = NormalizedText(text).spaced
            if !plain.hasSameBytes(as: text) { found = pattern.search(plain) }
        }
        switch found {
        case .found(let words): return isNegated ? "It must not say \"\(words.prefix(scalars: 80))\"." : nil
        case .none: return isNegated ? nil : "It has to match the pattern \(pattern.text)."
        case .givenUp: return "It takes too many steps to compare with the pattern \(pattern.text)."
        }
    }

    private func figurativeProblem(in text: String, _ sources: [OutputPath], _ context: CheckContext) -> String? {
        // Without sources to look into, an image may be that of the material.
        guard !sources.isEmpty else { return nil }
        let found = FigurativeLanguage.match(
            in: text, context.language, except: Self.texts(at: sources, in: context.input))
        return found.map {
            "It speaks in an image that the sources do not have (\"\($0.prefix(scalars: 80))\"). Say what is known in plain words."
        }
    }

    /// English has no calm rule of its own for advice.
    private func hedgedAdviceProblem(in text: String) -> String? {
        HedgedAdvice.match(in: text, .english).map {
            "It reads as advice to trade (\"\($0.prefix(scalars: 80))\"). Say what is known and leave the decision to the reader."
        }
    }

    private func sourceProblem(_ value: JSON, _ source: OutputPath, _ input: JSON) -> String? {
        let known = Set(source.values(in: input).map(\.value))
        let values = value.array ?? [value]
        guard let stray = values.first(where: { !known.contains($0) }) else { return nil }
        return "\(stray) is not among the sources that were given."
    }

    private func quoteProblem(_ value: JSON, _ source: OutputPath, _ input: JSON) -> String? {
        let sources = Self.texts(at: source, in: input).map(SourceText.init)
        let quotes = OutputText.all(in: value).map(\.text)
        guard let stray = quotes.first(where: { quote in !sources.contains { $0.passage(quote) != nil } }) else {
            return nil
        }
        return "The passage \"\(stray.prefix(scalars: 120))\" does not stand in the text. Copy a passage word for word."
    }

    private func quotationProblem(in text: String, _ sources: [OutputPath], _ context: CheckContext) -> String? {
        let texts = Self.texts(at: sources, in: context.input) + context.quotable
        return QuotationRule.strayQuotation(in: text, sources: texts).map {
            "The words \"\($0.prefix(scalars: 120))\" stand in quotation marks and in no source. Copy a source word for "
                + "word, or say it without quotation marks."
        }
    }

    static func texts(at paths: [OutputPath], in input: JSON) -> [String] {
        paths.flatMap { texts(at: $0, in: input) }
    }

    /// The texts at a path of the input: one, or a list's, or all below it.
    private static func texts(at path: OutputPath, in input: JSON) -> [String] {
        path.values(in: input).flatMap { OutputText.all(in: $0.value).map(\.text) }
    }

    private func duplicateFailures(_ context: CheckContext, limit: Double) -> [CheckFailure] {
        guard let path, let json = context.json else { return [failure("", "The output has to be JSON.")] }
        return NearDuplicates.among(path.values(in: json), limit: limit).map { found in
            failure(found.path, "It says nearly the same as \(found.like). Say something else or leave it out.")
        }
    }

    private func references(of similarity: Similarity, _ input: JSON) -> [String] {
        switch similarity.reference {
        case .text(let text): [text]
        case .input(let path):
            path.values(in: input).map { OutputText.all(in: $0.value).map(\.text).joined(separator: "\n\n") }
        }
    }

    private func costFailures(_ context: CheckContext, _ limit: Int64) -> [CheckFailure] {
        guard let cost = context.cost, cost > limit else { return [] }
        return [failure("", "The answer cost $\(Self.dollars(cost)), and at most $\(Self.dollars(limit)) is allowed.")]
    }

    private func latencyFailures(_ context: CheckContext, _ limit: Int) -> [CheckFailure] {
        guard let time = context.milliseconds, time > limit else { return [] }
        return [failure("", "The answer took \(time) ms, and at most \(limit) ms are allowed.")]
    }

    private static func dollars(_ micros: Int64) -> String {
        let digits = String(micros % 1_000_000)
        return "\(micros / 1_000_000).\(String(repeating: "0", count: 6 - digits.count))\(digits)"
    }

    private func figureFailures(
        _ context: CheckContext, exempt: [OutputPath], sources: [OutputPath]
    ) -> [CheckFailure] {
        let check = FigureCheck(
            facts: context.facts, quotable: context.quotable, sources: Self.texts(at: sources, in: context.input),
            language: context.language)
        let texts = OutputText.all(in: context.json ?? .string(context.output)).filter { text in
            (path?.covers(text.place) ?? true) && !exempt.contains { $0.covers(text.place) }
        }
        return texts.flatMap { text in
            check.unsupported(in: text.text).map { found in
                let message =
                    switch found.reason {
                    case .notFound:
                        "The figure \(found.figure) is not among the facts. Take figures only from the facts, do not "
                            + "calculate new ones, or leave it out: \"\(found.sentence)\""
                    case .wrongSign(let fact):
                        "The figure \(found.figure) has the other sign in the facts (\(fact)). Say whether it is a rise "
                            + "or a fall, a profit or a loss, as the facts do: \"\(found.sentence)\""
                    case .wrongScale(let fact):
                        "The figure \(found.figure) is not what the facts give for it (\(fact)): its scale is wrong. Copy "
                            + "the figure with its scale: \"\(found.sentence)\""
                    case .otherCount:
                        "The sources give another number than \"\(found.figure)\": \"\(found.sentence)\""
                    }
                return failure(text.path, message)
            }
        }
    }

    // MARK: Rules that know the place of a text

    /// The texts of a value outside of some paths, for a check of the whole answer.
    private static func text(of value: JSON, without exempt: [OutputPath]) -> String {
        OutputText.all(in: value).filter { text in !exempt.contains { $0.covers(text.place) } }.map(\.text)
            .joined(separator: "\n\n")
    }

    /// A term is to be explained at its first place in the order of the answer.
    private func jargonFailures(_ context: CheckContext) -> [CheckFailure] {
        var explained: Set<String> = []
        return OutputText.all(in: context.json ?? .string(context.output)).filter { text in
            path?.covers(text.place) ?? true
        }.flatMap { text in
            Jargon.unexplained(in: text.text, context.language, known: &explained).map { term in
                failure(
                    text.path,
                    "The term \"\(term)\" is not explained. Say in the same sentence or the next one what it is, or use "
                        + "plain words instead.")
            }
        }
    }

    private func holderFailures(_ context: CheckContext, _ source: OutputPath) -> [CheckFailure] {
        guard let path, let json = context.json else { return [failure("", "The output has to be JSON.")] }
        let holders = source.values(in: context.input).compactMap { HoldersRule.Holder($0.value) }
        return HoldersRule.problems(with: path.values(in: json), holders: holders, context.language)
            .map { failure($0.path, $0.problem) }
    }

    func failure(_ path: String, _ message: String) -> CheckFailure {
        CheckFailure(check: name, type: type, path: path, message: message, isRepairable: isRepairable)
    }
}

extension Check.Bounds {
    fileprivate func problem(_ count: Double, _ noun: String, _ rest: String = "") -> String? {
        if allows(count) { return nil }
        let counted = "\(short(count)) \(count == 1 ? noun : noun + "s")\(rest.isEmpty ? "" : " " + rest)"
        return "It has \(counted), but \(wanted) \(max == 1 ? "is" : "are") wanted."
    }
}

extension Check.Containment {
    fileprivate func problem(in text: String) -> String? {
        let text = ignoresCase ? text.lowercased() : text
        let found = texts.filter { Self.contains(text, ignoresCase ? $0.lowercased() : $0) }
        let missing = texts.filter { !found.contains($0) }
        switch (mode, isNegated) {
        case (.one, false), (.all, false):
            return missing.isEmpty ? nil : "It has to say \(quoted(missing))."
        case (.any, false): return found.isEmpty ? "It has to say one of \(quoted(texts))." : nil
        case (.one, true), (.any, true): return found.isEmpty ? nil : "It must not say \(quoted(found))."
        case (.all, true): return missing.isEmpty ? "It must not say all of \(quoted(texts))." : nil
        }
    }

    /// Whether a text contains another one by its characters. Most texts do not even have its bytes, which is found out
    /// a hundred times as fast; characters beyond ASCII may have other bytes.
    private static func contains(_ text: String, _ part: String) -> Bool {
        if part.utf8.allSatisfy({ $0 < 0x80 }), !text.containsBytes(of: part) { return false }
        return text.contains(part)
    }

    private func quoted(_ texts: [String]) -> String { texts.map { "\"\($0)\"" }.joined(separator: ", ") }
}

/// The violations of a schema.
enum SchemaProblems {
    static func of(_ value: JSON, schema: JSON) -> [JSONSchema.Violation] {
        do {
            return try JSONSchema(schema).validate(value)
        } catch {
            return [JSONSchema.Violation(path: "", problem: "cannot be checked, as its schema is wrong: \(error)")]
        }
    }
}

/// Finds texts of a list that are nearly the same.
enum NearDuplicates {
    /// Each text that is as similar to an earlier one as the limit or more, with that one's path.
    static func among(_ values: [(path: String, value: JSON)], limit: Double) -> [(path: String, like: String)] {
        var seen: [(path: String, words: ContentWords)] = []
        var found: [(path: String, like: String)] = []
        for (path, value) in values {
            let words = ContentWords(OutputText.all(in: value).map(\.text).joined(separator: " "))
            if let earlier = seen.first(where: { $0.words.similarity(to: words) >= limit }) {
                found.append((path, earlier.path))
            } else {
                seen.append((path, words))
            }
        }
        return found
    }
}
