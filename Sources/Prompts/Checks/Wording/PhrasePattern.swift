/// A sequence of words to look for in a sentence, such as `lock|locking in *2 gain|gains`.
///
/// An element is a word, several words with `|` between them, `worr~` for any word with this beginning, `@asset` for a
/// list of words, or `*3` for up to three words of any kind. Elements after `&` may occur anywhere in the sentence. With
/// a `?` at the beginning the pattern is not looked for in sentences on what is open ("whether").
struct PhrasePattern: Sendable {
    private enum Element: Sendable {
        case words(Set<String>, prefixes: [String])
        case gap(Int)
    }

    /// The words and the beginnings of words of which a sentence must have one.
    typealias Choices = (words: Set<String>, prefixes: [String])

    /// Those of each element but gaps: without one of each, the pattern does not occur.
    var needs: [Choices] {
        ([elements] + besides).joined().compactMap { element in
            if case .words(let words, let prefixes) = element { (words, prefixes) } else { nil }
        }
    }

    private let elements: [Element]
    /// Each of these sequences occurs elsewhere in the sentence.
    private let besides: [[Element]]
    private let sparesQuestions: Bool

    /// - Parameters:
    ///   - text: The pattern.
    ///   - lists: The words of each list, separated by spaces; `name~` counts as a beginning there, too.
    init(_ text: String, lists: [String: String]) {
        sparesQuestions = text.first == "?"
        let parts = text.drop { $0 == "?" }.split(separator: "&").map { Self.elements(of: $0, lists) }
        elements = parts.first ?? []
        besides = Array(parts.dropFirst())
    }

    private static func elements(of text: Substring, _ lists: [String: String]) -> [Element] {
        text.split(separator: " ").map { element in
            if element.first == "*", let count = Int(element.dropFirst()) { return .gap(count) }
            var words: Set<String> = []
            var prefixes: [String] = []
            for choice in element.split(separator: "|") {
                let named = choice.first == "@" ? lists[String(choice.dropFirst())] ?? "" : String(choice)
                for word in named.split(whereSeparator: \.isWhitespace) {
                    if word.last == "~" { prefixes.append(String(word.dropLast())) } else { words.insert(String(word)) }
                }
            }
            return .words(words, prefixes: prefixes)
        }
    }

    /// The first place in a sentence where the pattern is; `nil` when there is none.
    func match(in words: [String]) -> Range<Int>? {
        guard let found = Self.first(elements, in: words) else { return nil }
        if sparesQuestions, words[..<found.upperBound].contains("whether") { return nil }
        return besides.allSatisfy { Self.first($0, in: words) != nil } ? found : nil
    }

    private static func first(_ elements: [Element], in words: [String]) -> Range<Int>? {
        for start in words.indices {
            if let end = end(of: elements[...], at: start, in: words) { return start..<end }
        }
        return nil
    }

    /// The end of a match that starts at a place.
    private static func end(of elements: ArraySlice<Element>, at place: Int, in words: [String]) -> Int? {
        guard let element = elements.first else { return place }
        let rest = elements.dropFirst()
        switch element {
        case .words(let choices, let prefixes):
            guard place < words.count else { return nil }
            let word = words[place]
            guard choices.contains(word) || prefixes.contains(where: word.hasPrefix) else { return nil }
            return end(of: rest, at: place + 1, in: words)
        case .gap(let longest):
            for length in 0...longest where place + length <= words.count {
                if let end = end(of: rest, at: place + length, in: words) { return end }
            }
            return nil
        }
    }
}

/// The words of a text by sentences, as patterns of words see them: in lower case, without marks.
struct WordedText: Sendable {
    struct Sentence: Sendable {
        var text: String
        var words: [String]
    }

    let sentences: [Sentence]

    init(_ text: String) {
        sentences = Sentences.split(text).map { Sentence(text: $0, words: Self.words(of: $0)) }
    }

    /// Runs of letters, digits and apostrophes inside them.
    static func words(of text: String) -> [String] {
        NormalizedText(text).spaced.lowercased().split { !($0.isWordPart || $0 == "'") }
            .map { $0.trimming("'") }.filter { !$0.isEmpty }
    }

    /// Whether the words of another text's stretch occur here next to each other.
    func holds(_ stretch: ArraySlice<String>) -> Bool {
        guard let first = stretch.first else { return true }
        return sentences.contains { sentence in
            sentence.words.indices.contains { place in
                sentence.words[place] == first && sentence.words[place...].starts(with: stretch)
            }
        }
    }
}

extension Substring {
    fileprivate func trimming(_ mark: Character) -> String {
        var rest = self
        while rest.first == mark { rest.removeFirst() }
        while rest.last == mark { rest.removeLast() }
        return String(rest)
    }
}
