internal import Basics

/// What somebody says in a sentence.
struct Saying: Sendable {
    var speaker: Set<String>
    /// The keys of each word of what is said.
    var words: [Set<String>]
    /// The whole sentence.
    var text: String

    /// The statements of a text whose speakers have one of these names.
    static func all(in text: ParsedText, _ language: Language, _ names: Set<String>) -> [Saying] {
        let lists = SpeechWords.of(language)
        return text.sentences.flatMap { sentence -> [Saying] in
            let words = text.words(of: sentence)
            let reader = SpeakerReader(words: words, names: names, lists: lists)
            let written = words.map(\.text).filter { $0 != "," }.joined(separator: " ")
            func saying(_ speaker: Set<String>, _ part: ArraySlice<CalmWords.Word>) -> Saying {
                Saying(speaker: speaker, words: ClauseReader(language: language).keys(ofPart: part), text: written)
            }
            if let (speaker, said) = reader.attributed() { return [saying(speaker, said)] }
            let spoken = words.indices.compactMap { verb -> (found: SpeakerReader.Speaker, verb: Int)? in
                guard lists.verbs.contains(words[verb].folded) else { return nil }
                return reader.speaker(of: verb).map { ($0, verb) }
            }
            return spoken.indices.map { number in
                let (found, verb) = spoken[number]
                let next = number + 1 < spoken.count ? spoken[number + 1].found.range.lowerBound : words.count
                let start = max(verb + 1, found.range.upperBound)
                let behind = words[start..<max(next, start)]
                // "Demand was strong, Cook said."
                let isBehind = behind.count { $0.text != "," } > 1 || number > 0
                return saying(found.names, isBehind ? behind : words[..<min(found.range.lowerBound, verb)])
            }
        }
    }
}

/// Finds who speaks in a sentence.
struct SpeakerReader {
    struct Speaker {
        var names: Set<String>
        /// The words from the first that introduces the speaker to the last of the name.
        var range: Range<Int>
    }

    let words: [CalmWords.Word]
    let names: Set<String>
    let lists: SpeechWords

    private func isName(_ place: Int) -> Bool {
        words.indices.contains(place) && words[place].isCapitalised && names.contains(words[place].folded)
    }

    private func names(in range: Range<Int>) -> Set<String> { Set(words[range].map(\.folded)) }

    /// The name before a verb of speech, or behind it at the end of a sentence.
    func speaker(of verb: Int) -> Speaker? { before(verb) ?? behind(verb + 1) }

    private func before(_ verb: Int) -> Speaker? {
        var end = verb
        while end > 0, lists.auxiliaries.contains(words[end - 1].folded) { end -= 1 }
        // "Tim Cook, the chief executive, said"
        if end > 0, words[end - 1].lower == ",",
            let comma = words[max(0, end - 9)..<(end - 1)].lastIndex(where: { $0.lower == "," }), isName(comma - 1)
        {
            end = comma
        }
        var start = end
        while isName(start - 1) { start -= 1 }
        // "Tomas Berg of the union said", "the analyst Hugo Brandt of Meridian Bank said"
        let reach = words[max(0, start - 4)..<start]
        if let link = reach.lastIndex(where: { lists.links.contains($0.folded) }), isName(link - 1),
            !words[link..<start].contains(where: { $0.lower == "," || $0.endsSentence })
        {
            var head = link
            while isName(head - 1) { head -= 1 }
            return Speaker(names: names(in: head..<link).union(names(in: start..<end)), range: head..<end)
        }
        return start < end ? Speaker(names: names(in: start..<end), range: start..<end) : nil
    }

    /// A name that begins at a place, or that a few words introduce there: "said finance head Karl Lund".
    private func behind(_ place: Int) -> Speaker? {
        var start = place
        while start < words.count, start - place < 5, !isName(start) {
            let word = words[start]
            let isPassed =
                lists.isRole(word.folded) || lists.bodies.contains(word.folded) || lists.articles.contains(word.folded)
            guard isPassed, !word.endsSentence else { return nil }
            start += 1
        }
        var end = start
        while isName(end) { end += 1 }
        return end > start ? Speaker(names: names(in: start..<end), range: place..<end) : nil
    }

    /// "According to Tim Cook, demand was strong", at the beginning or at the end of a sentence.
    func attributed() -> (Set<String>, ArraySlice<CalmWords.Word>)? {
        let folded = words.map(\.folded)
        for place in words.indices {
            if lists.postpositions.contains(folded[place]), isName(place - 1) {
                var start = place - 1
                while isName(start - 1) { start -= 1 }
                return (names(in: start..<place), words[(place + 1)...])
            }
            for phrase in lists.attributions where folded[place...].starts(with: phrase) {
                guard let found = behind(place + phrase.count) else { continue }
                let rest = place > 1 ? words[..<place] : words[found.range.upperBound...]
                return (found.names, rest)
            }
        }
        return nil
    }
}
