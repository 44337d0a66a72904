internal import Basics
internal import JSON

/// Puts an answer into the language that the prompt asks for. The sentences are invented like all of the simulator's;
/// what is copied from the material, identifiers and choices stay as they are.
struct ForeignAnswer {
    private let words: ForeignWords
    private let resolver: SchemaResolver
    /// Whether the answer has to be short, so that no text may grow.
    private let isTight: Bool
    private var place = 0
    private var titles = 0
    private var questions = 0
    /// Texts that were put into the language, so that an answer stays one of its options.
    private var known: [String: String] = [:]
    /// The texts of `known`, so that two options stay two.
    private var taken: Set<String> = []

    /// `nil` where the prompt asks for no language, or for English.
    init?(for call: SimulatedCall, schema: JSON) {
        let marks = ["Write the answer in "]
        let asked = call.userTexts.lazy.compactMap { text -> Language? in
            guard let range = text.firstRange(of: marks[0]) else { return nil }
            return Language(englishName: String(text[range.upperBound...].prefix { $0.isLetter }))
        }.first
        guard let asked, let words = ForeignWords.of(asked) else { return nil }
        self.words = words
        resolver = SchemaResolver(root: schema)
        isTight = call.maxTokens < 600
        place = Int(call.digest.utf8.first ?? 0)
    }

    /// The words that a text in several paragraphs has at least, as far as the English one does.
    private static let longText = 50

    /// The answer in the language.
    mutating func translated(_ answer: JSON) -> JSON { value(answer, resolver.root, name: "") }

    private mutating func value(_ value: JSON, _ schema: JSON, name: String) -> JSON {
        let schema = resolver.resolved(schema)
        if schema["enum"] != nil || schema["const"] != nil { return value }
        switch value {
        case .object(let members):
            var translated = JSONObject()
            for (key, member) in members {
                translated[key] = self.value(member, schema["properties"]?[key] ?? .null, name: key)
            }
            return .object(translated)
        case .array(let elements):
            var translated: [JSON] = []
            for element in elements { translated.append(self.value(element, schema["items"] ?? .null, name: name)) }
            return .array(translated)
        case .string where name == "threshold": return .string(words.threshold)
        case .string(let text): return isCopied(name, schema) ? value : .string(self.text(text))
        default: return value
        }
    }

    /// Whether texts of this name are copied word for word, or name something.
    private func isCopied(_ name: String, _ schema: JSON) -> Bool {
        let lower = name.lowercased()
        let names: Set<String> = [
            "id", "source", "sources", "citation", "citations", "ticker", "evidence", "same_as", "passage",
            "url", "concept",
        ]
        if lower.hasSuffix("_id") || lower.hasPrefix("quote") || names.contains(lower) { return true }
        // An option that is copied is in the language, as all of them are.
        let description = schema["description"]?.string ?? ""
        return schema["format"] != nil || schema["pattern"] != nil
            || description.contains("word for word") && !description.contains("one of its options")
    }

    private mutating func text(_ english: String) -> String {
        guard english.contains(" ") else { return english }
        if let before = known[english] { return before }
        var text = ""
        for _ in words.sentences {
            let paragraphs = english.split(separator: "\n\n").map {
                paragraph(String($0), isTitle: !isSentence(english))
            }
            text = paragraphs.joined(separator: "\n\n")
            // Short sentences must not make a long text too short.
            while !isTight, paragraphs.count > 1, Words.count(text) < min(Words.count(english), Self.longText) {
                text += " " + next(words.sentences)
            }
            if taken.insert(text).inserted { break }
        }
        known[english] = text
        return text
    }

    private func isSentence(_ text: String) -> Bool { text.last.map { ".!?\u{201D}\"".contains($0) } == true }

    private mutating func paragraph(_ english: String, isTitle: Bool) -> String {
        if isTitle, english.utf8.count < 90 { return nextTitle() }
        if english.hasSuffix("?") {
            questions += 1
            return words.questions[questions % words.questions.count]
        }
        var sentences: [String] = []
        if english.contains("imulat") { sentences.append(words.marker) }
        func says(_ kind: String) -> Bool {
            Phrases.shared.list(kind, in: "questions").contains { english.contains($0) }
        }
        if says("not_found") { return (sentences + [words.notFound]).joined(separator: " ") }
        if says("own_decision") { return (sentences + [words.ownDecision]).joined(separator: " ") }
        if let range = english.firstRange(of: "ince you hold ") {
            let holding = english[range.upperBound...].prefix { $0 != "," }
            let first = holding.firstRange(of: " and ").map { holding[..<$0.lowerBound] } ?? holding
            sentences.append(words.holding.replacing("{holding}", with: first))
        }
        let wanted = max(1, Sentences.all(in: english).count)
        let room = english.utf8.count + english.utf8.count / 10
        while sentences.count < wanted {
            let sentence = next(words.sentences)
            if isTight, !sentences.isEmpty, (sentences + [sentence]).joined().utf8.count > room { break }
            sentences.append(sentence)
        }
        return sentences.joined(separator: " ")
    }

