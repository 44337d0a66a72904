/// What calm German does not say. `Sie` in capitals is the reader; at the start of a sentence it may be others, and is
/// refused all the same.
enum GermanCalm {
    static let lists: [CalmRule: CalmList] = [
        .advice: advice, .pressure: pressure, .drama: drama, .odds: odds, .conditions: conditions, .warnings: warnings,
    ]

    private static let names = [
        "reader": "Sie|man|du|anleger*|investoren|investor|aktionär*|kleinaktionär*|sparer*|privatanleger*",
        "modal":
            "sollten|sollte|solltest|solltet|müssen|müsste|müssten|muss|musst|müsst|können|könnten|könnte|kannst|dürfen|tun",
        "trade": """
        kaufen|verkaufen|halten|zukaufen|nachkaufen|aufstocken|aussteigen|einsteigen|abstoßen|zugreifen|handeln|\
        warten|abwarten|zuwarten|umschichten|investieren|absichern|reduzieren|trennen|prüfen|überprüfen|\
        überdenken|\
        reagieren|mitnehmen|meiden|vermeiden|verzichten|beobachten|behalten|trimmen|ausharren|umsteigen|\
        diversifizieren|nutzen|eindecken|verabschieden|shorten|veräußern|erwerben|abbauen|aufbauen
        """,
        "zu": """
        kaufen|verkaufen|halten|zuzukaufen|nachzukaufen|aufzustocken|auszusteigen|einzusteigen|abzustoßen|abzubauen|aufzubauen|umzusteigen|zuzuschlagen|\
        zuzugreifen|handeln|warten|abzuwarten|umzuschichten|investieren|reduzieren|behalten|mitzunehmen|\
        veräußern|erwerben|überprüfen|prüfen|trennen
        """,
        "noun": """
        kauf|zukauf|nachkauf|verkauf|teilverkauf|einstieg|ausstieg|aufstocken|umschichten|abwarten|kaufen|\
        verkaufen
        """,
        "wise": """
        ratsam|empfehlenswert|sinnvoll|klug|lohnt|lohnen|lohnenswert|lohnend|angebracht|vernünftig|überlegenswert|\
        empfiehlt|empfehlen|anzuraten|naheliegend|vorteilhaft
        """,
    ]

