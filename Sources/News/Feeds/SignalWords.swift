internal import Basics

/// The sentences by which rules say why a story matters, in the reader's language.
struct SignalWords: Sendable {
    var language: Language

    func choose(_ english: String, _ german: String, _ spanish: String, _ french: String) -> String {
        switch language {
        case .english: english
        case .german: german
        case .spanish: spanish
        case .french: french
        }
    }

    /// `AAPL`, `AAPL and MSFT`, `AAPL, MSFT and 3 others`.
    func list(_ names: [String]) -> String {
        let and = choose("and", "und", "y", "et")
        return switch names.count {
        case 0...1: names.first ?? ""
        case 2: "\(names[0]) \(and) \(names[1])"
        case 3: "\(names[0]), \(names[1]) \(and) \(names[2])"
        default:
            "\(names[0]), \(names[1]) \(and) \(names.count - 2) \(choose("others", "weitere", "más", "autres"))"
        }
    }

    // MARK: Whom it concerns

    func holds(_ tickers: [String], _ event: String) -> String {
        let names = list(tickers)
        return choose(
            "You hold \(names): \(event)", "Sie halten \(names): \(event)", "Usted tiene \(names): \(event)",
            "Vous détenez \(names) : \(event)")
    }

    func holdsNamed(_ tickers: [String]) -> String {
        let names = list(tickers)
        return choose(
            "You hold \(names), which the story names", "Sie halten \(names); die Meldung nennt das",
            "Usted tiene \(names), que la noticia menciona", "Vous détenez \(names), que l'article cite")
    }

    func concerns(_ tickers: [String], _ event: String) -> String {
        let names = list(tickers)
        return choose(
            "It concerns \(names): \(event)", "Es betrifft \(names): \(event)", "Afecta a \(names): \(event)",
            "Cela concerne \(names) : \(event)")
    }

    /// `It concerns NVDA: news of results; you hold AMD (shares of chip makers)`.
    func concerns(_ tickers: [String], _ event: String, with held: [String], _ group: HoldingGroup) -> String {
        let (names, kind) = (list(held), group.name(in: language))
        return concerns(tickers, event)
            + choose(
                "; you hold \(names) (\(kind))", "; Sie halten \(names) (\(kind))", "; usted tiene \(names) (\(kind))",
                " ; vous détenez \(names) (\(kind))")
    }

    /// `You hold JPM (bank shares): a bank in trouble`.
    func holds(_ tickers: [String], of group: HoldingGroup, _ event: String) -> String {
        let names = list(tickers)
        return holds(["\(names) (\(group.name(in: language)))"], event)
    }

    func mentions(_ tickers: [String]) -> String {
        let names = list(tickers)
        return choose("It mentions \(names)", "Genannt wird \(names)", "Menciona \(names)", "L'article cite \(names)")
    }

    /// `It concerns markets as a whole, and so AAPL with them: a decision on interest rates`.
    func markets(with holdings: [String], _ event: String) -> String {
        let names = list(holdings)
        if names.isEmpty {
            return choose(
                "It concerns markets as a whole: \(event)", "Es betrifft die Märkte als Ganzes: \(event)",
                "Afecta a los mercados en general: \(event)",
                "Cela concerne les marchés dans leur ensemble : \(event)")
        }
        return choose(
            "It concerns markets as a whole, and so \(names) with them: \(event)",
            "Es betrifft die Märkte als Ganzes und mit ihnen \(names): \(event)",
            "Afecta a los mercados en general y con ellos a \(names): \(event)",
            "Cela concerne les marchés dans leur ensemble, et \(names) avec eux : \(event)")
    }

    /// For a story of a company that no list knows: it is known to concern no holding.
    func namesNone(holdsSome: Bool) -> String {
        holdsSome
            ? choose(
                "It names nothing that you hold", "Nichts davon gehört zu Ihren Werten",
                "No menciona nada de lo que usted tiene", "Rien de ce que vous détenez n'y est cité")
            : choose(
                "It names no company with a known ticker", "Kein bekanntes Börsenkürzel wird genannt",
                "No menciona ninguna empresa con símbolo conocido", "Aucune société au symbole connu n'est citée")
    }

