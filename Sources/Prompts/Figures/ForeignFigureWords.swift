internal import Basics

/// Words beside figures in another language, with the English words that mean the same to the figure check.
struct ForeignFigureWords {
    let single: [String: String]
    /// By the first word.
    let phrases: [String: [(rest: [String], english: String)]]
    let numbers: [String: Double]
    /// Between a scale, a hedge or a change and what belongs to it.
    let links: Set<String>
    /// Abbreviations that end with a full stop.
    let dotted: Set<String>
    /// Verbs by their first part, with the English verb for each second part.
    var separable: [String: [String: String]] = [:]
    /// The scales that are numbers of their own, too.
    let scaleNames: [Double: String] = [100: "hundred", 1000: "thousand"]

    /// Whether an English word says that something rose or fell.
    func isChange(_ english: String) -> Bool {
        FigureVocabulary.falls.contains(english) || FigureVocabulary.rises.contains(english)
            || FigureVocabulary.negatives.contains(english)
    }

    static func of(_ language: Language) -> ForeignFigureWords? {
        switch language {
        case .english: nil
        case .german: german
        case .spanish: spanish
        case .french: french
        }
    }

    /// The English forms of a sentence's words, for what a sentence says as a whole.
    func english(_ words: some Sequence<String>) -> [String] { words.map { single[$0] ?? $0 } }

