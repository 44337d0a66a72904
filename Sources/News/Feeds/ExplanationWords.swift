package import Basics

/// The words around the parts of an explanation that code writes, in the language of the explanation.
package struct ExplanationWords: Sendable {
    /// By the likelihood that a model chooses: `Low`, `Medium`, `High`.
    private let likelihoods: [String: String]
    private let causes: Phrases
    private let partOfCauses: Phrases
    private let openCauses: Phrases

    private typealias Phrases = @Sendable (_ articles: String, _ publishers: String) -> String
    private let articles: (one: String, many: String)
    private let publishers: (one: String, many: String)

    package init(_ language: Language) {
        switch language {
        case .english:
            likelihoods = ["Low": "Low likelihood", "Medium": "Medium likelihood", "High": "High likelihood"]
            (articles, publishers) = (("article", "articles"), ("publisher", "publishers"))
            causes = { "Rests on \($0) by \($1)." }
            partOfCauses = { "Causes are reported in part, in \($0) by \($1)." }
            openCauses = { "Not known yet: the causes stand in none of \($0) by \($1)." }
        case .german:
            likelihoods = [
                "Low": "wenig wahrscheinlich", "Medium": "ziemlich wahrscheinlich", "High": "sehr wahrscheinlich",
            ]
            (articles, publishers) = (("Artikel", "Artikeln"), ("Medium", "Medien"))
            causes = { "Beruht auf \($0) von \($1)." }
            partOfCauses = { "Die Ursachen stehen zum Teil in \($0) von \($1)." }
            openCauses = { "Noch nicht bekannt: Die Ursachen fehlen in \($0) von \($1)." }
        case .spanish:
            likelihoods = ["Low": "poco probable", "Medium": "bastante probable", "High": "muy probable"]
            (articles, publishers) = (("artículo", "artículos"), ("medio", "medios"))
            causes = { "Se basa en \($0) de \($1)." }
            partOfCauses = { "Las causas constan en parte en \($0) de \($1)." }
            openCauses = { "Aún no se sabe: las causas no constan en \($0) de \($1)." }
        case .french:
            likelihoods = ["Low": "peu probable", "Medium": "assez probable", "High": "très probable"]
            (articles, publishers) = (("article", "articles"), ("éditeur", "éditeurs"))
            causes = { "Repose sur \($0) de \($1)." }
            partOfCauses = { "Les causes figurent en partie dans \($0) de \($1)." }
            openCauses = { "Pas encore connu : les causes ne figurent pas dans \($0) de \($1)." }
        }
    }

    /// `Medium likelihood` for `Medium`.
    package func likelihood(_ level: String) -> String { likelihoods[level] ?? level }

    /// How far the articles tell the causes of an event.
    package enum Causes: Sendable {
        case told, partly, open
    }

    /// What the causes of an explanation rest on.
    package func basis(_ told: Causes = .told, articles: Int, publishers: Int) -> String {
        let phrases =
            switch told {
            case .told: causes
            case .partly: partOfCauses
            case .open: openCauses
            }
        return phrases(
            "\(articles) \(articles == 1 ? self.articles.one : self.articles.many)",
            "\(publishers) \(publishers == 1 ? self.publishers.one : self.publishers.many)")
    }

    /// The level of a likelihood as an explanation in any language words it.
    static func level(of words: some StringProtocol) -> String? { levels[String(words)] }

    private static let levels: [String: String] = {
        let pairs = Language.allCases.flatMap { ExplanationWords($0).likelihoods.map { ($0.value, $0.key) } }
        return Dictionary(pairs) { first, _ in first }
    }()
}
