internal import Basics

/// The subjects of market news that are no companies: central banks, indices, currencies, commodities and countries.
///
/// Articles about two of them are not one story for the words alone that fit each.
enum KnownTopics {
    enum Kind: Hashable { case centralBank, index, currency, commodity, country }

    struct Topic: Hashable {
        var kind: Kind
        /// The same for all names of it: `boe` for `Bank of England` and `BoE`.
        var key: String

        var isMarket: Bool { [.index, .currency, .commodity].contains(kind) }
    }

    /// The topics of a text with the place of the first name of each, by its words as written, and all places of names.
    static func topics(in words: [Word]) -> (topics: [Topic: Int], places: Set<Int>) {
        var found: [Topic: Int] = [:]
        var places: Set<Int> = []
        for place in words.indices {
            for (phrase, topic) in table[words[place].plain] ?? [] {
                guard place + phrase.count <= words.count,
                    zip(phrase, words[place...]).allSatisfy({ $0 == $1.plain }),
                    words[place].written.contains(where: \.isUppercase) || lowercased.contains(topic.kind)
                else { continue }
                // `us` is a pronoun.
                if topic.key == "us", words[place].written == "us" || words[place].written == "Us" { continue }
                // A dollar is a currency where it opens a clause that goes on in lower case: not `a million dollar`.
                if phrase == ["dollar"], place > 0 || place + 1 < words.count && words[place + 1].startsWithCapital {
                    continue
                }
                // `tops Wall Street expectations` is said of companies.
                let next = place + phrase.count < words.count ? words[place + phrase.count].folded : ""
                if expected.contains(next) { continue }
                // `Silver Lake buys`: a part of a name.
                let isNamePart =
                    topic.kind == .commodity && words[place].startsWithCapital
                    && place + phrase.count < words.count && words[place + phrase.count].startsWithCapital
                    && Wording.isSpecific(Stemmer.stem(next))
                if isNamePart { continue }
                // `Norway's central bank`
                if topic.kind == .country, next == "central",
                    words.dropFirst(place + phrase.count + 1).first?.folded == "bank"
                {
                    let bank = homes.first { $0.value == topic.key }?.key ?? "bank of \(topic.key)"
                    let topic = Topic(kind: .centralBank, key: bank)
                    if found[topic] == nil { found[topic] = place }
                    places.formUnion(place..<place + phrase.count + 2)
                    continue
                }
                if found[topic] == nil { found[topic] = place }
                places.formUnion(place..<place + phrase.count)
            }
        }
        return (found, places)
    }

    private static let expected: Set<String> = [
        "expectations", "estimates", "forecasts", "views", "consensus", "analysts", "targets", "predictions",
    ]

    /// The countries of central banks.
    static let homes = [
        "fed": "us", "ecb": "eurozone", "boe": "uk", "boj": "jp", "boc": "ca", "rba": "au", "snb": "ch", "pboc": "cn",
        "rbi": "in", "riksbank": "se", "norges": "no", "rbnz": "nz", "bank of kr": "kr", "bank of mx": "mx",
    ]

    private static let lowercased: Set<Kind> = [.currency, .commodity, .index]

    /// By the first word.
    private static let table: [String: [(phrase: [String], topic: Topic)]] = {
        var table: [String: [(phrase: [String], topic: Topic)]] = [:]
        for (kind, lines) in names {
            for line in lines.split(whereSeparator: \.isNewline) {
                let parts = line.split(separator: ":", maxSplits: 1)
                guard parts.count == 2 else { continue }
                let topic = Topic(kind: kind, key: String(parts[0]))
                for name in parts[1].split(separator: ",") {
                    let phrase = Words.of(String(name)).map(\.folded)
                    guard let first = phrase.first else { continue }
                    table[first, default: []].append((phrase, topic))
                }
            }
        }
        return table
    }()