    private mutating func nextTitle() -> String {
        let (round, place) = titles.quotientAndRemainder(dividingBy: words.titles.count)
        titles += 1
        // After the last one they are told apart by a number.
        return words.titles[place] + (round == 0 ? "" : " \(round + 1)")
    }

    private mutating func next(_ texts: [String]) -> String {
        place += 1
        return texts[place % texts.count]
    }
}

/// The simulator's sentences in a language.
struct ForeignWords {
    var marker: String
    /// A sentence to whoever holds `{holding}`.
    var holding: String
    /// The answer to a question that the material does not answer.
    var notFound: String
    /// The answer to a question for advice.
    var ownDecision: String
    /// What to watch for, where no number is known.
    var threshold: String
    var sentences: [String]
    var titles: [String]
    var questions: [String]

    static func of(_ language: Language) -> ForeignWords? {
        switch language {
        case .english: nil
        case .german: german
        case .spanish: spanish
        case .french: french
        }
    }

    private static let german = ForeignWords(
        marker: "Dieser Text ist simuliert: Ein Sprachmodell hat ihn nicht geschrieben.",
        holding: "Da Sie {holding} halten, gehört Ihnen ein kleiner Teil von Unternehmen.",
        notFound: "Das ist hier nicht bekannt: Die vorliegenden Texte sagen dazu nichts.",
        ownDecision:
            "Was jemand besitzt, entscheidet jeder selbst. Ansehen lässt sich, was ein Unternehmen verdient, was es schuldet und was sein Preis voraussetzt.",
        threshold: "eine dauerhafte Änderung gegenüber dem berichteten Wert",
        sentences: [
            "Die Meldung beschreibt, was geschehen ist, und nennt die Beteiligten.",
            "Für das laufende Geschäft ändert sich dadurch zunächst wenig.",
            "Solche Schritte brauchen meist mehrere Monate, bis sie in den Büchern stehen.",
            "Der Bericht stützt sich auf eine Mitteilung und auf frühere Angaben.",
            "Ähnliche Nachrichten gab es in den vergangenen Jahren schon öfter.",
            "Das Unternehmen erklärt den Schritt mit der Nachfrage in seinen Märkten.",
            "Die Kunden merken davon im Alltag nur wenig.",
            "Ein einzelner Bericht zeigt immer nur einen Ausschnitt der Lage.",
            "Die Zahlen des nächsten Quartals werden ein genaueres Bild geben.",
            "Andere Firmen der Branche stehen vor einer ähnlichen Aufgabe.",
            "Die Behörden haben sich zu der Sache noch nicht geäußert.",
            "Viele Leser halten eine Schlagzeile für das Ende einer Entwicklung.",
            "Was wirklich bleibt, steht in den späteren Berichten.",
            "Die Leitung will den bisherigen Plan in Ruhe weiterführen.",
            "Das ist eine gewöhnliche Nachricht in einem gewöhnlichen Jahr.",
            "Der Wert eines Geschäfts entsteht über Jahre und nicht an einem Tag.",
        ],
        titles: [
            "Alles bleibt wie bisher", "Ein langsamer Wandel", "Mehr Klarheit im Herbst", "Neue Pläne der Leitung",
            "Der Wert eines Geschäfts", "Was in den Büchern steht", "Die Nachfrage der Kunden",
            "Der Blick der Behörden",
            "Ein Jahr im Vergleich", "Kosten und Preise", "Die übrige Branche", "Was später bleibt",
        ],
        questions: [
            "Warum braucht ein solcher Schritt mehrere Monate?", "Was ändert sich dadurch für das laufende Geschäft?",
            "Worauf stützt sich die Darstellung der Lage?", "Wie unterscheidet sich ein Bericht von einer Entwicklung?",
            "Welche Folge hat die Nachfrage für den Plan der Leitung?",
        ])

