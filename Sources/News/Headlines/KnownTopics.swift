internal import Basics

/// The subjects of market news that are no companies: central banks and other institutions, indices, currencies,
/// commodities and countries.
///
/// Articles about two of them are not one story for the words alone that fit each.
enum KnownTopics {
    enum Kind: Hashable { case centralBank, institution, index, currency, commodity, country }

    struct Topic: Hashable {
        var kind: Kind
        /// The same for all names of it: `boe` for `Bank of England` and `BoE`.
        var key: String

        var isMarket: Bool { [.index, .currency, .commodity].contains(kind) }

        /// Whether it does something by itself.
        var isActor: Bool { kind == .centralBank || kind == .institution }
    }

    /// The topics that a text names.
    struct Found {
        /// With the place of the first name of each.
        var topics: [Topic: Int] = [:]
        /// All places of names.
        var places: Set<Int> = []
        /// The names of central banks and institutions: `Bank of England` and `BoE` are one actor.
        var actors: [(name: Range<Int>, topic: Topic)] = []

        fileprivate mutating func insert(_ topic: Topic, at name: Range<Int>, isPerson: Bool = false) {
            topics[topic] = min(topics[topic] ?? name.lowerBound, name.lowerBound)
            places.formUnion(name)
            guard topic.isActor, !isPerson else { return }
            // Of names of which one is within the other, the longer counts.
            if actors.contains(where: { $0.name.clamped(to: name) == name }) { return }
            actors.removeAll { $0.name.overlaps(name) }
            actors.append((name, topic))
        }
    }

    /// The topics of a text, by its words as written.
    static func topics(in words: [Word]) -> Found {
        var found = Found()
        for place in words.indices {
            for (phrase, topic) in table[words[place].plain] ?? [] {
                guard place + phrase.count <= words.count,
                    zip(phrase, words[place...]).allSatisfy({ $0 == $1.plain }),
                    isWrittenAsName(words[place..<place + phrase.count], topic)
                else { continue }
                // `us` is a pronoun.
                if topic.key == "us", words[place].written == "us" || words[place].written == "Us" { continue }
                // `Latin America`, `Bank of America`, `Captain America`: a part of another name.
                if phrase == ["america"], place > 0,
                    words[place - 1].startsWithCapital || words[place - 1].plain == "of"
                {
                    continue
                }
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
                if topic.kind == .country, let bank = centralBank(in: words, around: place..<place + phrase.count) {
                    let topic = Topic(
                        kind: .centralBank,
                        key: homes.first { $0.value == topic.key }?.key ?? unlisted + topic.key)
                    found.insert(topic, at: bank)
                    continue
                }
                found.insert(topic, at: place..<place + phrase.count, isPerson: governors.contains(phrase))
            }
        }
        return found
    }

    /// Persons that stand for their bank and are words of their own.
    private static let governors: Set<[String]> = [["powell"], ["lagarde"]]

    /// Whether the words have the capitals of a name.
    private static func isWrittenAsName(_ words: ArraySlice<Word>, _ topic: Topic) -> Bool {
        guard let first = words.first, !lowercased.contains(topic.kind) else { return true }
        guard first.written.contains(where: \.isUppercase) else { return false }
        // `SEC` and `WHO`, but not `Sec` and `Who`.
        if topic.kind == .institution, words.count == 1, first.written.count < 5 {
            return first.written.allSatisfy { !$0.isLowercase }
        }
        // `Old Lady stays put`, but not `Old lady robbed`.
        return topic.key != "boe" || words.allSatisfy { $0.startsWithCapital || $0.plain.count < 4 }
    }

    /// The words of a central bank that a country's name is a part of: `Norway's central bank`, `Banco de México`,
    /// `Banque du Canada`, `Japans Notenbank`.
    private static func centralBank(in words: [Word], around country: Range<Int>) -> Range<Int>? {
        func plain(_ place: Int) -> String { words.indices.contains(place) ? words[place].plain : "" }
        let (start, end) = (country.lowerBound, country.upperBound)
        if plain(end) == "central", plain(end + 1) == "bank" { return start..<end + 2 }
        if ["notenbank", "zentralbank", "nationalbank"].contains(plain(end)) { return start..<end + 1 }
        // `de la`, `de los`
        let article = ["la", "los", "las"].contains(plain(start - 1)) ? 1 : 0
        guard ["of", "de", "du", "del", "d", "von"].contains(plain(start - 1 - article)) else { return nil }
        let last = start - 2 - article
        if ["central", "centrale", "reserve"].contains(plain(last)), banks.contains(plain(last - 1)) {
            return last - 1..<end
        }
        // `Bank of China`, `Bank of India`, `Bank of Ireland` are companies.
        let isCompany = plain(last) == "bank" && ["china", "india", "ireland", "cyprus"].contains(plain(start))
        return banks.contains(plain(last)) && !isCompany ? last..<end : nil
    }

    private static let banks: Set<String> = ["bank", "banco", "banque", "banca"]

    private static let expected: Set<String> = [
        "expectations", "estimates", "forecasts", "views", "consensus", "analysts", "targets", "predictions",
    ]

    /// The country of a central bank.
    static func home(of bank: String) -> String? {
        homes[bank] ?? (bank.hasPrefix(unlisted) ? String(bank.dropFirst(unlisted.count)) : nil)
    }

    /// The beginning of the keys of banks that have no name of their own here; their country follows.
    private static let unlisted = "bank of "

    private static let homes = [
        "fed": "us", "ecb": "eurozone", "boe": "uk", "boj": "jp", "boc": "ca", "rba": "au", "snb": "ch", "pboc": "cn",
        "rbi": "in", "riksbank": "se", "norges": "no", "rbnz": "nz",
    ]

    private static let lowercased: Set<Kind> = [.currency, .commodity, .index]

    /// The terms of countries, as headlines have them.
    static let countryTerms: Set<String> = Set(
        table.values.joined().filter { $0.topic.kind == .country && $0.phrase.count == 1 }.map {
            Synonyms.of(Stemmer.stem($0.phrase[0]))
        })

    /// By the first word.
    private static let table: [String: [(phrase: [String], topic: Topic)]] = {
        var table: [String: [(phrase: [String], topic: Topic)]] = [:]
        for (kind, lines) in names + [(.institution, institutions)] {
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
