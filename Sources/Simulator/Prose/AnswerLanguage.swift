internal import Basics

/// The language of an answer, and that of a material.
enum AnswerLanguage {
    /// The language that a prompt asks for; `nil` where it asks for none.
    static func asked(in texts: [String]) -> Language? {
        texts.lazy.compactMap { text -> Language? in
            guard let range = text.firstRange(of: "Write the answer in ") else { return nil }
            return Language(englishName: String(text[range.upperBound...].prefix { $0.isLetter }))
        }.first
    }

    /// The language of a text by its commonest words; English where a text in Latin letters shows no other, `nil` for
    /// languages in which the simulator writes nothing.
    static func of(_ text: String) -> Language? {
        let words = text.prefix(4000).lowercased().split { !$0.isLetter }.map(String.init)
        let letters = words.reduce(0) { $0 + $1.count }
        let latin = words.reduce(0) { $0 + $1.unicodeScalars.count { $0.value < 0x250 } }
        guard 2 * latin >= letters else { return nil }
        let counts = commonest.map { tag, list in (tag, words.count { list.contains($0) }) }
        guard let best = counts.max(by: { ($0.1, $1.0) < ($1.1, $0.0) }), best.1 > 0 else { return .english }
        let english = counts.first { $0.0 == "en" }?.1 ?? 0
        return best.1 > english ? Language(rawValue: best.0) : .english
    }

    /// Function words that none of the other languages has.
    private static let commonest: [String: Set<String>] = [
        "en": "the of and to is that for with are was by this from it be not has as at their which will when",
        "de":
            "der die das und den von ist mit f\u{FC}r auf dem nicht ein eine einer zu sich auch wird sind wenn bei hat werden",
        "es": "el los las del y una para con por se su como m\u{E1}s pero al cuando lo sus tiene est\u{E1} son",
        "fr": "le les des et du une dans est pour qui par sur au aux avec ce il pas ne sont lorsque leur cette",
        "pt": "do da em um os uma dos das ao pelo pela n\u{E3}o foi mais s\u{E3}o com",
        "it": "il di che della del per gli nel sono delle una dei alla con anche",
        "nl": "het een van op te zijn voor met er aan niet wordt bij naar",
    ].mapValues { Set($0.split(separator: " ").map(String.init)) }
}