    private static let advice = CalmList(
        words: names,
        lines: """
            kein|keinen|nicht schlecht*|falsch* zeitpunkt|moment|augenblick|gelegenheit|idee
            geliebäugelt|liebäugelt|liebäugeln
            greifen|steigen|kaufen|stocken _3 anleger*|investoren|sparer*|aktionär* _5 zu|ein|nach|auf|aus $
            anleger*|investoren|sparer*|aktionär* _1 greifen|steigen|kaufen|stocken _5 zu|ein|nach|auf|aus $
            platz|bestandteil|baustein in|im|jedem|einem|ihrem _2 depot*|portfolio*
            {reader} {modal} _7 {trade}
            {modal} {reader} _7 {trade}
            {reader} _7 {trade} sollten|sollte|solltest|müssen|müssten|müsste
            {reader} tun|täten|tut|täte|fahren _3 gut|besser
            {reader} _3 beraten|{wise} _6 {zu}
            ihr solltet|müsst|könnt|könntet _7 {trade}
            solltet|müsst|könnt|könntet ihr _7 {trade}
            gut*|richtig*|ideal*|best*|günstig*|perfekt* zeitpunkt|moment|gelegenheit|zeit|chance _4 {noun}|{zu}
            zeit|moment|gelegenheit|chance|anlass|signal , _1 zu? {zu}
            zeit|moment|gelegenheit|anlass|signal zu|zum {zu}|{noun}
            zeit|zeitpunkt|moment|gelegenheit|chance für|zum den|einen? einstieg|ausstieg|nachkauf
            grund|gründe _3 zu {zu}
            kaufgelegenheit*|einstiegschance*|einstiegskurs*|kaufempfehlung*|kaufsignal*|verkaufssignal*|kursziel*
            gewinnmitnahme*|einstiegszeitpunkt|ausstiegszeitpunkt|kaufkandidat*|schnäppchen*|stop|stopp loss
            gewinne mitnehmen|mitzunehmen|sichern|realisieren
            verluste _2 begrenzen|realisieren
            {wise} _6 {zu}
            ein|einen|eine teilverkauf|verkauf|kauf|zukauf|nachkauf|einstieg|ausstieg|aufstockung _5 {wise}
            aufstocken|umschichten|abwarten|nachkaufen|kaufen|verkaufen _3 {wise}
            {wise} _3 einstieg|kauf|verkauf|nachkauf|ausstieg|teilverkauf|zukauf
            über einen|den|ihren|seinen {noun}|teilverkauf nachzudenken|nachdenken
            {reader} _8 nachdenken|nachzudenken|überlegen|erwägen
            wir|ich raten|empfehlen|rate|empfehle
            ^ kaufen|verkaufen|halten|warten|greifen|steigen|sichern|handeln|prüfen|überprüfen|behalten|bleiben Sie
            ^ nutzen|vermeiden|trennen|stocken|schichten|reduzieren|meiden|überdenken|streuen|setzen|lassen Sie
            kaufen|verkaufen|handeln|reagieren Sie jetzt|sofort|rasch|schnell|umgehend|lieber|besser|heute|noch|nicht
            kauf|kauft|verkauf|verkauft|handle|handelt jetzt sofort|schnell?
            wer jetzt|heute|noch|nun _3 kauft|einsteigt|verkauft|zögert|wartet|aussteigt|handelt|zugreift
            investiert bleiben|bleiben|bleibt
            bleiben Sie _2 investiert|dran|wachsam|gelassen
            finger weg
            behalten|behalte Sie|du? _6 auge|blick
            {reader} _6 im|ins auge|blick behalten|fassen
            {reader} _5 genau|aufmerksam|eng _1 beobachten|verfolgen
            informieren|erkundigen Sie sich
            lesen|erfahren Sie mehr|weiter|hier
            eigene|eigenen recherche*
            Ihr|Ihre|Ihren|dein|deinen depot|portfolio|konto|kurs|kurse _3 prüfen|überprüfen|umschichten|checken|\
            kontrollieren|anpassen
            sprechen|reden Sie mit
            finanzberater*|anlageberater*|bankberater*
            ruhig|gelassen? liegen lassen|abzuwarten
            aufbau|ausbau _3 position|positionen _4 {wise}
            {wise} _3 position|positionen _2 aufzubauen|auszubauen
            spricht wenig|nichts|kaum|viel|einiges dagegen|dafür , _8 {zu}|abzugeben|mitzunehmen
            gehört|gehören in|zu jedes|jedem|jeder _2 depot*|portfolio*|sammlung
            an der seitenlinie
            sicherer|sicheren|sichere|sicherste hafen
            warum|weshalb|wozu noch? länger? warten|zögern
            """)

    private static let pressure = CalmList(
        words: names,
        lines: """
            tatenlos*
            leer ausgehen|aus
            leeren händen
            wer zu lange|lang wartet|zögert|zaudert
            hände|händen in den schoß
            sofort _4 handeln|verkaufen|kaufen|reagieren|zugreifen|aussteigen|einsteigen|lesen
            handeln|verkaufen|kaufen|reagieren|greifen|lesen _3 sofort
            zögern|zaudern|warten Sie nicht
            nicht|nie länger|mehr|lange zögern|warten|zaudern
            unverzüglich|umgehend|schleunigst|dringend*|eilmeldung|eilt|eilig|sofortmaßnahme
            höchste|allerhöchste zeit|eisenbahn
            jetzt|rasch|schnell|rechtzeitig handeln|reagieren|zugreifen|zuschlagen
            bevor|ehe es zu spät
            zu spät
            letzte|letzten chance|gelegenheit|möglichkeit
            die? zeit drängt|läuft
            zeit wird knapp
            uhr tickt
            nicht verpassen|zögern|versäumen
            verpassen|versäumen Sie
            keine zeit verlieren|mehr
            beeilen|beeil|beeilt
            unbedingt
            {reader} müssen|sollten|sollte|muss _3 wissen|gesehen|lesen|kennen
            müssen|sollten Sie _3 wissen|lesen|kennen
            jetzt oder nie
            fenster schließt|schließen
            wer _3 zögert|zaudert
            auf keinen fall
            ohne zu zögern
            keinen tag länger
            abgehängt
            """)

