internal import Basics

/// The sentences by which rules say why a story matters, in the reader's language.
struct SignalWords: Sendable {
    var language: Language

    private func choose(_ english: String, _ german: String, _ spanish: String, _ french: String) -> String {
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

    func mentions(_ tickers: [String]) -> String {
        let names = list(tickers)
        return choose("It mentions \(names)", "Genannt wird \(names)", "Menciona \(names)", "L'article cite \(names)")
    }

    func markets(with holdings: [String]) -> String {
        let names = list(holdings)
        if names.isEmpty {
            return choose(
                "It concerns markets as a whole", "Es betrifft die Märkte als Ganzes",
                "Afecta a los mercados en general",
                "Cela concerne les marchés dans leur ensemble")
        }
        return choose(
            "It concerns markets as a whole, and so \(names) with them",
            "Es betrifft die Märkte als Ganzes und mit ihnen \(names)",
            "Afecta a los mercados en general y con ellos a \(names)",
            "Cela concerne les marchés dans leur ensemble, et \(names) avec eux")
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

    // MARK: What it rests on

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

    // MARK: Events

    /// What happened, as a phrase behind a colon.
    func event(_ event: StoryEvent) -> String {
        switch event {
        case .topic(.earnings):
            choose("news of results", "Neues zu Ergebnissen", "noticias de resultados", "des résultats")
        case .topic(.economy):
            choose(
                "news of the economy", "Neues zur Wirtschaft", "noticias de la economía", "des nouvelles de l'économie")
        case .topic(.deal): choose("news of a deal", "Neues zu einem Geschäft", "noticias de un acuerdo", "un accord")
        case .topic(.regulation):
            choose(
                "news from courts and regulators", "Neues von Gerichten und Behörden",
                "noticias de tribunales y reguladores", "des nouvelles de la justice et des autorités")
        case .topic(.market):
            choose(
                "a move of its price", "eine Bewegung des Kurses", "un movimiento de su precio", "un mouvement du cours"
            )
        case .topic(.product):
            choose(
                "news of products and services", "Neues zu Produkten und Diensten", "noticias de productos y servicios",
                "des produits et des services")
        case .topic(.leadership):
            choose(
                "news of people at the top", "Neues zur Führung", "noticias de la dirección",
                "des nouvelles de la direction")
        case .topic(.general): choose("general news", "Allgemeines", "noticias generales", "des nouvelles générales")
        case .layoffs: choose("job cuts", "Stellenabbau", "recortes de empleo", "des suppressions d'emplois")
        case .recall: choose("a recall", "ein Rückruf", "una retirada de productos", "un rappel de produits")
        case .strike: choose("a strike", "ein Streik", "una huelga", "une grève")
        case .outage: choose("an outage", "ein Ausfall", "una interrupción del servicio", "une panne")
        case .note:
            choose(
                "an analyst's opinion", "die Meinung eines Analysten", "la opinión de un analista",
                "l'avis d'un analyste")
        }
    }

    /// What such an event usually changes.
    func consequence(_ event: StoryEvent) -> String {
        switch event {
        case .topic(.earnings):
            choose(
                "Results show what a business earned and what it expects to earn",
                "Ergebnisse zeigen, was ein Unternehmen verdient hat und erwartet",
                "Los resultados muestran lo que un negocio ganó y espera ganar",
                "Les résultats montrent ce qu'une entreprise a gagné et compte gagner")
        case .topic(.economy):
            choose(
                "Rates, prices and jobs bear on what all companies earn and on what their shares are worth",
                "Zinsen, Preise und Arbeit wirken auf die Gewinne aller Unternehmen und den Wert ihrer Aktien",
                "Los tipos, los precios y el empleo influyen en lo que ganan todas las empresas y en lo que valen",
                "Les taux, les prix et l'emploi pèsent sur ce que gagnent et valent toutes les entreprises")
        case .topic(.deal):
            choose(
                "A deal changes what the owners of both companies own",
                "Ein solches Geschäft ändert, was den Eigentümern beider Unternehmen gehört",
                "Un acuerdo cambia lo que poseen los dueños de ambas empresas",
                "Un accord change ce que possèdent les propriétaires des deux sociétés")
        case .topic(.regulation):
            choose(
                "Courts and regulators can cost a company money or change what it may do",
                "Gerichte und Behörden können ein Unternehmen Geld kosten oder ändern, was es darf",
                "Tribunales y reguladores pueden costar dinero a una empresa o cambiar lo que puede hacer",
                "La justice et les autorités peuvent coûter de l'argent à une société ou changer ses droits")
        case .topic(.market):
            choose(
                "A move of prices changes what holdings are worth today, not what the businesses do",
                "Kurse ändern, was Anteile heute wert sind, nicht, was die Unternehmen tun",
                "Los precios cambian lo que vale hoy una inversión, no lo que hacen las empresas",
                "Les cours changent la valeur du jour, pas ce que font les entreprises")
        case .topic(.product):
            choose(
                "Products show over months what they add to a business",
                "Was Produkte zu einem Geschäft beitragen, zeigt sich über Monate",
                "Lo que un producto aporta a un negocio se ve con los meses",
                "Ce qu'un produit apporte se voit au fil des mois")
        case .topic(.leadership):
            choose(
                "Who leads a company shapes it for years", "Die Führung prägt ein Unternehmen über Jahre",
                "Quien dirige una empresa la marca durante años",
                "Ceux qui dirigent une société la marquent pour des années")
        case .topic(.general):
            choose(
                "The headlines name no event that changes what a business earns",
                "Die Überschriften nennen nichts, was die Gewinne eines Unternehmens ändert",
                "Los titulares no citan nada que cambie lo que gana un negocio",
                "Les titres ne citent rien qui change ce que gagne une entreprise")
        case .layoffs:
            choose(
                "Job cuts cost money at first and lower costs later",
                "Stellenabbau kostet zuerst Geld und senkt später die Kosten",
                "Los recortes cuestan dinero al principio y bajan los costes después",
                "Les suppressions d'emplois coûtent d'abord et réduisent les frais ensuite")
        case .recall:
            choose(
                "A recall costs a company money once", "Ein Rückruf kostet ein Unternehmen einmal Geld",
                "Una retirada cuesta dinero a una empresa una vez", "Un rappel coûte une fois de l'argent à une société"
            )
        case .strike:
            choose(
                "A strike stops a part of the work until both sides agree",
                "Ein Streik hält einen Teil der Arbeit an, bis sich beide Seiten einigen",
                "Una huelga detiene parte del trabajo hasta que haya acuerdo",
                "Une grève arrête une partie du travail jusqu'à un accord")
        case .outage:
            choose(
                "An outage usually ends within hours or days", "Ein Ausfall endet meist nach Stunden oder Tagen",
                "Una interrupción suele acabar en horas o días", "Une panne finit souvent en quelques heures ou jours")
        case .note:
            choose(
                "An opinion of a share changes nothing in the business",
                "Eine Meinung zu einer Aktie ändert nichts am Unternehmen",
                "Una opinión sobre una acción no cambia nada en la empresa",
                "Un avis sur une action ne change rien à l'entreprise")
        }
    }
}

/// What happened in a story, by the kind of event that at least half of its headlines report; else by its topic.
enum StoryEvent: Sendable, Hashable {
    case topic(StoryTopic)
    case layoffs, recall, strike, outage, note

    init(titles: [String]) {
        guard let kind = EventKind.common(in: titles) else {
            self = .topic(StoryTopic(titles: titles))
            return
        }
        self =
            switch kind {
            case .layoffs: .layoffs
            case .recall: .recall
            case .strike: .strike
            case .outage: .outage
            case .note: .note
            case .earnings, .leadership, .deal, .court, .approval, .product, .payout, .rates, .inflation, .employment,
                .growth:
                .topic(StoryTopic(titles: titles))
            }
    }
}

extension EventKind {
    /// The kind that most of the titles report, and at least half of them; of equals, the one listed first.
    static func common(in titles: [String]) -> EventKind? {
        var counts: [EventKind: Int] = [:]
        for title in titles {
            for kind in kinds(of: Words.of(title).map(\.folded)) { counts[kind, default: 0] += 1 }
        }
        guard let most = counts.values.max(), 2 * most >= titles.count else { return nil }
        return allCases.first { counts[$0] == most }
    }
}
