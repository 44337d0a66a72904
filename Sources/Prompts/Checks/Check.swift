package import Basics
package import JSON

/// A rule on a model's output, as a prompt's front matter declares it.
///
/// Names and meaning follow promptfoo's assertions where one exists.
package struct Check: Sendable, Hashable {
    package var rule: Rule
    /// The part of a JSON output that the rule is about; `nil` for all of it.
    ///
    /// A path with `[]` checks each element.
    package var path: OutputPath?
    /// The name of the rule that the check keeps, such as `no-urgency`; a prompt has several checks of one type.
    package var label: String?
    /// The languages of the answers that the check is about; `nil` for all.
    package var languages: Set<Language>?

    init(_ rule: Rule, path: OutputPath? = nil, label: String? = nil, languages: Set<Language>? = nil) {
        self.rule = rule
        self.path = path
        self.label = label
        self.languages = languages
    }

    package enum Rule: Sendable, Hashable {
        /// `is-json`: the output is JSON, and of this schema when there is one.
        case isJSON(schema: JSON?)
        /// `json-schema`: the part at the path is of this schema.
        case jsonSchema(JSON)
        /// `contains`, `contains-any`, `contains-all`, `icontains…`, and each with `not-`.
        case contains(Containment)
        /// `starts-with`
        case startsWith(String)
        /// `regex`, `not-regex`
        case regex(CompiledPattern, isNegated: Bool)
        /// `word-count`
        case wordCount(Bounds)
        /// `sentence-count`
        case sentenceCount(Bounds)
        /// `paragraph-count`
        case paragraphCount(Bounds)
        /// `item-count`: the elements of a list.
        case itemCount(Bounds)
        /// `average-sentence-words`
        case averageSentenceWords(Bounds)
        /// `reading-level`: the Flesch–Kincaid grade.
        case readingLevel(Bounds)
        /// `reading-time`: the seconds that an adult takes to read the text.
        case readingTime(Bounds)
        /// `jargon`: a term of finance is explained where the answer first uses it.
        case jargon
        /// `figures-in-facts`: every figure outside the exempt paths is in the facts, or in the texts at the sources'
        /// paths of the input.
        case figuresInFacts(exempt: [OutputPath], sources: [OutputPath] = [])
        /// `sources-in-input`: each value at the check's path is one of those at this path of the input.
        case sourcesInInput(OutputPath)
        /// `quote-in-source`: each value at the check's path occurs word for word in a text at this path of the input.
        case quoteInSource(OutputPath)
        /// `quotations-in-source`: words in quotation marks occur in the texts at these paths of the input.
        case quotationsInSource([OutputPath])
        /// `no-advice`: it advises no trade and forecasts no price of a share, but may repeat words of the texts at
        /// these paths of the input.
        case noAdvice(sources: [OutputPath])
        /// `no-alarm`: it neither alarms nor urges, but may repeat words of the texts at these paths of the input.
        case noAlarm(sources: [OutputPath])
        /// `names-in-source` and others: texts outside the exempt paths say nothing that those at the sources' paths of
        /// the input do not bear out; without sources, nothing that the whole input does not.
        case grounding(GroundingRule, sources: [OutputPath] = [], exempt: [OutputPath] = [])
        /// `verdict-in-input`: it states no other verdict than the one at this path of the input.
        case verdictInInput(OutputPath)
        /// `no-near-duplicates`: no two values at the check's path are as similar as this (0 to 1).
        case noNearDuplicates(Double)
        /// `recall-question`: each value at the check's path is a question with one right answer.
        case recallQuestion
        /// `holdings-named`: the text outside the exempt paths names the holdings at the path of the input, and no
        /// others.
        case holdingsNamed(OutputPath, exempt: [OutputPath] = [])
        /// `holders-addressed`: each value at the check's path, an object of a `holding` and a `text`, speaks to the
        /// holders of one of those at this path of the input, and every ticker among those is spoken to.
        case holdersAddressed(OutputPath)
        /// `calm-language`: nothing that these rules forbid in the language of the answer, but for words of the texts at
        /// these paths of the input; English has patterns instead.
        case calmLanguage([CalmRule], sources: [OutputPath] = [])
        /// `language`: the text is in the language that was asked for; where none was, in `otherwise`, else in that of the
        /// texts at these paths of the input.
        case language(otherwise: Language?, sources: [OutputPath] = [])
        /// `similar`, `levenshtein`, `rouge-n`, and each with `not-`.
        case similarity(Similarity)
        /// `llm-rubric`: a model grades the output. Only the suite asks it; see `rubric`.
        case rubric(Rubric)
        /// `cost`: the highest price of the answer, in micro-dollars.
        case cost(Int64)
        /// `latency`: the longest duration of the answer, in milliseconds.
        case latency(Int)
    }

    /// A question about an output for a model that grades it.
    package struct Rubric: Sendable, Hashable {
        /// The prompt that grades: it is filled in with `rubric` and `answer`, and answers with `pass`, `score` (0 to
        /// 1) and `reason`.
        package static let grader = "llm-rubric"

        package var text: String
        /// The lowest grade, from 0 to 1; `nil` leaves it to the grader's own verdict.
        package var threshold: Double?

        init(_ text: String, threshold: Double? = nil) {
            self.text = text
            self.threshold = threshold
        }
    }

    /// Words that must occur, or must not.
    package struct Containment: Sendable, Hashable {
        package enum Mode: Sendable, Hashable { case one, any, all }

        package var texts: [String]
        package var mode: Mode
        package var ignoresCase: Bool
        package var isNegated: Bool

        init(_ texts: [String], mode: Mode, ignoresCase: Bool, isNegated: Bool) {
            self.texts = texts
            self.mode = mode
            self.ignoresCase = ignoresCase
            self.isNegated = isNegated
        }
    }

    /// A count from `min` to `max`, both included.
    package struct Bounds: Sendable, Hashable {
        package var min: Double?
        package var max: Double?

        package init(min: Double? = nil, max: Double? = nil) {
            self.min = min
            self.max = max
        }

        /// The bounds for a text in this language. The same content takes a fifth more words in Spanish and French.
        func inWords(of language: Language) -> Bounds {
            [.spanish, .french].contains(language) ? Bounds(min: min, max: max.map { $0 * 1.2 }) : self
        }

        func allows(_ count: Double) -> Bool { (min.map { count >= $0 } ?? true) && (max.map { count <= $0 } ?? true) }

        /// `3 to 5`, `at most 120`, `exactly 2`
        var wanted: String {
            switch (min, max) {
            case (let min?, let max?): min == max ? "exactly \(short(min))" : "\(short(min)) to \(short(max))"
            case (let min?, nil): "at least \(short(min))"
            case (nil, let max?): "at most \(short(max))"
            case (nil, nil): "any number"
            }
        }
    }

    /// The name by which failures report it: that of its rule where it has one, else that of its type.
    package var name: String { label ?? type }

    /// The name by which files declare it.
    package var type: String {
        switch rule {
        case .isJSON: "is-json"
        case .jsonSchema: "json-schema"
        case .contains(let words):
            (words.isNegated ? "not-" : "") + (words.ignoresCase ? "icontains" : "contains")
                + (words.mode == .any ? "-any" : words.mode == .all ? "-all" : "")
        case .startsWith: "starts-with"
        case .regex(_, let isNegated): isNegated ? "not-regex" : "regex"
        case .wordCount: "word-count"
        case .sentenceCount: "sentence-count"
        case .paragraphCount: "paragraph-count"
        case .itemCount: "item-count"
        case .averageSentenceWords: "average-sentence-words"
        case .readingLevel: "reading-level"
        case .readingTime: "reading-time"
        case .jargon: "jargon"
        case .figuresInFacts: "figures-in-facts"
        case .sourcesInInput: "sources-in-input"
        case .quoteInSource: "quote-in-source"
        case .quotationsInSource: "quotations-in-source"
        case .noAdvice: "no-advice"
        case .noAlarm: "no-alarm"
        case .grounding(let rule, _, _): rule.rawValue
        case .verdictInInput: "verdict-in-input"
        case .noNearDuplicates: "no-near-duplicates"
        case .recallQuestion: "recall-question"
        case .holdingsNamed: "holdings-named"
        case .holdersAddressed: "holders-addressed"
        case .calmLanguage: "calm-language"
        case .language: "language"
        case .similarity(let similarity): similarity.name
        case .rubric: "llm-rubric"
        case .cost: "cost"
        case .latency: "latency"
        }
    }

    /// The rubric that a model has to grade by; `nil` for every check that code can decide.
    package var rubric: Rubric? { if case .rubric(let rubric) = rule { rubric } else { nil } }

    /// Whether the model can repair an answer that fails the check: not its cost nor its latency.
    package var isRepairable: Bool {
        switch rule {
        case .cost, .latency: false
        default: true
        }
    }
}