    private static let drama = CalmList(
        lines: """
            *explodier*|kursexplosion|kurssturz*|kursstürze|kursrutsch*|kursrakete*|kursfeuerwerk|börsencrash|crash|crashs
            einbruch|einbrüche|*gewinneinbruch|*umsatzeinbruch|*kurseinbruch|*absatzeinbruch|*einbrüche|einbrechen*|\
            eingebrochen*
            bricht|brach|brachen|brechen _7 ein $
            bricht|brach|brachen|brechen _4 zusammen
            stürzt|stürzte|stürzten|stürzen|rutscht|rutschte|rauscht|rauschte|sackt|sackte _7 ab
            abgestürzt|abstürzen|absturz|abgerauscht|abgesackt|sturzflug|talfahrt|abgeschmiert
            schießt|schießen|schoss|schossen|schnellt|schnellte|schnellten|katapult* _4 höhe|oben|hoch
            durch die decke
            durchs dach
            freier|freien|freiem fall
            ins|im bodenlose|bodenlosen|chaos
            wie eine rakete
            dramatisch*|drama|katastroph*|desaster*|desaströs*|debakel|fiasko|*panik*|panisch*|chaos|chaotisch*
            schock*|geschockt|schockiert*|alarmierend*|alarmstimmung|alarmglocken|alarmsignal*|alarmstufe
            massiv*|gigantisch*|sensation*|sensationell*|spektakulär*|atemberaubend*|unfassbar*|unglaublich*|wahnsinn*
            beispiellos*|revolutionär*|rasant*|schwindelerregend*|horrend*|verheerend*|erschütternd*
            nie dagewesen*
            beben|börsenbeben|erdrutsch|schockwelle*|ausverkauf*|donnerschlag|gemetzel|abwärtsstrudel|abwärtssog
            blutbad|massaker|kernschmelze|achterbahn*|turbulent*|turbulenz*|zusammenbruch|kollaps|kollabier*
            garantiert*|todsicher*|risikolos*|narrensicher*|totalverlust|ruin|ruinös*|weltuntergang|horror*
            albtraum*|alptraum*|hiobsbotschaft*|paukenschlag|weckruf|hype|goldgrube|gamechanger|untergang
            beunruhigend*|besorgniserregend*|beängstigend*|erschreckend*|furchterregend*|düster*|unheilvoll*
            !kein|keinen|keinerlei|ohne|wenig grund|anlass zur|zu|für _2 sorge|besorgnis|beunruhigung|unruhe|angst
            !kein|keinen|keinerlei|ohne|wenig grund|anlass _2 sich _2 sorgen
            allen|jeden|guten|genug|reichlich grund|anlass|gründe _2 unruhig*|besorgt|nervös*|fürchten|angst|bangen
            unruhig|unruhiger _2 schlafen
            ernste|ernsthafte|große|tiefe|wachsende sorge|sorgen|besorgnis|beunruhigung
            bedenklich stimmt|stimmen
            verheißt|verheißen|bedeutet nichts|wenig gutes
            das|aufs schlimmste
            schlimmste|schlimmere|schlimmeres _3 bevor|droht|folgen
            böses erwachen
            dicke ende
            wappnen|wappnet|gewappnet
            gefasst machen
            auf der hut
            vorsicht _2 geboten|angebracht
            viel|alles auf dem spiel
            feuer am dach
            brandgefährlich*|brisant*|explosiv*
            durststrecke|leidenszeit|zerreißprobe|schieflage|abwärtsspirale|teufelskreis|damoklesschwert
            risse|riss _4 zeigen|zeigt|breiter|größer
            kaum|schlecht|nicht|schwerlich _2 ruhig|gut? schlafen
            schlaflos*|bange*|bangen|mulmig*|zittern|zittert|unbehagen|verunsicher*|gnadenlos*|unbarmherzig*
            bitter*|schmerzhaft*|schmerzlich*|rau*|stürmisch*|unruhig* _3 wochen|monate|monaten|zeiten|winter|jahre|jahren|zeit
            bitter*|schmerzhaft*|schmerzlich* folgen|wahrheit|erwachen|rechnung|erfahrung
            wer _8 das nachsehen
            nie|kaum|nicht _2 erholen|verkraften
            rächt|rächen _2 sich?
            dürfte|dürften|könnte|könnten|wird|werden _5 bereuen
            schlimmste _3 bevorsteht|bevorstehen
            sturm|gewitter|unheil|unwetter|etwas braut|brauen _6 zusammen
            braut|brauen _4 sturm|gewitter|unheil|unwetter
            boden _2 unter _3 füßen
            fundament|fundamente|boden|stützen|pfeiler _3 wegbricht|wegbrechen|weggebrochen|bröckelt|bröckeln|wankt|wanken
            *gefegt|*gespült _2 werden|wird|worden
            ersparnisse|ersparnissen|vermögen|gewinne|altersvorsorge _4 *gefegt|*gespült|rauch|verbrannt|ausgelöscht|zunichte
            in rauch auf
            am tropf|abgrund
            seidenen faden
            nagel|nägel _3 sarg
            zeitbombe|pulverfass|minenfeld|schlafwandel*|galgenfrist
            schlinge _3 zu
            taumelt|taumeln|torkelt|torkeln
            """)

