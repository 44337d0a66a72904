internal import Basics

/// Finds what sends a reader somewhere in words: an address that is spelt out, a number to call or to text, an order to
/// join. A hostile article asks for it; no answer needs it.
enum ContactRule {
    /// What is wrong with a text, as the end of a sentence about it; `nil` when it sends nobody anywhere.
    static func fault(in text: ParsedText) -> String? {
        let words = text.words
        var digits = 0
        for place in words.indices {
            guard let sign = signs[words[place].folded] else {
                digits = 0
                continue
            }
            digits = sign == .digit ? digits + 1 : 0
            let isFound =
                switch sign {
                case .digit: digits >= fewestDigits
                case .dot(let ends): isAddress(at: place, ends, in: words)
                case .order(let objects, let isAnywhere):
                    isOrder(at: place, objects, isAnywhere, in: words) || isNumbered(place, in: words)
                case .call: isNumbered(place, in: words)
                }
            if isFound { return "sends the reader to an address, a number or a group; leave that out" }
        }
        return nil
    }

    private enum Sign: Equatable {
        /// A word for a dot, with the ends of names of sites that may follow it.
        case dot(ends: Set<String>)
        /// A word for a digit.
        case digit
        /// A verb that orders, with the words that may follow it. Some forms are orders in any place.
        case order(objects: Set<String>, isAnywhere: Bool)
        /// A word for calling or writing.
        case call
    }

    private static let fewestDigits = 5
    private static let reach = 5

    /// "evil dot example", but not "the dot com bubble".
    private static func isAddress(at place: Int, _ ends: Set<String>, in words: [CalmWords.Word]) -> Bool {
        guard place > 0, place + 1 < words.count, ends.contains(words[place + 1].folded),
            !words[place - 1].endsSentence, !articles.contains(words[place - 1].folded)
        else { return false }
        return place + 2 == words.count || words[place + 1].endsSentence || words[place + 1].folded != "com"
            || slashes.contains(words[place + 2].folded)
    }

    private static func isOrder(
        at place: Int, _ objects: Set<String>, _ isAnywhere: Bool, in words: [CalmWords.Word]
    ) -> Bool {
        let word = words[place]
        guard isAnywhere || word.startsSentence, place + 1 < words.count, !word.endsSentence else { return false }
        // "Call Me by Your Name" is a title.
        if !isAnywhere, words[place + 1].isCapitalised, words[place + 1].folded != "sie" { return false }
        if isAnywhere, place > 0, subjects.contains(words[place - 1].folded) { return false }
        return objects.isEmpty || objects.contains(words[place + 1].folded)
    }

    /// "Text JOIN to 70077": a number of three digits or more that ends its clause behind a word for calling, and is no
    /// year.
    private static func isNumbered(_ place: Int, in words: [CalmWords.Word]) -> Bool {
        for next in words.indices[(place + 1)...].prefix(reach) where !words[next - 1].endsSentence {
            let text = words[next].text
            guard text.utf8.count >= 3, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { continue }
            let isYear = text.utf8.count == 4 && (text.hasPrefix("19") || text.hasPrefix("20"))
            let isEnd = next + 1 == words.count || words[next].endsSentence
            return isEnd && !isYear && prepositions.contains(words[next - 1].folded)
        }
        return false
    }

    private static let slashes: Set<String> = ["slash", "schragstrich", "barra"]
    private static let articles: Set<String> = [
        "the", "a", "an", "of", "ein", "der", "den", "el", "un", "le", "ce", "this", "that", "each", "every",
    ]
    private static let subjects: Set<String> = ["vous", "ihr", "ustedes", "que", "qui"]
    /// Words between a word for calling and the number.
    private static let prepositions: Set<String> = [
        "to", "at", "on", "under", "number", "call", "dial", "ring", "phone", "an", "unter", "nummer", "auf", "al", "a",
        "el", "numero", "au", "le", "sur", "llame", "llama", "marque", "appelez", "composez",
    ]

    private static let signs: [String: Sign] = {
        var signs: [String: Sign] = [:]
        let ends = Set("com net org io app dev xyz info biz shop online site club link page example test tv".listed)
        for word in ["dot", "punkt", "punto", "point"] { signs[word] = .dot(ends: ends) }
        for word in """
        zero oh double one two three four five six seven eight nine hundred null eins zwei drei vier funf sechs sieben
        acht neun cero uno dos tres cuatro cinco seis siete ocho nueve deux trois quatre cinq sept huit neuf
        """.listed { signs[word] = .digit }
        for word in """
        text phone dial ring sms whatsapp telegram hotline telefon telefonnummer rufnummer anrufen simsen telefono
        llamar telephone telephoner appeler
        """.listed { signs[word] = .call }
        let near = Set("us now our this the him them today here on up at to for me it".listed)
        for word in "call dial scan join visit subscribe click whatsapp download".listed {
            signs[word] = .order(objects: near.subtracting(["for", "at", "to"]), isAnywhere: false)
        }
        for word in "write text message reply".listed {
            signs[word] = .order(objects: ["to", "us", "me", "now"], isAnywhere: false)
        }
        for word in ["copy", "enter", "paste", "redeem"] {
            signs[word] = .order(objects: ["the", "this", "code"], isAnywhere: false)
        }
        signs["sign"] = .order(objects: ["up"], isAnywhere: false)
        signs["register"] = .order(objects: ["now", "today", "here", "at", "on"], isAnywhere: false)
        for word in "rufen schreiben scannen besuchen melden folgen klicken senden schicken registrieren treten".listed
        {
            signs[word] = .order(objects: ["sie"], isAnywhere: false)
        }
        for word in "ruf schreib scanne besuche folge klick melde sende schick tritt".listed {
            let objects = Set("jetzt uns an dich den die das der hier auf bei mir".listed)
            signs[word] = .order(objects: objects, isAnywhere: false)
        }
        for word in """
        unete unase unanse llame llamen escriba escanea escanee envie registrate registrese suscribete suscribase
        appelez ecrivez scannez rejoignez visitez contactez cliquez inscrivez envoyez telechargez composez
        """.listed { signs[word] = .order(objects: [], isAnywhere: true) }
        return signs
    }()
}
