internal import Basics

extension Glossary {
    static let german = Glossary(
        language: .german,
        functional: """
            the: der, die, das, den, dem, des, ein, eine, einen, einem, einer, eines, sich, ihr, ihre, ihren, seine, seinen
            the: sein, seiner, wird, werden, wurde, ist, sind, war, hat, haben, noch, auch, nur, mehr, weniger, als, bis
            the: kein, keine, keinen, nicht, so, doch, aber, wieder, erneut, erstmals, erstmalig, rund, etwa, fast, knapp
            the: deutlich, kräftig, stark, stärker, leicht, überraschend, weiter, weiterhin, schon, bereits, künftig, zum
            the: was, wie, warum, wer, wo, jetzt, nun, dann, dass, weil, ab, an, aus, ins, einst, seit
            to: zu, zur, will, wollen, soll, sollen
            must: muss, müssen
            at: bei, beim
            in: im, vom
            for: für
            by: durch, von
            against: gegen
            after: nach
            with: mit, samt
            and: und, sowie
            or: oder
            over: über, wegen
            despite: trotz
            on: auf
            before: vor
            the: allem
            between: zwischen
            from: aus
            without: ohne
            under: unter
            """,
        entries: """
            beats: übertrifft, übertreffen, übertraf, schlägt, schlagen, toppt
            misses: verfehlt, verfehlen, verpasst, enttäuscht, enttäuschen
            raises: steigert, steigern, erhöht, erhöhen, hebt … an, hebt, heben, anheben, schraubt … hoch, stockt … auf, setzt … herauf, verdoppelt
            rises: steigt, steigen, wächst, wachsen, klettert, klettern, legt … zu, zieht … an, gewinnt
            jumps: springt, schnellt, schießt
            falls: fällt, fallen, sinkt, sinken, gibt … nach, bricht … ein, stürzt … ab, stürzt, rutscht, sackt, schrumpft, verliert, geht … zurück, Rückgang, Einbruch, Minus
            lowers: senkt, senken, kappt, kappen, kassiert, schraubt … zurück, schraubt … herunter, setzt … herab, nimmt … zurück, reduziert, reduzieren
            cuts: kürzt, kürzen, streicht, streichen, baut … ab, bauen … ab, abbauen, dampft … ein, streicht … zusammen, spart
            confirms: bestätigt, bestätigen
            earns: verdient, verdienen
            profit: Gewinn, Gewinne, Gewinns, Überschuss, Ergebnis, Betriebsergebnis, Ebit
            loss: Verlust, Verluste, rote Zahlen, roten Zahlen, Fehlbetrag
            revenue: Umsatz, Umsätze, Erlöse, Erlös
            sales: Absatz, Verkäufe
            results: Quartalszahlen, Geschäftszahlen, Zahlen, Bilanz, Jahreszahlen, Halbjahreszahlen
            quarter: Quartal, Quartals, Vierteljahr
            estimates: Erwartungen, Erwartung, Schätzungen, Prognosen der Analysten
            expected: erwartet, gedacht, befürchtet
            guidance: Prognose, Ausblick, Jahresziele, Jahresziel, Gewinnziel, Gewinnerwartung, Gewinnwarnung, Renditeziel
            margin: Marge, Rendite
            shares: Aktie, Aktien, Anteilsscheine, Papiere
            dividend: Dividende, Dividenden, Ausschüttung
            buyback: Aktienrückkauf, Aktienrückkäufe, Rückkauf, kauft eigene Aktien, kauft … eigene Aktien
            jobs: Stellen, Jobs, Arbeitsplätze, Arbeitsplätzen
            workers: Mitarbeiter, Mitarbeitern, Beschäftigte, Beschäftigten, Angestellte, Bodenpersonal, Personal, Belegschaft
            layoffs: Stellenabbau, Jobabbau, Entlassungen, Kündigungen, Arbeitsplatzabbau, entlässt, entlassen, Stellenstreichungen, Personalabbau
            strike: Streik, Streiks, streiken, streikt, Warnstreik, Warnstreiks, Arbeitskampf, Ausstand, legt … Arbeit nieder, legen … Arbeit nieder
            union: Gewerkschaft, Verdi, Tarifangebot
            recalls: ruft … zurück, rufen … zurück, zurückrufen
            recall: Rückruf, Rückrufe, Rückrufaktion
            vehicles: Fahrzeuge, Autos, Wagen, Modelle
            lawsuit: Klage, Klagen, Sammelklage, Prozess, Verfahren, Rechtsstreit
            sues: verklagt, klagt, verklagen
            court: Gericht, Gerichtshof, Bundesgerichtshof, Richter, Richterin
            ruling: Urteil, verurteilt, verurteilen
            jury: Jury, Geschworene
            fine: Strafe, Geldstrafe, Bußgeld, Geldbuße, Schadenersatz, Strafzahlung
            fined: bestraft
            antitrust: Kartellamt, Kartellprozess, Kartellverfahren, Monopolist, Monopol, Wettbewerbshüter
            probes: ermittelt, Ermittlungen, untersucht
            settlement: Vergleich, einigt
            acquires: übernimmt, übernehmen, übernommen, schluckt, schlucken, kauft … für, erwirbt
            buys: kauft, kaufen, gekauft
            sells: verkauft, verkaufen, trennt, veräußert
            takeover: Übernahme, Übernahmeangebot, Übernahmeofferte, greift … nach
            merger: Fusion, fusioniert, fusionieren, Zusammenschluss
            bid: Gebot
            stake: Anteil, Anteile, Beteiligung, steigt … ein
            deal: Geschäft, Milliardendeal, Zukauf
            talks: Gespräche, verhandelt, Verhandlungen
            ceo: Chef, Chefin, Konzernchef, Konzernchefin, Vorstandschef, Vorstandschefin, Vorstandsvorsitzender, Konzernlenker, Boss
            cfo: Finanzchef, Finanzvorstand
            chairman: Aufsichtsratschef, Verwaltungsratspräsident
            resigns: tritt … ab, tritt … zurück, geht, Rücktritt, Abgang, Abschied, verlässt, hört … auf, räumt
            names: ernennt, beruft, holt, bekommt
            replaces: wechselt, tauscht, ersetzt, löst … ab, Nachfolger, Nachfolgerin, folgt … auf
            appointed: neuer, neue
            successor: Chefwechsel, Führungswechsel
            launches: bringt … Markt, stellt … vor, startet, führt … ein
            unveils: präsentiert, enthüllt, zeigt
            approves: genehmigt, erlaubt, billigt, lässt … zu
            approval: Zulassung, Genehmigung, grünes Licht
            drug: Medikament, Mittel, Arznei, Arzneimittel, Wirkstoff, Therapie, Impfstoff, Augenmittel
            study: Studie
            outage: Ausfall, Störung, Panne
            hacked: Hackerangriff, Cyberangriff, Datenleck, Hacker
            price: Preis
            prices: Preise, Porto
            closes: schließt, schließen, Schließung, Schließungen, Werksschließungen, Werksschließung
            plant: Werk, Werke, Werken, Fabrik, Fabriken, Chipfabrik
            orders: Auftrag, Aufträge, bestellt
            deliveries: Auslieferungen, liefert … aus, Auslieferungsziel
            halts: stoppt, stoppen, drosselt, legt … Eis, legt … still, Produktionsstopp
            delays: verschiebt, verschieben, verzögert
            invests: investiert, investieren
            plans: plant, planen, erwägt, prüft, kündigt … an, droht
            warns: warnt, warnen
            says: sagt, teilt … mit
            subscribers: Abonnenten, Kunden, Abonnentenzahl
            company: Konzern, Unternehmen, Hersteller
            rival: Konkurrent, Konkurrenten, Rivale, Rivalen
            billion: Milliarde, Milliarden, Mrd
            million: Million, Millionen, Mio
            percent: Prozent
            points: Punkte, Punkten
            record: Rekord, Rekordhoch, Rekordwert, Allzeithoch
            target: Kursziel, Kursziele
            downgrades: stuft … ab, stuft … herab, stuft … herunter
            downgraded: herabgestuft, abgestuft
            upgrades: stuft … hoch, stuft … herauf
            upgraded: hochgestuft, heraufgestuft
            rating: Empfehlung, Kaufempfehlung, Einstufung
            analyst: Analyst, Analysten
            rates: Zins, Zinsen, Leitzins, Leitzinsen, Leitzinssatz, Einlagensatz
            holds: belässt, hält, unverändert
            inflation: Inflation, Inflationsrate, Teuerung, Teuerungsrate, Verbraucherpreise
            unemployment: Arbeitslosigkeit, Arbeitslosenquote, Arbeitslosenzahl, Arbeitslose
            gdp: Bruttoinlandsprodukt, BIP, Wirtschaftsleistung
            economy: Wirtschaft, Konjunktur, Weltwirtschaft
            growth: Wachstum, Wirtschaftswachstum, Wachstumsprognose, Wachstumsprognosen, Konjunkturprognose
            recession: Rezession
            stocks: Börse, Börsen, Aktienmarkt
            office: Büro, Homeoffice
            guidance: -prognose, -ausblick, -warnung, -jahresziel
            profit: -gewinn, -gewinne
            estimates: -erwartungen, -erwartung
            revenue: -umsatz, -umsätze, -erlöse
            loss: -verlust, -verluste
            results: -zahlen
            company: -konzern, -hersteller, -unternehmen, -anbieter, -gigant, -riese, -gruppe, -bauer
            shares: -aktie, -aktien
            strike: -streik, -streiks
            recall: -rückruf, -rückrufe
            lawsuit: -klage, -prozess, -verfahren
            fine: -strafe, -buße
            takeover: -übernahme
            plant: -werk, -fabrik
            rates: -zinsen, -zins
            ceo: -chef, -chefin
            layoffs: -abbau
            closes: -schließung, -schließungen
            jobs: -stellen
            target: -kursziel
            buyback: -rückkauf, -rückkäufe
            """,
        ambiguous: """
            die war hat an so am was in will boss jobs bank jury ebit verdi minus wage wagen personal deal analyst hacker
            fusion bilanz rate rating plant millionen job
            """)
}
