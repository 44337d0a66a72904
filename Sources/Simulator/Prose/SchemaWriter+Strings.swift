internal import Basics
internal import JSON

extension SchemaWriter {
    enum Role: Equatable {
        case prose, title, reference, ticker, subject, quote, listed, question, answer, threshold
    }

    /// The role of a string: by its description, else by the name of its property.
    func role(_ hint: FieldHint, _ name: String) -> Role {
        let description = hint.description
        func says(_ words: String...) -> Bool { words.contains { description.contains($0) } }
        if says("word for word", "verbatim", "exact words", "exactly as it") {
            return says("option") ? .answer : .quote
        }
        if says("copied from the list", "one of the list") { return .listed }
        if description.hasPrefix("the id") || says("identifier of", "the id of") { return .reference }
        if says("one question", "a question") { return .question }
        switch Phrases.shared.role(ofName: name) {
        case "ticker": return .ticker
        case "subject": return .subject
        case "reference" where !says("sentence", "paragraph"): return .reference
        case "quote": return .quote
        case "question": return .question
        case "threshold": return .threshold
        case "title": return .title
        default: return says("a few words", "a short title") ? .title : .prose
        }
    }

    mutating func string(_ schema: JSON, _ field: Field) -> JSON {
        let limits = resolver.limits(of: schema)
        if let format = limits["format"]?.string, let text = StringForm.example(of: format, index: field.index) {
            return .string(text)
        }
        if let (sibling, value) = field.hint.emptyCase,
            field.siblings.contains(where: { $0.key.hasSuffix(sibling) && $0.value.string?.lowercased() == value })
        {
            return ""
        }
        if writer.phrases.language == .english, let text = fixed.text(at: field.path) { return JSON(text) }
        let longest = limits["maxLength"]?.integer.map(Int.init) ?? .max
        let shortest = limits["minLength"]?.integer.map(Int.init) ?? 0
        let fitted = StringForm.fit(text(field), shortest: shortest, longest: longest)
        guard let pattern = limits["pattern"]?.string else { return .string(fitted) }
        let candidates = [fitted] + [field.subject?.fact?.id, material.ticker].compactMap(\.self)
        return .string(StringForm.matching(pattern, among: candidates) ?? fitted)
    }

    private mutating func text(_ field: Field) -> String {
        let subject = field.subject
        if let text = textOfOccasion(field), writer.rules.allows(text),
            !isShort(field) || text.split(separator: " ").count <= Self.shortWords
        {
            return writer.prefixed(opening(field).map { $0 + " " + text } ?? text, isPoint: isPoint(field))
        }
        switch role(field.hint, field.name) {
        case .reference:
            return subject?.identifier ?? subject?.fact?.id ?? evidence?.identifier ?? writer.fact(
                for: field.name, field.topic)?.id
                ?? identifiers.first ?? writer.excerpt() ?? "source"
        case .ticker: return material.ticker ?? "TICKER"
        case .subject: return material.subject ?? writer.phrases.company
        case .listed: return subject?.name ?? listed(field).first ?? writer.title(field.topic, about: nil)
        case .quote:
            return subject?.passage ?? evidence?.sentence ?? writer.excerpt() ?? subject?.fact?.value
                ?? writer.title(field.topic, about: nil)
        case .answer:
            // The right one of the options, where there are any.
            guard subject?.passage == nil || writer.isReadable else { return writer.phrase("told", in: "questions") }
            return field.isChoice ? subject?.passage ?? prose(field) : prose(field)
        case .question:
            let label = subject?.label ?? material.subject ?? ""
            let name = writer.phrases.language == .english ? label.lowercasedFirst : label
            if !field.isChoice, writer.isReadable, let passage = subject?.passage,
                let question = PassageQuestion.about(passage, writer.phrases)
            {
                return question
            }
            return writer.phrase(field.isChoice ? "choice" : "open", in: "questions", name: name)
        case .title:
            let assessed = field.depth > 1 ? assessment?.title(field.topic.name, at: field.index) : nil
            let title = assessed ?? writer.title(field.topic, about: subject)
            return StringForm.shortened(title, words: field.hint.range(of: "word")?.high ?? 10)
        // A number to watch for is none of the facts, and no other is made up.
        case .threshold: return writer.phrase("thresholds")
        case .prose: return prose(field)
        }
    }

