package import Basics

/// Questions that an app offers below an article, in the reader's language: of what happened, then two that its event
/// and its company suggest, then one on its figures or quotations. They are chosen without a model.
package struct SuggestedQuestions: Sendable, Hashable {
    private static let maxCount = 4

    package let all: [String]

    /// - Parameters:
    ///   - title: The article's title.
    ///   - text: Its text, or a part of it.
    ///   - tickers: The symbols that it names.
    ///   - language: The reader's.
    package init(title: String, text: String, tickers: [String], language: Language = .english) {
        let words = SignalWords(language: language)
        let named = TickerRecognizer().mentions(in: title).first { !$0.words.isEmpty }
        let company = named.map(Self.name) ?? tickers.first
        let event = ImpactEvent.common(in: [title])
        var questions = [words.whatHappened]
        if let event { questions += words.questions(on: event, company) }
        if event == nil {
            questions.append(company.map { words.meaning(of: $0) } ?? words.whyItMatters)
        }
        if (title + text).contains(where: \.isNumber) { questions.append(words.whatFiguresSay) }
        if Self.quotes.contains(where: text.contains) { questions.append(words.whoSaidWhat) }
        questions += [words.whyItMatters, words.whatIsOpen]
        var seen: Set<String> = []
        all = Array(questions.filter { seen.insert($0).inserted }.prefix(Self.maxCount))
    }

    /// The company as the title names it. Of `Lowe's` the recognizer leaves out what is no possessive.
    private static func name(_ mention: CompanyMention) -> String {
        let written = mention.words.joined(separator: " ")
        guard let known = CompanyDirectory.bundled.name(of: mention.ticker), known.hasSameBytes(as: written + "'s")
        else {
            return written
        }
        return known
    }

    private static let quotes = ["\u{201C}", "\u{201E}", "\u{AB}", "\"", " said ", " says "]
}

extension SignalWords {
    fileprivate var whatHappened: String {
        choose("What happened?", "Was ist geschehen?", "¿Qué ha pasado?", "Que s'est-il passé ?")
    }

    fileprivate var whyItMatters: String {
        choose("Why does it matter?", "Warum ist das wichtig?", "¿Por qué importa?", "Pourquoi est-ce important ?")
    }

    fileprivate var whatFiguresSay: String {
        choose(
            "What do the figures say?", "Was sagen die Zahlen?", "¿Qué dicen las cifras?", "Que disent les chiffres ?")
    }

    fileprivate var whoSaidWhat: String {
        choose("Who said what?", "Wer hat was gesagt?", "¿Quién dijo qué?", "Qui a dit quoi ?")
    }

    fileprivate var whatIsOpen: String {
        choose(
            "What is not known yet?", "Was ist noch nicht bekannt?", "¿Qué no se sabe todavía?",
            "Qu'est-ce qui n'est pas encore connu ?")
    }

    fileprivate func meaning(of name: String) -> String {
        choose(
            "What does it mean for \(name)?", "Was bedeutet das für \(name)?", "¿Qué significa para \(name)?",
            "Qu'est-ce que cela change pour \(name) ?")
    }