/// A number for readers: whole ones without a decimal point, others with one digit after it.
func short(_ number: Double) -> String {
    if number == number.rounded(), abs(number) < 1e15 { return String(Int64(number)) }
    return String((number * 10).rounded() / 10)
}

/// The material of the checks.
package struct CheckContext: Sendable {
    /// The model's answer.
    package var output: String
    /// The output as JSON; `nil` when it is none.
    package var json: JSON?
    /// The values that the prompt was rendered with.
    package let input: JSON
    /// The figures that the output may state.
    package let facts: [Fact]
    /// Texts given to the model whose figures it may repeat although they are no facts: the questions of a checklist.
    package let quotable: [String]
    /// The language that the prompt asks for, its input `language`; `nil` where it leaves that open.
    package let askedLanguage: Language?
    /// The language by whose rules the answer is read: the one that was asked for, else the one it is written in.
    package let language: Language
    /// The cost of the answer in micro-dollars; `nil` when unknown.
    package var cost: Int64?
    /// The duration of the answer; `nil` when unknown.
    package var milliseconds: Int?
    /// Of the answer's texts, the input, the facts and the quotable texts.
    let readings = CheckReadings()

    package init(
        output: String, input: JSON = [:], facts: [Fact] = [], quotable: [String] = [], cost: Int64? = nil,
        milliseconds: Int? = nil
    ) {
        self.output = output
        self.input = input
        self.facts = facts
        self.quotable = quotable
        self.cost = cost
        self.milliseconds = milliseconds
        json = try? JSON(parsing: output)
        askedLanguage = input["language"]?.string.flatMap { Language(englishName: $0) }
        let found = askedLanguage == nil ? LanguageDetector(Self.prose(json, output)).language : nil
        language = askedLanguage ?? found ?? .english
    }

    /// All texts of an answer, by which its language is known.
    private static func prose(_ json: JSON?, _ output: String) -> String {
        OutputText.all(in: json ?? .string(output)).map(\.text).joined(separator: "\n")
    }
}

/// A check that an output fails, worded for the model that will repair it.
package struct CheckFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The check's name: that of its rule (`no-urgency`), else that of its type (`sentence-count`).
    package var check: String
    /// The check's type (`not-regex`).
    package var type: String
    /// The place in the output (`risks[0].detail`); empty for all of it.
    package var path: String
    /// A sentence that names the problem and the wanted form.
    package var message: String
    /// Whether the model can repair it.
    package var isRepairable: Bool

    package init(check: String, type: String? = nil, path: String, message: String, isRepairable: Bool = true) {
        self.check = check
        self.type = type ?? check
        self.path = path
        self.message = message
        self.isRepairable = isRepairable
    }

    package var description: String { path.isEmpty ? message : "\(path): \(message)" }

    /// Rule, type and place without a word of the answer, for errors and logs: `no-urgency (not-regex) at closing`.
    package var label: String {
        let rule = check == type ? check : "\(check) (\(type))"
        return path.isEmpty ? rule : "\(rule) at \(path)"
    }
}