    private static let names: [(Kind, String)] = [
        (
            .centralBank,
            """
            fed: Fed, Federal Reserve, FOMC, Powell, US-Notenbank, Réserve fédérale, Reserva Federal
            ecb: ECB, EZB, BCE, European Central Bank, Lagarde, Europäische Zentralbank
            ecb: Banque centrale européenne, Banco Central Europeo
            boe: BoE, Bank of England, Banque d'Angleterre, Banco de Inglaterra
            boj: BOJ, Bank of Japan, Japan's central bank
            boc: Bank of Canada, Canada's central bank
            rba: RBA, Reserve Bank of Australia, Australia's central bank
            rbnz: RBNZ, Reserve Bank of New Zealand
            snb: SNB, BNS, Swiss National Bank, Swiss central bank, Schweizerische Nationalbank
            pboc: PBOC, People's Bank of China, China's central bank
            rbi: RBI, Reserve Bank of India, India's central bank
            riksbank: Riksbank
            norges: Norges Bank
            bank of kr: Bank of Korea
            bank of mx: Banxico, Bank of Mexico
            """
        ),
        (
            .index,
            """
            us-stocks: Dow, S&P 500, Nasdaq, Wall Street, US stocks, U.S. stocks, US shares, U.S. shares, Russell 2000
            uk-stocks: FTSE, FTSE 100, UK shares, UK stocks, British shares, London stocks
            de-stocks: DAX, German shares, German stocks
            fr-stocks: CAC, CAC 40, French shares, French stocks, Bourse de Paris, Pariser Börse
            es-stocks: Ibex, Ibex 35, Spanish shares, Spanish stocks, Bolsa española, Bolsa de Madrid
            eu-stocks: STOXX, STOXX 600, EuroStoxx, Euro Stoxx, European shares, European stocks, Bolsas europeas, Bourses européennes
            jp-stocks: Nikkei, Topix, Japanese shares, Japanese stocks, Japan shares, Tokyo stocks
            hk-stocks: Hang Seng, Hong Kong stocks, Hong Kong shares
            cn-stocks: CSI 300, Shanghai Composite, Chinese stocks, Chinese shares, China stocks, China shares
            in-stocks: Sensex, Nifty, Indian shares, Indian stocks
            kr-stocks: Kospi
            au-stocks: ASX 200
            """
        ),
        (
            .currency,
            """
            usd: dollar, greenback, U.S. dollar, US dollar
            eur: euro
            gbp: pound, sterling
            jpy: yen
            cny: yuan, renminbi
            chf: Swiss franc
            cad: Canadian dollar, loonie
            aud: Australian dollar, Aussie dollar
            inr: rupee
            try: lira
            brl: Brazilian real
            """
        ),
        (
            .commodity,
            """
            oil: oil, crude, Brent, WTI, Ölpreis, Ölpreise, Rohöl, petróleo, crudo, pétrole
            gas: natural gas
            gold: gold, bullion, Goldpreis, oro
            silver: silver
            copper: copper
            wheat: wheat
            coffee: coffee
            cocoa: cocoa
            """
        ),
        (
            .country,
            """
            us: US, U.S., USA, American, EE UU, EE.UU, EEUU, Estados Unidos, Etats Unis, Vereinigte Staaten
            uk: UK, U.K., Britain, British, Großbritannien, Royaume Uni, Reino Unido
            de: Germany, German, Deutschland, Deutschlands, Allemagne, Alemania
            fr: France, French, Frankreich, Frankreichs, Francia
            it: Italy, Italian, Italien, Italie, Italia
            es: Spain, Spanish, Spanien, Espagne, España
            eurozone: euro zone, eurozone, Euroraum, Euro Raum, zone euro, zona euro, eurozona
            jp: Japan, Japanese, Japon, Japón
            cn: China, Chinese, Chine, Chinas
            ca: Canada, Canadian
            au: Australia, Australian
            in: India, Indian, Indien, Inde
            kr: South Korea, South Korean
            br: Brazil, Brazilian, Brasilien, Brésil, Brasil
            mx: Mexico, Mexican, Mexiko, Mexique, México
            tr: Turkey, Turkish, Türkei, Turquie, Turquía
            ru: Russia, Russian, Russland, Russie, Rusia
            ch: Switzerland, Schweiz, Suisse, Suiza
            se: Sweden, Swedish
            no: Norway, Norwegian
            nz: New Zealand
            za: South Africa, South African
            pl: Poland, Polish
            id: Indonesia, Indonesian
            """
        ),
    ]
}

/// Houses that rate other companies' shares.
enum Brokers {
    /// Whether the words name one, beginning at a place; the number of its words.
    static func length(at place: Int, in words: [Word]) -> Int? {
        (names[words[place].plain] ?? []).filter { phrase in
            place + phrase.count <= words.count && zip(phrase, words[place...]).allSatisfy { $0 == $1.plain }
                && words[place].written.contains(where: \.isUppercase)
        }.map(\.count).max()
    }

    /// One name for the house: `Citi` and `Citigroup` are the same.
    static func canonical(_ name: String) -> String {
        [
            "citi": "citigroup", "goldman": "goldman sachs", "bofa": "bank of america", "jp morgan": "jpmorgan",
            "cowen": "td cowen", "evercore isi": "evercore", "rbc capital": "rbc", "bmo capital": "bmo",
            "wolfe research": "wolfe",
        ][name] ?? name
    }

    private static let names: [String: [[String]]] = {
        var names: [String: [[String]]] = [:]
        for name in list.split(whereSeparator: { $0 == "," || $0.isNewline }) {
            let phrase = Words.of(String(name)).map(\.folded)
            if let first = phrase.first { names[first, default: []].append(phrase) }
        }
        return names
    }()

    private static let list = """
        Goldman Sachs, Goldman, Morgan Stanley, JPMorgan, JP Morgan, J.P. Morgan, Citi, Citigroup, Bank of America, BofA
        Wells Fargo, Barclays, UBS, Deutsche Bank, HSBC, BNP Paribas, Jefferies, Piper Sandler, Bernstein, Needham
        Wedbush, Oppenheimer, Evercore, Evercore ISI, Stifel, Cowen, TD Cowen, KeyBanc, Raymond James, RBC, RBC Capital
        BMO, BMO Capital, Mizuho, Nomura, Loop Capital, Rosenblatt, Susquehanna, Truist, Baird, Canaccord, Cantor
        Guggenheim, William Blair, DA Davidson, D.A. Davidson, Roth, BTIG, Wolfe Research, Wolfe, Morningstar, Argus
        Benchmark, Craig-Hallum, Northland, JMP, Scotiabank, Berenberg, Societe Generale, Macquarie, Daiwa, CFRA
        Redburn, MoffettNathanson, Monness, Wolfe, HC Wainwright, H.C. Wainwright, Leerink, Maxim, Seaport, Exane
        """
}