    /// At most two questions that an article on such an event answers.
    fileprivate func questions(on event: ImpactEvent, _ name: String?) -> [String] {
        let company = name ?? choose("the company", "das Unternehmen", "la empresa", "l'entreprise")
        switch event {
        case .rates, .centralBankAction:
            return [
                choose(
                    "What did the central bank decide?", "Was hat die Notenbank beschlossen?",
                    "¿Qué decidió el banco central?", "Qu'a décidé la banque centrale ?"),
                choose(
                    "What reasons does it give?", "Welche Gründe nennt sie?", "¿Qué razones da?",
                    "Quelles raisons donne-t-elle ?"),
            ]
        case .centralBankWords:
            return [
                choose(
                    "What was said about rates?", "Was wurde über die Zinsen gesagt?", "¿Qué se dijo de los tipos?",
                    "Qu'a-t-on dit des taux ?")
            ]
        case .inflation:
            return [
                choose(
                    "What got dearer or cheaper?", "Was wurde teurer oder billiger?", "¿Qué subió o bajó de precio?",
                    "Qu'est-ce qui a augmenté ou baissé ?")
            ]
        case .employment:
            return [
                choose(
                    "Who hired and who cut jobs?", "Wer stellte ein, wer strich Stellen?",
                    "¿Quién contrató y quién despidió?", "Qui a embauché, qui a supprimé des postes ?")
            ]
        case .growth, .budget, .publicDebt:
            return [
                choose(
                    "What drove the change?", "Woran lag die Veränderung?", "¿A qué se debe el cambio?",
                    "D'où vient ce changement ?")
            ]
        case .earnings, .guidance:
            return [
                choose(
                    "What drove the results of \(company)?", "Was bestimmte die Ergebnisse: \(company)?",
                    "¿Qué explica los resultados de \(company)?", "Qu'est-ce qui explique les résultats : \(company) ?"),
                choose(
                    "What does \(company) expect next?", "Was erwartet \(company) als Nächstes?",
                    "¿Qué espera ahora \(company)?", "Qu'attend \(company) pour la suite ?"),
            ]
        case .recall:
            return [
                choose(
                    "What is wrong, and how many are affected?", "Was ist der Fehler, und wie viele sind betroffen?",
                    "¿Cuál es el fallo y a cuántos afecta?", "Quel est le défaut, et combien sont concernés ?"),
                choose(
                    "What does the recall cost \(company)?", "Was kostet der Rückruf: \(company)?",
                    "¿Cuánto le cuesta a \(company)?", "Combien ce rappel coûte-t-il : \(company) ?"),
            ]
        case .deal, .dealBlocked:
            return [
                choose(
                    "What does the deal cost, and how is it paid?", "Was kostet das Geschäft, und wie wird es bezahlt?",
                    "¿Cuánto cuesta y cómo se paga?", "Combien coûte l'opération, et comment est-elle payée ?"),
                choose(
                    "Who still has to agree?", "Wer muss noch zustimmen?", "¿Quién tiene que aprobarlo todavía?",
                    "Qui doit encore donner son accord ?"),
            ]
        case .court, .fraud:
            return [
                choose(
                    "What is the case about?", "Worum geht es in dem Fall?", "¿De qué trata el caso?",
                    "De quoi s'agit-il dans cette affaire ?")
            ]
        case .leadership:
            return [
                choose(
                    "Who goes and who follows?", "Wer geht, und wer folgt nach?", "¿Quién se va y quién llega?",
                    "Qui part, et qui prend la suite ?")
            ]
        case .layoffs, .strike:
            return [
                choose(
                    "How many people does it concern?", "Wie viele Menschen betrifft es?",
                    "¿A cuántas personas afecta?",
                    "Combien de personnes sont concernées ?")
            ]
        case .cyberattack, .outage, .halt, .disaster:
            return [
                choose(
                    "What stopped working, and what runs again?", "Was fiel aus, und was läuft wieder?",
                    "¿Qué dejó de funcionar y qué funciona ya?",
                    "Qu'est-ce qui s'est arrêté, et qu'est-ce qui a repris ?")
            ]
        case .note:
            return [
                choose(
                    "What does the analyst expect of \(company)?", "Was erwartet der Analyst von \(company)?",
                    "¿Qué espera el analista de \(company)?", "Qu'attend l'analyste de \(company) ?")
            ]
        case .marketMove, .priceMove, .shareMove:
            return [
                choose(
                    "What moved the price?", "Was hat den Preis bewegt?", "¿Qué movió el precio?",
                    "Qu'est-ce qui a fait bouger le prix ?")
            ]
        case .medicine, .product:
            return [
                choose(
                    "What is new about it?", "Was ist daran neu?", "¿Qué tiene de nuevo?", "Qu'y a-t-il de nouveau ?")
            ]
        case .bankTrouble, .bailout, .bankruptcy, .debtDefault:
            return [
                choose(
                    "Who owes what to whom?", "Wer schuldet wem was?", "¿Quién debe qué a quién?",
                    "Qui doit quoi à qui ?")
            ]
        case .conflict, .sanctions, .tariffs, .tradeCurb, .tradeAgreement, .pandemic:
            return [
                choose(
                    "Which countries and goods does it concern?", "Welche Länder und Waren betrifft es?",
                    "¿A qué países y productos afecta?", "Quels pays et quels biens sont concernés ?")
            ]
        case .payout, .listing, .business: return [meaning(of: company)]
        }
    }
}