    /// The text that fits the kind of event. One of what happened stands in for a source that cannot be repeated.
    private mutating func textOfOccasion(_ field: Field) -> String? {
        guard let text = occasion?.text(at: field.path, index: field.index) else { return nil }
        guard let place = text.firstRange(of: "{names} ") else { return text }
        guard !writer.isReadable else { return nil }
        let names = writer.about().map { $0 + " " } ?? ""
        return text[..<place.lowerBound] + names + text[place.upperBound...]
    }

    /// The most words of a short text, before which the mark of simulated prose may stand.
    private static let shortWords = 10

    private func isShort(_ field: Field) -> Bool {
        ["short reason", "a few words"].contains { field.hint.head.contains($0) }
    }

    /// One of several short texts, among which the statement that the prose is simulated would take a place.
    private func isPoint(_ field: Field) -> Bool {
        isShort(field) || field.depth > 1 && field.hint.range(of: "paragraph") == nil
    }

    private mutating func prose(_ field: Field) -> String {
        let isInList = field.listCount > 1 && field.depth > 1
        let usual = field.topic.name == "summary" || field.depth < 2 ? 3 : 2
        // In a list the number of sentences may be that of its elements.
        let counted = field.hint.range(of: "sentence")
        let isListOfSentences = isInList && field.hint.range(of: "paragraph") == nil && field.subject == nil
        var sentences = counted ?? LengthHint(low: isShort(field) ? 1 : usual, high: isShort(field) ? 1 : usual)
        if isListOfSentences, counted.map({ $0.high == field.listCount || $0.high >= field.listCount }) != false {
            sentences = LengthHint(low: 1, high: 1)
        }
        let paragraphs = isInList ? 1 : writer.count(field.hint.range(of: "paragraph")) ?? 1
        let limit = field.hint.range(of: "word").map(\.high) ?? .max
        let share = room == .max ? .max : room / max(field.listCount, 1)
        var specification = ProseWriter.Specification(
            topic: field.topic, name: field.name, sentences: sentences, room: min(limit, share),
            subject: field.subject, opening: opening(field), isCounted: counted != nil,
            mayRepeat: field.depth <= (isInList ? 2 : 1) && sentences.high > 1)
        specification.isPoint = isPoint(field)
        if isInList, !isListOfSentences, specification.mayRepeat, material.facts.isEmpty {
            specification.share = max(1, writer.sentencesLeft / max(1, field.listCount - field.index))
        }
        if material.question != nil, field.depth == 1, !isQuestionAnswered, !field.hint.says("option") {
            isQuestionAnswered = true
            specification.statement = answer(room: specification.room)
            return writer.prose(specification)
        }
        if field.topic.name == "sources", field.depth == 1 {
            let sentence = FiledReports.sentence(on: material.facts, writer.phrases)
            return writer.prefixed(sentence, isPoint: isPoint(field))
        }
        let assessed = assessment?.paragraphs(field.topic.name, at: field.depth == 1 ? nil : field.index)
        if let assessed, field.depth <= 3 {
            return assessed.enumerated().map { place, sentences in
                let text = sentences.filter(writer.rules.allows).joined(separator: " ")
                return place == 0 ? writer.prefixed(text, isPoint: isPoint(field)) : text
            }.joined(separator: "\n\n")
        }
        var parts: [String] = []
        for number in 0..<paragraphs {
            if number > 0 { (specification.subject, specification.opening) = (nil, nil) }
            parts.append(writer.prose(specification))
        }
        let text = parts.joined(separator: "\n\n")
        return limit == .max || Words.count(text) <= limit ? text : StringForm.cut(text, words: limit)
    }

    /// The answer to the prompt's question, as far as there is room for it.
    private mutating func answer(room: Int) -> String {
        if material.question.map(AdviceQuestion.matches) == true { return withoutAdvice(room: room) }
        guard let evidence else { return writer.phrase("not_found", in: "questions") }
        return Words.count(evidence.sentence) + Self.markWords > room || !writer.isReadable
            ? writer.phrase("found", in: "questions") : evidence.sentence
    }

    /// The answer to a question for advice: that it gets none, what the material says, and what can be looked at.
    private mutating func withoutAdvice(room: Int) -> String {
        var sentences = [writer.phrase("own_decision", in: "questions")]
        let further = [writer.isReadable ? evidence?.sentence : nil, writer.phrase("look_at", in: "questions")]
            .compactMap(\.self)
        for sentence in further
        where Words.count((sentences + [sentence]).joined(separator: " ")) + Self.markWords <= room {
            sentences.append(sentence)
        }
        return sentences.joined(separator: " ")
    }

    /// The words of the mark of simulated prose, which may stand before an answer.
    private static let markWords = 9
}