    /// - Parameters:
    ///   - dictionary: Lines of an English word, a colon, and the words and phrases (`_` for a space) that mean it.
    ///   - numbers: Words with their values, `drei=3`.
    ///   - links: Words between a scale, a hedge or a change and what belongs to it.
    ///   - dotted: Abbreviations that end with a full stop.
    private init(_ dictionary: String, numbers: String, links: Set<String>, dotted: Set<String> = []) {
        var single: [String: String] = [:]
        var phrases: [String: [(rest: [String], english: String)]] = [:]
        for line in dictionary.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: ":")
            guard parts.count == 2 else { continue }
            for written in parts[1].split(separator: " ") {
                let words = written.split(separator: "_").map(String.init)
                if words.count == 1 {
                    single[words[0]] = String(parts[0])
                } else {
                    phrases[words[0], default: []].append((Array(words.dropFirst()), String(parts[0])))
                }
            }
        }
        self.single = single
        self.phrases = phrases.mapValues { $0.sorted { $0.rest.count > $1.rest.count } }
        var values: [String: Double] = [:]
        for entry in numbers.split(whereSeparator: \.isWhitespace) {
            let parts = entry.split(separator: "=")
            if parts.count == 2, let value = Double(parts[1]) { values[String(parts[0])] = value }
        }
        self.numbers = values
        self.links = links
        self.dotted = dotted
    }

    private static let german: ForeignFigureWords = {
        var words = ForeignFigureWords(
            """
            million:million millionen mio
            billion:milliarde milliarden mrd
            trillion:billion billionen
            thousand:tausend tsd
            hundred:hundert
            hundreds:hunderte hunderten
            thousands:tausende tausenden
            tens:zehntausende_von dutzende
            several:mehrere mehreren einige einigen
            single-digit:einstellig einstellige einstelligen einstelliger einstelliges einstelligem
            double-digit:zweistellig zweistellige zweistelligen zweistelliger zweistelliges zweistelligem
            triple-digit:dreistellig dreistellige dreistelligen dreistelliger dreistelliges dreistelligem
            percent:prozent
            percentage:prozentpunkt prozentpunkte prozentpunkten
            bps:basispunkt basispunkte basispunkten
            times:mal
            dollars:dollar us-dollar
            euros:euro euros
            crowns:krone kronen
            cents:cent
            francs:franken
            pounds:pfund
            shares:aktien stammaktien anteile
            share:aktie
            years:jahre jahren
            year:jahr jahres
            months:monate monaten
            weeks:wochen
            days:tage tagen
            quarters:quartale quartalen
            hours:stunden
            last:letzten letzte vergangenen vergangene zurückliegenden
            next:nächsten nächste kommenden
            past:vor seit binnen
            within:innerhalb
            the:der die das den dem
            of:des
            every:pro jedem jeder jeden jede alle
            about:rund etwa ungefähr circa ca zirka gut knapp fast nahezu beinahe annähernd
            over:über
            under:unter
            than:als
            above:oberhalb
            by:um
            to:auf
            and:und
            or:oder
            between:zwischen
            fell:fiel fielen fällt fallen gefallen sank sanken sinkt sinken gesunken schrumpfte schrumpften \
            geschrumpft \
            verringerte verringerten verringert
            declined:rückgang rückgangs reduzierte
            minus:minus
            plus:plus
            rose:stieg stiegen steigt steigen gestiegen wuchs wuchsen wächst wachsen gewachsen erhöhte erhöhten \
            erhöht \
            kletterte kletterten gewann zulegte anstieg wachstum zuwachs
            loss:verlust verluste verlustes fehlbetrag
            lost:verlor verloren verliert
            deficit:defizit
            lower:niedriger geringer tiefer zurück weniger
            less:kleiner schwächer abschwung abgebaut
            reduced:gesenkt senkte senkten senkung abbau kürzung kürzte streicht strich abnahme
            repurchase:rückkauf rückkäufe aktienrückkauf zurückgekauft
            half:hälfte halben halber halbe halbes
            quarter-point:viertelpunkt
            point:punkt
            third:drittel
            thirds:dritteln
            quarter:viertel
            fifth:fünftel
            tenth:zehntel
            doubled:verdoppelt verdoppelte verdoppelten
            tripled:verdreifacht verdreifachte verdreifachten
            quadrupled:vervierfacht vervierfachte
            halved:halbiert halbierte halbierten
            people:menschen personen
            employees:mitarbeiter mitarbeitern mitarbeitende beschäftigte beschäftigten angestellte stellen \
            arbeitsplätze
            customers:kunden kundinnen
            stores:filialen läden geschäfte
            users:nutzer nutzern
            devices:geräte geräten
            countries:länder ländern
            vehicles:fahrzeuge fahrzeugen
            cars:autos
            products:produkte produkten
            companies:unternehmen firmen
            risks:risiken
            reasons:gründe
            questions:fragen
            points:punkte punkten
            January:januar jänner
            February:februar
            March:märz
            April:april
            May:mai
            June:juni
            July:juli
            August:august
            September:september
            October:oktober
            November:november
            December:dezember
            """,
            numbers: """
                null=0 eins=1 ein=1 eine=1 einen=1 einem=1 einer=1 zwei=2 drei=3 vier=4 fünf=5 sechs=6 sieben=7 \
                acht=8 \
                neun=9 zehn=10 elf=11 zwölf=12 dreizehn=13 vierzehn=14 fünfzehn=15 sechzehn=16 siebzehn=17 \
                achtzehn=18 \
                neunzehn=19 zwanzig=20 dreißig=30 dreissig=30 vierzig=40 fünfzig=50 sechzig=60 siebzig=70 achtzig=80 \
                neunzig=90
                """,
            links: ["von"], dotted: ["mio", "mrd", "tsd", "ca"])
        let falls = ["zurück": "fell", "herunter": "fell"]
        for verb in ["ging", "gingen", "geht", "gehen"] { words.separable[verb] = falls }
        for verb in ["nahm", "nahmen", "nimmt", "nehmen"] { words.separable[verb] = ["ab": "fell", "zu": "rose"] }
        for verb in ["legte", "legten", "legt", "legen"] { words.separable[verb] = ["zu": "rose"] }
        for verb in ["gab", "gaben", "gibt", "geben"] { words.separable[verb] = ["nach": "fell"] }
        return words
    }()

    private static let spanish = ForeignFigureWords(
        """
        million:millón millones mill
        billion:mil_millones millardo millardos
        trillion:billón billones
        thousand:mil
        hundreds:cientos centenares
        thousands:miles
        tens:decenas
        several:varios varias algunos algunas
        single-digit:un_solo_dígito
        double-digit:dos_dígitos doble_dígito
        triple-digit:tres_dígitos
        percent:por_ciento porciento
        percentage:puntos_porcentuales punto_porcentual
        bps:puntos_básicos punto_básico
        times:veces
        dollars:dólar dólares
        euros:euro euros
        crowns:corona coronas
        cents:centavo centavos céntimo céntimos
        pounds:libra libras
        yen:yenes
        yuan:yuanes
        francs:francos
        shares:acciones
        share:acción
        years:años
        year:año
        months:meses
        weeks:semanas
        days:días
        quarters:trimestres
        hours:horas
        last:últimos últimas pasados anteriores
        next:próximos próximas siguientes
        past:hace durante desde
        the:el la los las
        every:cada
        about:unos unas casi aproximadamente cerca_de alrededor_de en_torno_a cerca alrededor
        than:más_de menos_de más_del menos_del
        over:sobre supera superó
        a:un
        to:a hasta al
        and:y
        or:o
        between:entre
        of:de del
        fell:cayó cayeron cae caen caído bajó bajaron baja bajan bajado descendió descendieron retrocedió disminuyó \
        disminuyeron cedió redujo redujeron
        declined:caída descenso retroceso reducción
        rose:subió subieron sube suben subido aumentó aumentaron creció crecieron crece creciendo aumento alza \
        crecimiento \
        avanzó ganó incrementó incremento subida
        loss:pérdida pérdidas
        lost:perdió perdieron pierde
        deficit:déficit
        lower:menor menores inferior menos
        less:peor débil
        reduced:recortó recorte recortes reducirá recortará
        repurchase:recompra recompras recompró
        half:mitad medio media
        point:punto
        third:tercio
        thirds:tercios
        quarter:cuarto cuarta
        quarters:cuartos
        fifth:quinto quinta
        tenth:décima
        doubled:duplicó duplicaron duplicado duplicar
        tripled:triplicó triplicaron triplicado
        people:personas
        employees:empleados trabajadores empleos puestos
        customers:clientes
        stores:tiendas
        users:usuarios
        devices:dispositivos
        countries:países
        vehicles:vehículos
        cars:coches autos automóviles
        products:productos
        companies:empresas compañías
        risks:riesgos
        reasons:razones motivos
        points:puntos
        January:enero
        February:febrero
        March:marzo
        April:abril
        May:mayo
        June:junio
        July:julio
        August:agosto
        September:septiembre setiembre
        October:octubre
        November:noviembre
        December:diciembre
        """,
        numbers: """
            cero=0 uno=1 una=1 dos=2 tres=3 cuatro=4 cinco=5 seis=6 siete=7 ocho=8 nueve=9 diez=10 once=11 doce=12 \
            trece=13 catorce=14 quince=15 dieciséis=16 diecisiete=17 dieciocho=18 diecinueve=19 veinte=20 \
            veintiuno=21 \
            veintiún=21 veintiuna=21 veintidós=22 veintitrés=23 veinticuatro=24 veinticinco=25 veintiséis=26 \
            veintisiete=27 veintiocho=28 veintinueve=29 treinta=30 cuarenta=40 cincuenta=50 sesenta=60 setenta=70 \
            ochenta=80 noventa=90 cien=100 ciento=100 doscientos=200 doscientas=200 trescientos=300 trescientas=300 \
            cuatrocientos=400 cuatrocientas=400 quinientos=500 quinientas=500 seiscientos=600 seiscientas=600 \
            setecientos=700 setecientas=700 ochocientos=800 ochocientas=800 novecientos=900 novecientas=900
            """,
        links: ["de", "del", "a"])

    private static let french = ForeignFigureWords(
        """
        million:million millions
        billion:milliard milliards md mds mrd mrds
        trillion:billion billions
        thousand:mille millier
        thousands:milliers
        hundred:cents
        hundreds:centaines
        tens:dizaines
        several:plusieurs quelques
        single-digit:un_chiffre
        double-digit:deux_chiffres
        triple-digit:trois_chiffres
        percent:pour_cent pourcent
        percentage:points_de_pourcentage point_de_pourcentage points_de_% point_de_%
        bps:points_de_base point_de_base
        times:fois
        dollars:dollar dollars
        euros:euro euros
        crowns:couronne couronnes
        cents:centime centimes
        pounds:livre livres
        francs:franc francs
        yen:yens
        yuan:yuans
        shares:actions
        share:action
        years:ans années
        year:an année
        months:mois
        weeks:semaines
        days:jours
        quarters:trimestres
        hours:heures
        last:derniers dernières dernière passés passées
        next:prochains prochaines
        past:il_y_a depuis pendant en
        the:le la les
        these:ces
        every:chaque par
        about:environ près_de autour_de quelque presque près
        than:plus_de moins_de plus_d moins_d
        over:dépasse
        a:un
        to:à
        and:et
        or:ou
        between:entre
        of:de du des
        fell:chuté chute baissé baisse baissent reculé recule reculent diminué diminue diminuent cédé perdu cède
        declined:recul repli diminution
        rose:augmenté augmente augmentent progressé progresse progressent grimpé gagné crû hausse progression \
        croissance \
        augmentation hausses bondi
        loss:perte pertes
        lost:perd
        deficit:déficit
        lower:inférieur inférieure moindre moins
        less:faible
        reduced:réduit réduction réduits réduira supprimé supprimer suppression
        repurchase:rachat rachats racheté
        half:moitié demi demie
        point:point
        third:tiers
        quarter:quart
        quarters:quarts
        fifth:cinquième
        tenth:dixième
        doubled:doublé doublée doublent
        tripled:triplé triplée
        people:personnes
        employees:salariés employés postes emplois
        customers:clients
        stores:magasins boutiques
        users:utilisateurs
        devices:appareils
        countries:pays
        vehicles:véhicules
        cars:voitures
        products:produits
        companies:entreprises sociétés
        risks:risques
        reasons:raisons
        points:points
        January:janvier
        February:février
        March:mars
        April:avril
        May:mai
        June:juin
        July:juillet
        August:août
        September:septembre
        October:octobre
        November:novembre
        December:décembre
        """,
        numbers: """
            zéro=0 une=1 deux=2 trois=3 quatre=4 cinq=5 six=6 sept=7 huit=8 neuf=9 dix=10 onze=11 douze=12 treize=13 \
            quatorze=14 quinze=15 seize=16 vingt=20 vingts=20 trente=30 quarante=40 cinquante=50 soixante=60 \
            septante=70 \
            huitante=80 nonante=90 cent=100 cents=100
            """,
        links: ["de", "d'"])
}