    private static let spanish = ForeignWords(
        marker: "Este texto es simulado: no lo ha escrito ningún modelo de lenguaje.",
        holding: "Como usted tiene {holding}, una pequeña parte de las empresas es suya.",
        notFound: "Eso no se sabe aquí: los textos disponibles no dicen nada al respecto.",
        ownDecision:
            "Qué poseer lo decide cada persona. Se puede mirar lo que una empresa gana, lo que debe y lo que su precio supone.",
        threshold: "un cambio duradero respecto al nivel publicado",
        sentences: [
            "La noticia describe lo que ha ocurrido y nombra a los participantes.",
            "Por ahora esto cambia poco en la marcha diaria del negocio.",
            "Estos pasos suelen necesitar varios meses hasta que aparecen en las cuentas.",
            "El informe se basa en un comunicado y en datos anteriores.",
            "En los años pasados ya hubo noticias parecidas en el sector.",
            "La empresa explica el paso con la demanda de sus mercados.",
            "Los clientes apenas lo notan en su vida de cada día.",
            "Un solo informe muestra siempre una parte de la situación.",
            "Las cifras del próximo trimestre darán una imagen más exacta.",
            "Otras compañías del sector tienen ante sí una tarea parecida.",
            "Las autoridades todavía no han hablado sobre el asunto.",
            "Muchos lectores toman un titular por el final de una historia.",
            "Lo que de verdad queda se ve en los informes posteriores.",
            "La dirección quiere seguir con calma el plan que ya tenía.",
            "Es una noticia corriente en un año corriente para la empresa.",
            "El valor de un negocio se forma con los años y no en un día.",
        ],
        titles: [
            "Todo sigue como antes", "Un cambio lento", "Más claridad en otoño", "Nuevos planes de la dirección",
            "El valor de un negocio", "Lo que dicen las cuentas", "La demanda de los clientes",
            "La mirada de las autoridades",
            "Un año y otro", "Costes y precios", "El resto del sector", "Lo que queda después",
        ],
        questions: [
            "¿Por qué un paso así necesita varios meses?", "¿Qué cambia por ahora en la marcha del negocio?",
            "¿En qué se basa la descripción de la situación?", "¿En qué se distingue un informe de una evolución?",
            "¿Qué efecto tiene la demanda en el plan de la dirección?",
        ])

    private static let french = ForeignWords(
        marker: "Ce texte est simulé : aucun modèle de langage ne l’a écrit.",
        holding: "Comme vous détenez {holding}, une petite part des entreprises vous appartient.",
        notFound: "Cela n’est pas connu ici : les textes disponibles n’en disent rien.",
        ownDecision:
            "Chacun décide lui-même de ce qu’il possède. On peut regarder ce qu’une entreprise gagne, ce qu’elle doit et ce que son prix suppose.",
        threshold: "un changement durable par rapport au niveau publié",
        sentences: [
            "La nouvelle décrit ce qui s’est passé et nomme les participants.",
            "Pour l’instant, cela change peu de chose dans la marche des affaires.",
            "De telles étapes prennent souvent plusieurs mois avant de figurer dans les comptes.",
            "Le compte rendu s’appuie sur un communiqué et sur des données plus anciennes.",
            "Des nouvelles semblables ont déjà paru dans les années passées.",
            "Le groupe explique cette étape par la demande sur ses marchés.",
            "Les clients le remarquent à peine dans leur vie de tous les jours.",
            "Un seul compte rendu ne montre qu’une partie de la situation.",
            "Les chiffres du prochain trimestre donneront une image plus précise.",
            "D’autres sociétés du secteur ont devant elles une tâche semblable.",
            "Les autorités ne se sont pas encore exprimées sur le sujet.",
            "Beaucoup de lecteurs prennent un titre pour la fin d’une histoire.",
            "Ce qui reste vraiment se voit dans les rapports suivants.",
            "La direction souhaite poursuivre calmement le plan qu’elle avait déjà.",
            "C’est une nouvelle ordinaire dans une année ordinaire pour le groupe.",
            "La valeur d’une activité se forme avec les années et non en un jour.",
        ],
        titles: [
            "Tout reste comme avant", "Un changement lent", "Plus de clarté à l’automne", "De nouveaux plans",
            "La valeur d’une activité", "Ce que disent les comptes", "La demande des clients",
            "Le regard des autorités",
            "Une année et la suivante", "Coûts et prix", "Le reste du secteur", "Ce qui demeure ensuite",
        ],
        questions: [
            "Pourquoi une telle étape prend-elle plusieurs mois ?",
            "Qu’est-ce qui change pour l’instant dans l’activité ?",
            "Sur quoi s’appuie la description de la situation ?", "En quoi un rapport diffère-t-il d’une évolution ?",
            "Quel effet la demande a-t-elle sur le plan de la direction ?",
        ])
}
