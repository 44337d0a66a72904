internal import JSON

extension KnownAnswer {
    /// The first sentences of an article in two paragraphs, as many as there is room for.
    var summary: JSON {
        let sentences = quotable(in: sections["article"])
        var paragraphs = [[prose(Phrases.marker)], [String]()]
        // Without the rest of the answer.
        var left = room - 120 - paragraphs[0].reduce(0) { $0 + $1.utf8.count }
        for (index, sentence) in sentences.prefix(5).enumerated() where sentence.utf8.count < left {
            left -= sentence.utf8.count + 1
            let isShort = room < 700
            paragraphs[index == 0 && !(isShort && intrusion != nil) ? 0 : 1].append(sentence)
            if isShort, index == 1 { break }
        }
        if paragraphs[1].isEmpty { paragraphs[1] = ["The article says no more than that."] }
        return [
            "paragraphs": JSON(paragraphs.map { $0.joined(separator: " ") }),
            "sentiment": JSON(Sentiment(sections["title"] + " " + sections["article"]).rawValue),
        ]
    }

    /// The sentence of an article that has most words of the question, or that there is none.
    func articleAnswer(quoting: Bool) -> JSON {
        let found = nearest(to: question, in: quotable(in: sections["article"]))
        let isLong = (found?.utf8.count ?? 0) + 140 > room
        let answer = found.map { isLong ? "The article speaks of it." : $0 } ?? "The article does not say."
        var body: JSON = [
            "answer": JSON(prose(Phrases.marker, answer)), "in_article": .bool(found != nil),
        ]
        if quoting { body["quotes"] = JSON(found.map { [$0] } ?? []) }
        return body
    }

    /// The sentence with most words of the question, of those passages that hold more than half of these; others may be
    /// about anything.
    var lesson: JSON {
        let wanted = Stems.of(question)
        var title = ""
        var best: (sentence: String, id: String, shared: Int)?
        for passage in sections.all {
            guard passage.name.first == "p", Int(passage.name.dropFirst()) != nil else {
                title = passage.name == "title" ? passage.text : ""
                continue
            }
            let held = Stems.of(title + " " + passage.text).intersection(wanted).count
            let sentences = quotable(in: passage.text.replacing("\n", with: " "))
            guard held * 2 > wanted.count, let sentence = nearest(to: question, in: sentences) else { continue }
            let shared = Stems.of(sentence).intersection(wanted).count
            if shared > best?.shared ?? 0 { best = (sentence, passage.name, shared) }
        }
        guard let best else {
            return ["known": false, "answer": JSON(prose(Phrases.marker, "The passages do not say.")), "citations": []]
        }
        return [
            "known": true, "answer": JSON(prose(Phrases.marker, best.sentence)), "citations": [JSON(best.id)],
        ]
    }

    /// What is asked now, with what was asked just before.
    private var question: String {
        let earlier = sections.all.last { $0.name == "earlier question" }?.text ?? ""
        let own = sections["question"]
        return Stems.of(own).count < 2 ? earlier + " " + own : own
    }

    private func nearest(to question: String, in sentences: [String]) -> String? {
        let wanted = Stems.of(question)
        let scored = sentences.map { (sentence: $0, shared: Stems.of($0).intersection(wanted).count) }
        guard let most = scored.map(\.shared).max(), most > 0 else { return nil }
        return scored.first { $0.shared == most }?.sentence
    }

    /// Sentences that may be repeated in an answer which advises nobody.
    private func quotable(in text: String) -> [String] {
        SourceSentences(text).all.filter { sentence in
            let lower = sentence.lowercased()
            return sentence.last.map { ".?".contains($0) } == true
                && !["buy", "sell", "should", "!", "could ", "time to"].contains { lower.contains($0) }
        }
    }
}

/// How a text speaks of its subject, by its words.
private enum Sentiment: String {
    case positive, negative, neutral, mixed

    init(_ text: String) {
        let words = Stems.of(text)
        self =
            switch (words.isDisjoint(with: Self.good), words.isDisjoint(with: Self.bad)) {
            case (true, true): .neutral
            case (false, true): .positive
            case (true, false): .negative
            case (false, false): .mixed
            }
    }

    private static let good = Stems.of("rose grew growth gain gains win wins record better recovered helped")
    private static let bad = Stems.of(
        "fell fall falls loss losses outage delay delays shortage weak worse cut cuts fear")
}
