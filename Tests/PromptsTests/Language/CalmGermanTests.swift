import Basics
import Testing

@testable import Prompts

/// Sentences that a calm German explanation may have, and such as it may not.
@Suite struct CalmGermanTests {
    @Test(arguments: [
        (CalmRule.advice, "Sie sollten jetzt kaufen."),
        (.advice, "Anleger könnten nun über einen Verkauf der Aktie nachdenken, sollten aber nicht zu lange warten."),
        (.advice, "Für Anleger ist das ein guter Zeitpunkt für einen Einstieg."),
        (.advice, "Es könnte sich lohnen, einen Teil der Papiere zu verkaufen."),
        (.advice, "Ein Teilverkauf wäre für vorsichtige Anleger durchaus sinnvoll."),
        (.advice, "Verkaufen Sie die Aktie, solange der Kurs hoch ist."),
        (.advice, "Bleiben Sie investiert und haben Sie Geduld."),
        (.advice, "Der Rückgang ist eine Kaufgelegenheit."),
        (.advice, "Wer jetzt einsteigt, sichert sich einen günstigen Kurs."),
        (.advice, "Jetzt sollten Aktionäre Gewinne mitnehmen."),
        (.advice, "Behalten Sie den Kurs genau im Auge."),
        (.advice, "Du solltest deine Anteile halten."),
        (.advice, "Analysten nennen ein neues Kursziel."),
        (.pressure, "Es ist höchste Zeit, sich mit dem Thema zu befassen."),
        (.pressure, "Handeln Sie sofort."),
        (.pressure, "Das ist die letzte Gelegenheit vor der Entscheidung."),
        (.pressure, "Bevor es zu spät ist, lohnt ein Blick auf die Zahlen."),
        (.pressure, "Das müssen Sie unbedingt wissen."),
        (.drama, "Die Aktie brach nach den Zahlen um zwölf Prozent ein."),
        (.drama, "Der Kurs stürzte am Dienstag regelrecht ab."),
        (.drama, "Ein dramatischer Gewinneinbruch erschüttert den Konzern."),
        (.drama, "Die Zahlen sind beunruhigend."),
        (.drama, "Es gibt Grund zu ernster Sorge."),
        (.drama, "Der Umsatz schoss in die Höhe."),
        (.drama, "An der Börse herrscht Panik."),
        (.drama, "Das verheißt nichts Gutes für die kommenden Monate."),
        (.odds, "Eine Zinssenkung im Juni ist zu 60 Prozent wahrscheinlich."),
        (.odds, "Die Wahrscheinlichkeit einer Einigung liegt bei 70 %."),
        (.odds, "Die Chancen stehen fünfzig zu fünfzig."),
        (.odds, "Es gibt eine achtzigprozentige Chance auf eine Einigung."),
        (.conditions, "Falls Sie die Aktie halten, betrifft Sie die Nachricht."),
        (.conditions, "Für Anleger, die Aktien von Apple besitzen, ist das wichtig."),
        (.conditions, "Das könnte Ihr Depot belasten."),
        (.warnings, "Vorsicht ist dennoch angebracht."),
        (.warnings, "Die weitere Entwicklung bleibt abzuwarten."),
        (.advice, "Langfristige Anleger tun gut daran, die Aktie zu behalten."),
        (.advice, "Ein Ausstieg scheint zum jetzigen Zeitpunkt durchaus vernünftig."),
        (.advice, "Jetzt wäre der richtige Moment, um Positionen abzubauen."),
        (.advice, "Man sollte die Papiere besser abstoßen."),
        (.pressure, "Wer zu lange zögert, hat das Nachsehen."),
        (.pressure, "Zögern Sie nicht länger."),
        (.drama, "Die Nachricht löste ein regelrechtes Beben am Markt aus."),
        (.drama, "Die Lage ist äußerst angespannt und verheißt wenig Gutes."),
        (.odds, "Die Wahrscheinlichkeit dafür beträgt etwa zwei zu eins."),
        (.odds, "In sieben von zehn Fällen steigt der Kurs danach."),
        (.conditions, "Wenn Sie Aktien des Konzerns besitzen, sollten Sie das wissen."),
    ])
    func refused(_ rule: CalmRule, _ sentence: String) {
        #expect(rule.match(in: sentence, .german) != nil, "\(sentence)")
        #expect(rule.match(in: sentence.decomposed, .german) != nil, "decomposed: \(sentence)")
    }

