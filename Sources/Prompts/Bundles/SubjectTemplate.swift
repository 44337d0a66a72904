internal import Basics
package import JSON

/// The line `subject:` of a kind of jobs, which names what a job is about: `{{ticker}} as {{persona.name}}`.
///
/// It has one or more alternatives, of which the first whose values are all there counts. A value comes from the input,
/// or from what the service knows about it.
package struct SubjectTemplate: Sendable, Hashable {
    /// The most Unicode scalars of a subject.
    package static let longest = 200

    /// Values that are not in the input.
    package enum Known: String, Sendable, Hashable, CaseIterable {
        /// The name of the persona that the input names.
        case personaName = "persona.name"
        /// The title of the article that the input names, where the request has read it.
        case articleTitle = "article.title"
        /// The title of the story that the input names.
        case storyTitle = "story.title"

        /// The member of the input that names the thing.
        package var member: String {
            switch self {
            case .personaName: "persona"
            case .articleTitle: "article_id"
            case .storyTitle: "story_id"
            }
        }
    }

    package enum Part: Sendable, Hashable {
        case text(String)
        /// A text or number of the input, by the steps to it.
        case input([String])
        /// A text of the input where it is a web address.
        case address([String])
        case known(Known)
    }

    package var alternatives: [[Part]]

    package init(_ alternatives: [[Part]]) { self.alternatives = alternatives }

    /// Whether an alternative has a value that is not in the input.
    package func needs(_ value: Known) -> Bool { alternatives.joined().contains(.known(value)) }

    /// The subject of a job; `nil` when no alternative has all its values.
    package func subject(of input: JSON, _ known: (Known) -> String?) -> String? {
        for parts in alternatives {
            var words: [String] = []
            for part in parts {
                guard let word = Self.value(of: part, input, known) else { break }
                words.append(word)
            }
            guard words.count == parts.count else { continue }
            if let subject = Self.line(words.joined()) { return subject }
        }
        return nil
    }

    private static func value(of part: Part, _ input: JSON, _ known: (Known) -> String?) -> String? {
        switch part {
        case .text(let text): return text
        case .known(let value): return known(value).flatMap(line)
        case .input(let path):
            guard let value = value(at: path, of: input) else { return nil }
            if let number = value.integer { return String(number) }
            return value.string.flatMap(line)
        case .address(let path): return value(at: path, of: input)?.string.flatMap(address)
        }
    }

    private static func value(at path: [String], of input: JSON) -> JSON? {
        var value = input
        for step in path {
            let next = place(step).flatMap { value.array?.dropFirst($0).first } ?? value[step]
            guard let next else { return nil }
            value = next
        }
        return value
    }

    /// The place in a list that a step of a path names; `nil` for the name of a member.
    static func place(_ step: String) -> Int? { UInt16(step).map(Int.init) }

    /// A text in one line of bounded length, without characters that change how a reader sees it; `nil` when nothing is
    /// left.
    private static func line(_ text: String) -> String? {
        // No more of a long text is looked at: ten characters for each that stays.
        var sanitizer = TextSanitizer()
        let beginning = sanitizer.sanitize(String(text.prefix(scalars: 10 * longest)))
        let words = beginning.split { $0.isWhitespace }
        let line = words.joined(separator: " ")
        guard !line.isEmpty else { return nil }
        guard line.unicodeScalars.count > longest else { return line }
        return line.prefix(scalars: longest - 1) + "…"
    }

    /// A web address without the name and password of a user; `nil` for other texts.
    private static func address(_ text: String) -> String? {
        let text = text.prefix(scalars: 2048)
        guard let scheme = ["https://", "http://"].first(where: { text.lowercased().hasPrefix($0) }),
            !text.contains(where: { $0.isWhitespace })
        else { return nil }
        let rest = text.dropFirst(scheme.count)
        let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
        let host = rest[..<end].split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        return host.isEmpty ? nil : line(scheme + host + rest[end...])
    }
}

extension JobKind {
    /// The subject of a job with this input, which lists show.
    ///
    /// - Parameters:
    ///   - input: The input as it is stored.
    ///   - personas: The personas of the bundle.
    ///   - known: Titles that the request has read.
    /// - Returns: `nil` when the kind names none, or no alternative of its template has all values.
    package func subject(
        of input: JSON, personas: [String: Persona], known: [SubjectTemplate.Known: String] = [:]
    ) -> String? {
        subject?.subject(of: input) { value in
            guard value == .personaName else { return known[value] }
            return input[value.member]?.string.flatMap { personas[$0]?.name }
        }
    }
}