    var noConcern: String {
        choose(
            "It does not concern companies or markets", "Es betrifft weder Unternehmen noch Märkte",
            "No afecta a empresas ni a mercados", "Cela ne concerne ni les entreprises ni les marchés")
    }

    /// For a headline in letters or in a language that no rule reads.
    var notRead: String {
        choose(
            "Its headline is in a language that is not read here",
            "Die Sprache der Überschrift wird hier nicht gelesen", "Su titular está en un idioma que aquí no se lee",
            "Son titre est dans une langue qui n'est pas lue ici")
    }

    var weighedByPublishers: String {
        choose(
            "What it changes is not known here; only how many tell it counts",
            "Was sich dadurch ändert, ist hier nicht bekannt; es zählt nur, wie viele darüber berichten",
            "Aquí no se sabe qué cambia; solo cuenta cuántos lo publican",
            "Ce que cela change n'est pas connu ici ; seul compte le nombre de ceux qui en parlent")
    }

    // MARK: When it shows, and what it rests on

    /// `It shows over months; 4 publishers tell it`, by the horizon of a signal.
    func shows(_ horizon: String, _ sources: String) -> String {
        let time =
            switch horizon {
            case "short":
                choose(
                    "It shows within weeks", "Es zeigt sich binnen Wochen", "Se nota en cuestión de semanas",
                    "Cela se voit en quelques semaines")
            case "medium":
                choose(
                    "It shows over months", "Es zeigt sich über Monate", "Se nota a lo largo de meses",
                    "Cela se voit au fil des mois")
            default:
                choose(
                    "It shows over years", "Es zeigt sich über Jahre", "Se nota a lo largo de años",
                    "Cela se voit au fil des ans")
            }
        return language == .french ? "\(time) ; \(sources)" : "\(time); \(sources)"
    }

    /// `Wire and Post tell it`.
    func publishers(_ first: String, _ second: String) -> String {
        let names = list([first, second])
        return choose("\(names) tell it", "\(names) berichten es", "\(names) lo cuentan", "\(names) en parlent")
    }

    func publishers(_ count: Int, atLeast: Bool) -> String {
        choose(
            "\(atLeast ? "At least " : "")\(count) publishers tell it",
            "\(atLeast ? "Mindestens " : "")\(count) Quellen berichten es",
            "Lo cuentan \(atLeast ? "al menos " : "")\(count) medios",
            "\(atLeast ? "Au moins " : "")\(count) sources en parlent")
    }

    func onePublisher(_ name: String?) -> String {
        choose(
            "One publisher tells it so far: \(name ?? "unnamed")",
            "Bisher berichtet es eine Quelle: \(name ?? "ungenannt")",
            "Por ahora lo cuenta un solo medio: \(name ?? "sin nombre")",
            "Une seule source en parle pour l'instant : \(name ?? "non nommée")")
    }

    // MARK: What the headlines report

    func opportunity(isGain: Bool, of tickers: [String], held: Bool, _ event: String) -> String {
        let names = list(tickers)
        let english =
            "The headlines report \(isGain ? "a gain" : "a setback")\(names.isEmpty ? "" : " for \(names)")"
            + "\(held ? ", which you hold" : ""): \(event). It describes the news only."
        let german =
            "Die Überschriften melden \(isGain ? "ein Plus" : "einen Rückschlag")\(names.isEmpty ? "" : " bei \(names)")"
            + "\(held ? ", das Sie halten" : ""): \(event). Das beschreibt nur die Nachricht."
        let spanish =
            "Los titulares hablan de \(isGain ? "una mejora" : "un revés")\(names.isEmpty ? "" : " para \(names)")"
            + "\(held ? ", que usted tiene" : ""): \(event). Solo describe la noticia."
        let french =
            "Les titres annoncent \(isGain ? "un progrès" : "un revers")\(names.isEmpty ? "" : " pour \(names)")"
            + "\(held ? ", que vous détenez" : "") : \(event). Cela décrit seulement la nouvelle."
        return choose(english, german, spanish, french)
    }
}