    private static let odds = CalmList(
        words: [
            "n": """
            #|ein|eins|einer|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwanzig|dreißig|vierzig|fünfzig|\
            sechzig|siebzig|achtzig|neunzig
            """
        ],
        lines: """
            {n} %|prozent ige|iger|igen? *wahrscheinlich*|chance|chancen|risiko|möglichkeit|sicherheit
            *wahrscheinlichkeit* _8 {n} %|prozent
            wahrscheinlich|chance|chancen|risiko _3 {n} %|prozent
            *wahrscheinlichkeit*|chance|chancen _3 {n} zu {n}
            {n} prozentig|prozentige|prozentiger|prozentigen chance|chancen|wahrscheinlichkeit|sicherheit|risiko
            *prozentige|*prozentiger|*prozentigen chance|wahrscheinlichkeit|sicherheit
            mit {n} prozent|% sicherheit
            in {n} von {n} fällen
            {n} von {n} szenarien|fällen
            fünfzig|50 zu fünfzig|50
            fifty fifty
            *wahrscheinlich*|chance|chancen _4 zwei drittel|drittel|dreiviertel
            """)

    private static let conditions = CalmList(
        lines: """
            falls|wenn|sofern|ob|sollten|sollte|angenommen Sie|du|man|ihr _5 halten|besitzen|investiert|aktionär*|\
            beteiligt|besitzt|hältst|hält|haben
            halten|besitzen Sie _4 so|dann
            für alle|anleger|aktionäre|diejenigen|jeden|jene|leser _2 die|der|welche _5 halten|hält|besitzen|besitzt|\
            investiert
            wer _5 aktie|aktien|anteile|papiere _2 hält|besitzt|hat
            kann|könnte|könnten|dürfte|dürften|mag|möglicherweise Ihr|Ihre|Ihren|Ihrem|dein|deine _1 depot|portfolio|\
            anlage*|ersparnisse|geld|aktien|bestände|vermögen _4 treffen|belasten|beeinflussen|bewegen|schaden|schmälern
            """)

    private static let warnings = CalmList(
        lines: """
            vorsicht*|warn*|*risiko|*risiken|gefahr*|gefährlich*|droht|drohen|drohend*|bedroh*|sorge|ungewiss*|unsicher*
            allerdings|aber|jedoch|doch|obwohl|dennoch|wachsam*|vorbereitet|abwarten|abzuwarten
            es sei denn
            wird sich zeigen
            zeigt sich erst
            bleibt offen|spannend|unklar
            """)
}
