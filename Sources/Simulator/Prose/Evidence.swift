internal import Basics
internal import JSON

/// The sentence that answers the question of a prompt.
struct Evidence: Sendable {
    var sentence: String
    /// The name of the passage that holds it.
    var identifier: String?

    /// The sentence that says the most of what the question asks for; `nil` when none does. Of several passages only
    /// those count that hold more than half of the question's words: others may be about anything.
    init?(for question: String, in material: Material) {
        let isForAdvice = AdviceQuestion.matches(question)
        guard !material.passages.isEmpty else {
            let found = isForAdvice ? Self.about(question, in: material) : Self.told(question, in: material)
            guard let found else { return nil }
            self.init(sentence: found, identifier: nil)
            return
        }
        let wanted = isForAdvice ? AdviceQuestion.stems(of: question) : Words.stems(of: question)
        // A page that names no MSFT says nothing of a report on MSFT.
        let symbols = question.split { !$0.isLetter }.map(String.init).filter {
            $0.count > 1 && $0.allSatisfy(\.isUppercase)
        }
        var title = ""
        var found: (sentence: String, shared: Int, identifier: String)?
        for section in material.sections where !section.isEarlier {
            guard section.hasIdentifier else {
                title = section.isTitle ? section.text : ""
                continue
            }
            let held = Words.stems(of: title + " " + section.text).intersection(wanted).count
            // Whether to invest at all: a lesson on it, where no company is named.
            let isLesson = isForAdvice && wanted.isEmpty && Words.stems(of: title).contains("invest")
            let text = section.text.replacing("\n", with: " ")
            let isNamed = symbols.allSatisfy { (title + " " + text).containsBytes(of: $0) }
            // The title alone may name the company that advice is asked on.
            let opening = isForAdvice ? Self.sentences(of: text).first.map { (sentence: $0, shared: 1) } : nil
            guard isNamed, isLesson || held * 2 > wanted.count, let best = Self.best(in: text, wanted) ?? opening,
                best.shared > found?.shared ?? 0
            else { continue }
            found = (best.sentence, best.shared, section.name)
        }
        guard let found else { return nil }
        self.init(sentence: found.sentence, identifier: found.identifier)
    }

    private init(sentence: String, identifier: String?) {
        self.sentence = sentence
        self.identifier = identifier
    }

    // MARK: In an article

    /// What an article says of the company on which advice is asked; its beginning where the question names none.
    private static func about(_ question: String, in material: Material) -> String? {
        let wanted = AdviceQuestion.stems(of: question)
        let text = material.source.text
        return best(in: text, wanted)?.sentence ?? (wanted.isEmpty ? sentences(of: text).first : nil)
    }

    /// The sentence of an article that answers a question, by the form of the question, else by its words.
    private static func told(_ question: String, in material: Material) -> String? {
        let text = material.source.text
        let sentences = sentences(of: text)
        let wanted = Words.stems(of: question).union(meanings(of: question))
        let lower = question.lowercased()
        func list(_ form: JSON, _ name: String) -> [String] { form[name]?.array?.compactMap(\.string) ?? [] }
        let form = Phrases.shared.asked.first { form in list(form, "asks").contains { lower.contains($0) } }
        // "What happened?" shares no word with the article that tells it.
        if form.map({ $0["opening"] == true }) ?? (wanted.count < 2), let opening = sentences.first {
            return form == nil ? best(in: text, wanted)?.sentence ?? opening : opening
        }
        if let form {
            let marks = list(form, "says")
            let fitting = sentences.filter { sentence in
                let lower = sentence.lowercased()
                return form["digits"] == true
                    ? sentence.contains(where: \.isNumber) : marks.contains { lower.contains($0) }
            }
            return best(among: fitting, wanted)?.sentence ?? fitting.first
        }
        // The subject of the whole article alone answers nothing.
        let titles = material.sections.filter { $0.isTitle && !$0.isEarlier }.map(\.text).joined(separator: " ")
        let known = Words.stems(of: titles)
        let isOnlyOfSubject = wanted.isSubset(of: known)
        guard let found = best(among: sentences, wanted),
            isOnlyOfSubject || !stemsAndMeanings(of: found.sentence).intersection(wanted).isSubset(of: known)
        else {
            let telling = wanted.subtracting(known)
            return best(among: sentences, telling)?.sentence
        }
        return found.sentence
    }

    /// What words mean in any of the languages: `m:rate` for `Zinsen` and for `interest rate`.
    private static func meanings(of text: String) -> Set<String> {
        let words = text.lowercased().split { !$0.isLetter }
        return Set(
            meaningsByName.compactMap { name, beginnings in
                let isSaid = words.contains { word in
                    beginnings.contains { $0.count < 5 ? word == $0 : word.hasPrefix($0) }
                }
                return isSaid ? name : nil
            })
    }

    private static let meaningsByName: [(name: String, beginnings: [String])] = Phrases.shared.meanings.map {
        ("m:" + $0.key, ($0.value.string ?? "").split(separator: " ").map(String.init))
    }

    private static func stemsAndMeanings(of text: String) -> Set<String> {
        Words.stems(of: text).union(meanings(of: text))
    }

    // MARK: Sentences

    /// Without what only says what an article tells: "What drove the third quarter."
    private static func sentences(of text: String) -> [String] {
        Sentences.neutral(in: text).filter {
            $0.hasSuffix("?") || !["What ", "How ", "Why "].contains(where: $0.hasPrefix)
        }
    }

    private static func best(in text: String, _ wanted: Set<String>) -> (sentence: String, shared: Int)? {
        best(among: sentences(of: text), wanted)
    }

    private static func best(among sentences: [String], _ wanted: Set<String>) -> (sentence: String, shared: Int)? {
        let scored = sentences.map { ($0, stemsAndMeanings(of: $0).intersection(wanted).count) }
        guard let most = scored.map(\.1).max(), most > 0, let best = scored.first(where: { $0.1 == most }) else {
            return nil
        }
        return (best.0, best.1)
    }
}
