internal import Basics

extension SignalWords {
    /// What happened, as a phrase behind a colon, with the first amount of the headline: `better results (14% in the
    /// headline)`. An analyst's amount is a target, which is left out.
    func event(_ event: StoryEvent, tone: StoryTone = .neutral, in title: String) -> String {
        let phrase = event == .topic(.earnings) ? results(tone) : self.event(event)
        guard event != .note, let amount = HeadlineAmount.first(in: title) else { return phrase }
        return phrase
            + choose(
                " (\(amount) in the headline)", " (\(amount) in der Überschrift)", " (\(amount) en el titular)",
                " (\(amount) dans le titre)")
    }

    private func results(_ tone: StoryTone) -> String {
        switch tone {
        case .positive: choose("better results", "bessere Ergebnisse", "mejores resultados", "de meilleurs résultats")
        case .negative:
            choose("weaker results", "schwächere Ergebnisse", "peores resultados", "des résultats plus faibles")
        case .neutral: event(.topic(.earnings))
        }
    }

    private func event(_ event: StoryEvent) -> String {
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
        case .rates:
            choose(
                "a decision on interest rates", "eine Entscheidung über Zinsen",
                "una decisión sobre los tipos de interés", "une décision sur les taux d'intérêt")
        case .inflation:
            choose(
                "figures on inflation", "Zahlen zur Inflation", "datos de la inflación", "des chiffres de l'inflation")
        case .employment:
            choose("figures on jobs", "Zahlen zum Arbeitsmarkt", "datos del empleo", "des chiffres de l'emploi")
        case .growth:
            choose(
                "figures on growth", "Zahlen zum Wachstum", "datos del crecimiento", "des chiffres de la croissance")
        case .prices:
            choose("a move of prices", "eine Bewegung von Preisen", "un movimiento de precios", "un mouvement des prix")
        case .layoffs: choose("job cuts", "Stellenabbau", "recortes de empleo", "des suppressions d'emplois")
        case .recall: choose("a recall", "ein Rückruf", "una retirada de productos", "un rappel de produits")
        case .strike: choose("a strike", "ein Streik", "una huelga", "une grève")
        case .outage: choose("an outage", "ein Ausfall", "una interrupción del servicio", "une panne")
        case .note:
            choose(
                "an analyst's opinion", "die Meinung eines Analysten", "la opinión de un analista",
                "l'avis d'un analyste")
        case .bankTrouble:
            choose("a bank in trouble", "eine Bank in Not", "un banco en apuros", "une banque en difficulté")
        case .conflict:
            choose(
                "war or an armed conflict", "Krieg oder ein bewaffneter Konflikt", "una guerra o un conflicto armado",
                "une guerre ou un conflit armé")
        case .publicDebt:
            choose(
                "news of a state's debt", "Neues zu den Schulden eines Staates", "noticias de la deuda de un Estado",
                "des nouvelles de la dette d'un État")
        case .trade:
            choose(
                "limits on trade between countries", "Schranken im Handel zwischen Ländern",
                "límites al comercio entre países", "des limites au commerce entre pays")
        case .failure:
            choose(
                "a company that cannot pay its debts", "ein Unternehmen, das seine Schulden nicht zahlen kann",
                "una empresa que no puede pagar sus deudas", "une société qui ne peut pas payer ses dettes")
        case .fraud:
            choose("a case of fraud", "ein Betrugsfall", "un caso de fraude", "une affaire de fraude")
        case .medicine:
            choose(
                "news of a drug or a device", "Neues zu einem Arzneimittel oder Gerät",
                "noticias de un medicamento o aparato", "des nouvelles d'un médicament ou d'un appareil")
        case .breach:
            choose(
                "an attack on computers or data", "ein Angriff auf Computer oder Daten",
                "un ataque a ordenadores o datos", "une attaque contre des ordinateurs ou des données")
        case .disaster:
            choose(
                "a disaster that stops work", "eine Katastrophe, die Arbeit anhält",
                "una catástrofe que detiene el trabajo",
                "une catastrophe qui arrête le travail")
        case .halt:
            choose(
                "a stop of production or sales", "ein Stopp von Herstellung oder Verkauf",
                "una parada de la producción o las ventas", "un arrêt de la production ou des ventes")
        case .listing:
            choose(
                "news of a listing or new shares", "Neues zu einem Börsengang oder neuen Aktien",
                "noticias de una salida a bolsa o de acciones nuevas",
                "des nouvelles d'une entrée en bourse ou d'actions nouvelles")
        case .payout:
            choose(
                "money for shareholders", "Geld für Aktionäre", "dinero para los accionistas",
                "de l'argent pour les actionnaires")
        case .business:
            choose(
                "a step of the business", "ein Schritt im Geschäft", "un paso del negocio", "une étape de l'activité")
        }
    }
}
