/// Holds every figure of a text against the facts that it was written from.
package struct FigureCheck: Sendable {
    /// A figure that no fact bears out.
    package struct Unsupported: Sendable, Hashable {
        package enum Reason: Sendable, Hashable {
            /// No fact rounds to it.
            case notFound
            /// A fact has this amount with the other sign.
            case wrongSign(fact: String)
        }

        /// As written, with its unit.
        package var figure: String
        /// The sentence in which it stands.
        package var sentence: String
        package var reason: Reason
    }

    private let facts: [Fact]
    private let quotable: [Figure]

    /// - Parameters:
    ///   - facts: What may be stated.
    ///   - quotable: Texts whose figures may be repeated as they stand, such as the questions of a checklist
    ///     ("above 15 %?"). Facts belong into `facts`.
    package init(facts: [Fact], quotable: [String] = []) {
        self.facts = facts
        self.quotable = quotable.flatMap { FigureScanner.figures(in: PlainText($0)) }
    }

    /// The figures of a text that are not in the facts, in their order.
    package func unsupported(in text: String) -> [Unsupported] {
        let plain = PlainText(text)
        let figures = FigureScanner.figures(in: plain)
        guard !figures.isEmpty else { return [] }
        let sentences = Sentences.ranges(in: plain)
        return figures.compactMap { figure in
            let range = sentences.first { $0.overlaps(figure.range) } ?? figure.range
            return problem(with: figure, in: plain.string(range))
        }
    }

    private func problem(with figure: Figure, in sentence: String) -> Unsupported? {
        let words = FigureSentence(sentence)
        let perDollar = PerDollar(sentence: sentence)
        if perDollar.isBase(figure) { return nil }
        let candidate = perDollar.complete(figure)
        var wrongSign: Fact?
        for fact in facts {
            switch FigureMatch.outcome(candidate, fact, in: words) {
            case .stated: return nil
            case .wrongSign: wrongSign = wrongSign ?? fact
            case .none: break
            }
        }
        if quotable.contains(where: { $0.readings.first == figure.readings.first }) { return nil }
        return Unsupported(
            figure: figure.text, sentence: sentence, reason: wrongSign.map { .wrongSign(fact: $0.label) } ?? .notFound)
    }
}
