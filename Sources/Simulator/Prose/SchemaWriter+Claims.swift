internal import Basics
internal import JSON

/// Statements on the passages of reports, each with a sentence that it quotes.
extension SchemaWriter {
    /// Claims that quote a sentence of the passages which the prompt lists; none where it lists none.
    func claims(_ schema: JSON) -> [JSON] {
        let topics = schema["properties"]?["topic"]?["enum"]?.array?.compactMap(\.string) ?? ["business"]
        return quoted.prefix(2).map { id, sentence in
            let topic = theme(of: sentence, among: topics)
            return [
                "topic": JSON(topic), "text": JSON(said(sentence, on: topic)), "passages": [id],
                "quote": JSON(sentence),
            ]
        }
    }

    /// Findings that quote a sentence of each passage; `nil` for elements of another form.
    func findings(_ schema: JSON) -> [JSON]? {
        guard let properties = schema["properties"], properties["passage"] != nil, properties["quote"] != nil else {
            return nil
        }
        let themes = properties["theme"]?["enum"]?.array?.compactMap(\.string) ?? ["business"]
        return quoted.prefix(12).map { id, sentence in
            let theme = theme(of: sentence, among: themes)
            return [
                "theme": JSON(theme), "passage": id, "quote": JSON(sentence), "says": JSON(said(sentence, on: theme)),
            ]
        }
    }

    /// The theme of which a sentence has the most words; the first one where it has words of none.
    func theme(of sentence: String, among themes: [String]) -> String {
        let words = sentence.lowercased().split { !$0.isLetter }
        let counts = themes.map { theme in
            let beginnings = Phrases.shared.text(theme, in: "themes").split(separator: " ")
            return words.count { word in beginnings.contains { word.hasPrefix($0) } }
        }
        guard let most = counts.max(), most > 0, let place = counts.firstIndex(of: most) else {
            return themes.first ?? "business"
        }
        return themes[place]
    }

    /// The sentence itself; in another language its theme and what it names.
    private func said(_ sentence: String, on theme: String) -> String {
        let phrases = writer.phrases
        guard phrases.language != .english else { return sentence.hasSuffix(".") ? sentence : sentence + "." }
        let theme = phrases.text(theme, in: "claims")
        guard let names = QuotedNames(sentence).list(phrases) else {
            return phrases.text("speaks", in: "claims", ["theme": theme])
        }
        return phrases.text("speaks_and_names", in: "claims", ["theme": theme, "names": names])
    }

    /// A sentence of each passage that the prompt lists, where one is long enough for a quote.
    private var quoted: [(id: JSON, sentence: String)] {
        let passages = material.sections.first { $0.name == "passages" && !$0.isEarlier }?.elements ?? []
        return passages.compactMap { passage in
            guard let text = passage["text"]?.string, let id = passage["id"],
                let sentence = text.split(separator: ". ").first(where: {
                    (8...38).contains($0.split(separator: " ").count)
                }),
                !sentence.contains("\n")
            else { return nil }
            return (id, String(sentence))
        }
    }
}
