internal import Basics

extension SignalWords {
    /// What such an event usually changes, and how far that reaches what the reader holds.
    func consequence(_ event: StoryEvent, reaching reach: Reach) -> String {
        let rest =
            switch reach {
            case .direct: ""
            case .sameKind:
                choose(
                    "; others of its kind often meet the same", "; andere ihrer Art erleben oft das Gleiche",
                    "; otras de su clase suelen vivir lo mismo", " ; ses semblables connaissent souvent la même chose")
            case .none:
                choose(
                    "; it is not among your holdings", "; es gehört nicht zu Ihren Werten",
                    "; no está entre sus valores", " ; ce n'est pas l'une de vos valeurs")
            }
        return consequence(event) + rest
    }

    /// How near a story is to what a reader holds.
    enum Reach: Sendable, Hashable {
        /// It is about a holding, or about all companies; or nothing is known of what is held.
        case direct
        /// About a company of the same kind as a holding.
        case sameKind
        case none
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
        case .rates:
            choose(
                "Rates set what borrowing costs and what future earnings count for today",
                "Zinsen bestimmen, was Kredite kosten und was künftige Gewinne heute zählen",
                "Los tipos fijan lo que cuesta pedir prestado y lo que valen hoy las ganancias futuras",
                "Les taux fixent le coût des emprunts et ce que valent aujourd'hui les bénéfices futurs")
        case .inflation:
            choose(
                "Inflation bears on the costs of companies, on what customers can spend, and on rates",
                "Inflation wirkt auf die Kosten der Unternehmen, die Kaufkraft der Kunden und die Zinsen",
                "La inflación influye en los costes de las empresas, en lo que gastan los clientes y en los tipos",
                "L'inflation pèse sur les coûts des sociétés, sur les achats des clients et sur les taux")
        case .employment:
            choose(
                "Jobs and wages bear on what people can spend and on what companies pay",
                "Arbeit und Löhne wirken darauf, was Menschen ausgeben und was Unternehmen zahlen",
                "El empleo y los sueldos influyen en lo que gasta la gente y en lo que pagan las empresas",
                "L'emploi et les salaires pèsent sur ce que dépensent les gens et paient les sociétés")
        case .growth:
            choose(
                "Growth of an economy bears on how much its companies can sell",
                "Das Wachstum einer Wirtschaft wirkt darauf, wie viel ihre Unternehmen verkaufen",
                "El crecimiento de una economía influye en cuánto venden sus empresas",
                "La croissance d'une économie pèse sur ce que vendent ses entreprises")
        case .topic(.market), .prices:
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
        case .bankTrouble:
            choose(
                "A bank's trouble reaches its owners and lenders first, and other banks where trust is lost",
                "Die Not einer Bank trifft zuerst Eigentümer und Gläubiger, und andere Banken, wo Vertrauen fehlt",
                "Los apuros de un banco afectan primero a sus dueños y acreedores, y a otros bancos si falta confianza",
                "Les difficultés d'une banque touchent d'abord ses propriétaires et créanciers, puis d'autres banques")
        case .conflict:
            choose(
                "Conflicts bear on the prices of energy and goods, and on companies with business there",
                "Konflikte wirken auf die Preise von Energie und Waren und auf Unternehmen mit Geschäft dort",
                "Los conflictos influyen en los precios de la energía y en las empresas con negocio allí",
                "Les conflits pèsent sur les prix de l'énergie et sur les sociétés actives sur place")
        case .publicDebt:
            choose(
                "A state's credit bears on what its bonds are worth and on what borrowing costs there",
                "Der Kredit eines Staates wirkt auf den Wert seiner Anleihen und auf die Zinsen dort",
                "El crédito de un Estado influye en el valor de sus bonos y en lo que cuesta pedir prestado allí",
                "Le crédit d'un État pèse sur la valeur de ses obligations et sur le coût des emprunts")
        case .trade:
            choose(
                "Limits on trade raise costs for companies that buy or sell across borders",
                "Handelsschranken erhöhen die Kosten von Unternehmen, die über Grenzen handeln",
                "Los límites al comercio suben los costes de las empresas que compran o venden fuera",
                "Les limites au commerce augmentent les coûts des sociétés qui échangent avec l'étranger")
        case .failure:
            choose(
                "When debts are not paid, lenders are served before the owners of shares",
                "Werden Schulden nicht bezahlt, kommen Gläubiger vor den Aktionären",
                "Si no se pagan las deudas, los acreedores cobran antes que los accionistas",
                "Quand des dettes ne sont pas payées, les créanciers passent avant les actionnaires")
        case .fraud:
            choose(
                "A case of fraud puts earlier figures in doubt and can take years in court",
                "Ein Betrugsfall stellt frühere Zahlen in Frage und kann Jahre vor Gericht dauern",
                "Un fraude pone en duda cifras anteriores y puede tardar años en los tribunales",
                "Une fraude met en doute des chiffres passés et peut durer des années en justice")
        case .medicine:
            choose(
                "Approvals and trials decide whether a company may sell a product and when",
                "Zulassungen und Studien entscheiden, ob und wann ein Produkt verkauft werden darf",
                "Las autorizaciones y los ensayos deciden si se puede vender un producto y cuándo",
                "Les autorisations et les essais décident si un produit peut être vendu et quand")
        case .breach:
            choose(
                "Attacks on data cost a company money and trust, mostly for a time",
                "Angriffe auf Daten kosten Geld und Vertrauen, meist auf Zeit",
                "Los ataques a datos cuestan dinero y confianza, casi siempre por un tiempo",
                "Les attaques contre des données coûtent argent et confiance, souvent pour un temps")
        case .disaster:
            choose(
                "Disasters stop production for a time and move the prices of what is missing",
                "Katastrophen halten die Herstellung eine Zeit lang an und bewegen Preise",
                "Las catástrofes detienen la producción un tiempo y mueven los precios de lo que falta",
                "Les catastrophes arrêtent la production un temps et font bouger les prix")
        case .halt:
            choose(
                "What is not made or sold for a time is missing in a company's sales",
                "Was eine Zeit lang nicht hergestellt oder verkauft wird, fehlt im Umsatz",
                "Lo que no se fabrica o vende por un tiempo falta en las ventas",
                "Ce qui n'est ni produit ni vendu pendant un temps manque au chiffre d'affaires")
        case .listing:
            choose(
                "New shares change how a company is divided among its owners",
                "Neue Aktien ändern, wie sich ein Unternehmen auf seine Eigentümer verteilt",
                "Las acciones nuevas cambian cómo se reparte una empresa entre sus dueños",
                "De nouvelles actions changent la répartition d'une société entre ses propriétaires")
        case .payout:
            choose(
                "Dividends and buybacks hand a part of the money that was earned to the owners",
                "Dividenden und Rückkäufe geben einen Teil des verdienten Geldes an die Eigentümer",
                "Los dividendos y recompras dan a los dueños una parte de lo ganado",
                "Dividendes et rachats rendent aux propriétaires une part de ce qui a été gagné")
        case .business:
            choose(
                "Such steps show over quarters in what a company earns",
                "Solche Schritte zeigen sich über Quartale in den Gewinnen",
                "Estos pasos se ven con los trimestres en lo que gana la empresa",
                "De telles étapes se voient au fil des trimestres dans les résultats")
        }
    }
}