    @Test(arguments: [
        "Apple hat im dritten Quartal 94 Milliarden Dollar umgesetzt, etwas mehr als ein Jahr zuvor.",
        "Die Zentralbank senkte den Leitzins um einen Viertelpunkt und nannte die ruhigere Inflation als Grund.",
        "Der Konzern will seine Logistiksparte bis zum Sommer verkaufen.",
        "Die Aktionäre müssen der Fusion auf der Hauptversammlung noch zustimmen.",
        "Der Kurs gab nach den Zahlen um zwei Prozent nach.",
        "Da Sie AAPL halten, gehört Ihnen ein kleiner Teil dieses Geschäfts.",
        "Die Zölle gelten ab sofort für Stahl aus Drittländern.",
        "Höhere Zinsen verteuern Kredite, und viele Firmen investieren dann weniger.",
        "Ein einzelnes Quartal sagt wenig über die Qualität eines Unternehmens.",
        "Manche lesen daraus, dass die Nachfrage verschwindet; die Zahlen zeigen einen langsameren Zuwachs.",
        "Das Unternehmen will 300 Filialen schließen und den Onlinehandel ausbauen.",
        "Es ist kein Anlass zur Sorge, wenn eine Lieferung später kommt.",
        "Die Behörde verlangt, dass die beiden Banken ihr Filialgeschäft in zwei Regionen abgeben.",
        "Mit sofortiger Wirkung übernimmt die bisherige Finanzchefin den Vorstandsvorsitz.",
        "Der Verkauf der Sparte soll im Herbst abgeschlossen werden.",
        "Am Ende ist es eine gewöhnliche Meldung in einem gewöhnlichen Jahr.",
        "In einem zweiten Szenario bleibt die Nachfrage wie bisher, und die Lager leeren sich langsam.",
        "Ein Zeichen dafür wäre ein Auftragseingang über dem Niveau des Vorjahres.",
        "Der Umsatz stieg um 12 Prozent, wahrscheinlich wegen des frühen Osterfestes.",
        "Die Notenbank dürfte ihre Haltung im März erläutern.",
        "Apple meldete am Dienstag einen Umsatz von 94 Milliarden Dollar.",
        "Die Börse reagierte zunächst kaum auf die Entscheidung.",
        "Wer regelmäßig spart, kennt solche Schwankungen.",
        "Das Unternehmen hält an seiner Prognose für das Gesamtjahr fest.",
        "Die Inflation sank im Mai auf 2,4 Prozent.",
        "Die Europäische Zentralbank wartet auf weitere Daten aus der Wirtschaft.",
        "Der neue Chef will die Kosten bis Ende 2027 um eine Milliarde Euro senken.",
        "Ein Gericht muss nun klären, ob die Übernahme zulässig ist.",
        "Die Gewerkschaft fordert acht Prozent mehr Lohn, die Arbeitgeber bieten drei.",
        "Sinkende Zinsen machen Hypotheken billiger.",
        "Viele denken, eine Zinssenkung helfe sofort allen Firmen; sie wirkt über Jahre.",
        "Die Firma kann ihre Schulden aus dem laufenden Geschäft bezahlen.",
        "Das ist für ein Unternehmen dieser Größe nicht ungewöhnlich.",
        "Händler an der Wall Street hatten mit weniger gerechnet.",
        "Ob das Werk öffnet, entscheidet der Aufsichtsrat im Herbst.",
        "Da Sie MSFT halten, sind Sie an diesem Geschäft beteiligt.",
    ])
    func allowed(_ sentence: String) {
        for rule in CalmRule.allCases where rule != .warnings {
            for text in [sentence, sentence.decomposed] {
                let found = rule.match(in: text, .german)
                #expect(found == nil, "\(rule) in \(text)")
            }
        }
    }
}

extension String {
    /// With accents as marks behind their letters, as some systems write them.
    var decomposed: String {
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            let parts = Self.parts[scalar] ?? [scalar]
            text.append(contentsOf: parts)
        }
        return String(text)
    }

    private static let parts: [Unicode.Scalar: [Unicode.Scalar]] = [
        "ä": ["a", "\u{308}"], "ö": ["o", "\u{308}"], "ü": ["u", "\u{308}"], "Ä": ["A", "\u{308}"],
        "Ö": ["O", "\u{308}"], "Ü": ["U", "\u{308}"], "á": ["a", "\u{301}"], "é": ["e", "\u{301}"],
        "í": ["i", "\u{301}"], "ó": ["o", "\u{301}"], "ú": ["u", "\u{301}"], "ñ": ["n", "\u{303}"],
        "É": ["E", "\u{301}"], "à": ["a", "\u{300}"], "è": ["e", "\u{300}"], "ù": ["u", "\u{300}"],
        "â": ["a", "\u{302}"], "ê": ["e", "\u{302}"], "î": ["i", "\u{302}"], "ô": ["o", "\u{302}"],
        "û": ["u", "\u{302}"], "ç": ["c", "\u{327}"], "À": ["A", "\u{300}"],
    ]
}
