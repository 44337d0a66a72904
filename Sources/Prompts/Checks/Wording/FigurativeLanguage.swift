internal import Basics

/// Finds sentences that speak in images which no source has: a house on sand, a train that leaves, water up to the neck.
///
/// Such an image alarms or urges in whatever words. One word of the lists proves nothing, since each has a plain sense;
/// two of them that no source has make an image. A comparison that says so ("like a moat around a castle") explains.
enum FigurativeLanguage {
    /// The words of the image in the first such sentence; `nil` when there is none.
    static func match(in text: String, _ language: Language, except sources: [String]) -> String? {
        guard let images = images[language], let comparing = comparing[language] else { return nil }
        var known: Set<String>?
        for sentence in CalmWords.sentences(NormalizedText(text)) {
            if let found = image(in: sentence, images, comparing, language, except: sources, &known) { return found }
        }
        return nil
    }

    private static func image(
        in sentence: ArraySlice<CalmWords.Word>, _ images: Set<String>, _ comparing: Set<String>,
        _ language: Language, except sources: [String], _ known: inout Set<String>?
    ) -> String? {
        let found = sentence.filter { images.contains($0.folded) }
        guard Set(found.map(\.folded)).count > 1, !sentence.contains(where: { comparing.contains($0.folded) }) else {
            return nil
        }
        // The sources are read only where there may be an image.
        let words =
            known ?? withTrade(Set(sources.flatMap { CalmWords.split(NormalizedText($0)).map { $0.folded } }), language)
        known = words
        let own = found.filter { !words.contains($0.folded) }
        guard Set(own.map(\.folded)).count > 1, let first = own.first, let last = own.last else { return nil }
        return "\(first.text) … \(last.text)"
    }

    /// Words with those that are plain in their trade: a report on a shipping company may speak of ships that sail.
    private static func withTrade(_ words: Set<String>, _ language: Language) -> Set<String> {
        trades[language, default: []].reduce(into: words) { all, trade in
            if !trade.signs.isDisjoint(with: words) { all.formUnion(trade.plain) }
        }
    }

    private static let trades: [Language: [(signs: Set<String>, plain: Set<String>)]] = [
        .english: [
            (
                words("shipping ship ships vessel vessels ferry ferries port shipyard dockers freighter"),
                words("ship ships sail sails hull deck captain harbour harbor sea ocean anchor boat boats")
            ),
            (words("train trains rail railway railways"), words("train rails tracks brakes")),
            (words("airline airlines airport aircraft"), words("cockpit runway")),
        ],
        .german: [
            (
                words("reederei schiff schiffe fahre fahren hafen werft"),
                words("wasser boot boote anker segel ufer flut ebbe")
            ),
            (words("bahn zug zuge zugen eisenbahn"), words("zug bahnsteig gleis gleise bremse bremsen")),
        ],
        .spanish: [
            (
                words("naviera buque buques barco barcos puerto astillero"),
                words("agua marea bote botes ancla velas orilla")
            ),
            (words("tren trenes ferrocarril"), words("tren anden vias frenos")),
        ],
        .french: [
            (
                words("armateur navire navires bateau bateaux port chantier"),
                words("eau maree canot canots ancre voiles rive")
            ),
            (words("train trains ferroviaire"), words("train quai rails freins")),
        ],
    ]

    /// Words in small letters without accents: water and boats, weather, buildings, roads and edges, weapons, the body,
    /// animals, fire, games. Words that business has in a sense of its own are left out: a platform, a train of models.
    private static let images: [Language: Set<String>] = [
        .english: words(
            """
            ship ships hull mast sail sails rudder captain helm deck anchor boat boats lifeboat lifeboats raft
            overboard afloat adrift aground capsize capsizes sinking drown drowns drowning
            sea ocean tide tides waves river shore beach sand reef rock rocks iceberg harbour harbor swamp
            flood leak leaking leaks drip drips bucket sponge puddle hole holes
            storm storms rain winds cold freeze frost fog snow ice thunder lightning hail clouds drought umbrella sky
            train rails tracks brakes steering mirror
            hill steep downhill ditch parachute cockpit runway
            door doors stairs ladder ceiling roof walls basement cellar attic chimney bricks vault gate
            fence castle corridor locked pillar pillars
            throat neck knee knees breath blood bleeding pulse stomach bone bones spine vein veins wound wounds scar scars
            grave coffin tomb funeral undertaker
            wolf wolves sheep lamb lambs shark sharks vulture vultures snake snakes rat rats termites hornets
            horse saddle elephant canary hen goose herd nest
            fire flame flames smoke ash ashes ember embers spark sparks fuse burn burns candle oven kettle
            knife knives blade sword swords axe rope arrow shield bomb grenade trigger gun bullet bullets trenches
            battlefield fortress siege moat
            orchard ripe fruit seed seeds soil plough weeds thorn roots
            dark darkness dusk midnight dawn lamp curtain lights shadow shadows
            cliff abyss crossroads mountain summit slope tunnel bridge mud
            ghost ghosts devil hell heaven chess dice casino roulette pawn referee whistle
            drawer mattress pillow suitcase
            """),
        .german: words(
            """
            wasser flut ebbe leck boot boote rettungsboot rettungsboote anker segel ufer klippe riff eisberg sand
            sturm gewitter wolken donner blitz nebel schatten eis
            zug bahnsteig gleis gleise bremse bremsen fallschirm
            tur turen fenster leiter dach mauern keller kartenhaus wanken karten
            messer schwert axt seil strick faden bombe abzug kugel
            hals kehle knie atem blut puls wunde wunden fieber
            wolf wolfe schaf schafe lamm hai haie geier
            feuer rauch asche glut funke funken lunte flammen
            abgrund sumpf schlamm grab sarg schublade wurfel roulette
            """),
        .spanish: words(
            """
            agua cuello marea bote botes salvavidas ancla velas orilla roca rocas arrecife iceberg arena naufragio
            tormenta nubes trueno rayo niebla sombra hielo
            tren anden vias frenos paracaidas
            puerta puertas ventana escalera techo muros sotano castillo naipes temblar
            cuchillo espada hacha soga cuerda hilo bomba gatillo bala
            garganta rodillas aliento sangre pulso herida heridas fiebre
            lobo lobos oveja ovejas cordero tiburon tiburones buitres
            fuego humo cenizas brasas chispa mecha llamas
            abismo pantano barro tumba ataud cajon dados ruleta
            """),
        .french: words(
            """
            corde cou eau maree canot canots sauvetage ancre voiles rive rocher rochers recif iceberg sable naufrage
            tempete orage nuages tonnerre eclair brouillard ombre glace
            train quai rails freins parachute
            porte portes fenetre echelle toit murs cave chateau cartes vacille
            couteau epee hache fil bombe gachette balle
            gorge genoux souffle sang pouls blessure blessures fievre
            loup loups mouton moutons agneau requin requins vautours
            feu fumee cendres braises etincelle meche flammes
            abime gouffre marais boue tombe cercueil tiroir roulette
            """),
    ]

    /// Words that announce a comparison.
    private static let comparing: [Language: Set<String>] = [
        .english: ["like", "as", "imagine", "picture", "called", "compare", "compared", "metaphor", "example"],
        .german: ["wie", "als", "gleicht", "stellen", "genannt", "vergleich", "beispiel"],
        .spanish: ["como", "imagine", "imaginese", "llamado", "llamada", "comparacion", "ejemplo"],
        .french: ["comme", "imaginez", "appele", "appelee", "comparaison", "exemple"],
    ]

    private static func words(_ text: String) -> Set<String> {
        Set(text.listed)
    }
}
