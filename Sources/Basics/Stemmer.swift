/// Takes the endings off English words: `recalls`, `recalled` and `recalling` have one stem.
///
/// Lighter than Porter's stemmer: it removes inflection and keeps derivation, since `nation` and `national` are
/// different words in a headline.
package enum Stemmer {
    /// The stem of a word in lower case; a word with anything but the letters a to z stays as it is.
    package static func stem(_ word: String) -> String {
        // A name that is no form of a verb: without its ending it would be that of a bank (`BoE`).
        if word == "boeing" { return word }
        if let whole = whole[word] { return whole }
        guard word.utf8.count > 3, word.utf8.allSatisfy({ $0 >= 0x61 && $0 <= 0x7A }) else { return word }
        var letters = Array(word.utf8)
        func ends(_ ending: StaticString) -> Bool {
            letters.count > ending.utf8CodeUnitCount
                && letters.suffix(ending.utf8CodeUnitCount).elementsEqual(
                    UnsafeBufferPointer(start: ending.utf8Start, count: ending.utf8CodeUnitCount))
        }
        func hasVowel(_ part: ArraySlice<UInt8>) -> Bool { part.contains(where: isVowel) }

        if ends("ies") {
            letters.removeLast(letters.count > 4 ? 3 : 1)
            if letters.count > 2, letters.last != UInt8(ascii: "e") { letters.append(UInt8(ascii: "y")) }
        } else if ends("sses") || ends("shes") || ends("ches") || ends("xes") || ends("zes") {
            letters.removeLast(2)
        } else if ends("s"), !ends("ss"), !ends("us"), !ends("is") {
            letters.removeLast()
        }
        let before = letters
        if ends("ing"), letters.count > 5, hasVowel(letters.dropLast(3)) {
            letters.removeLast(3)
        } else if ends("ed"), letters.count > 4, hasVowel(letters.dropLast(2)) {
            letters.removeLast(2)
        }
        if letters.count < before.count, letters.count > 3, let last = letters.last,
            last == letters[letters.count - 2], !isVowel(last), last != UInt8(ascii: "l"), last != UInt8(ascii: "s")
        {
            letters.removeLast()
        }
        // `sale` and `sal`, `rise` and `ris`: a final e goes from both.
        if letters.count > 3, letters.last == UInt8(ascii: "e") { letters.removeLast() }
        return String(decoding: letters, as: UTF8.self)
    }

    /// Words whose stem would be another word: `planes` and `plans`, `care` and `cars`, `note` and `not`.
    private static let whole = [
        "plane": "plane", "planes": "plane", "care": "care", "cares": "care", "fare": "fare", "fares": "fare",
        "note": "note", "notes": "note", "mine": "mine", "mines": "mine", "wine": "wine", "wines": "wine",
        "jones": "jones",
    ]

    private static func isVowel(_ letter: UInt8) -> Bool {
        switch letter {
        case UInt8(ascii: "a"), UInt8(ascii: "e"), UInt8(ascii: "i"), UInt8(ascii: "o"), UInt8(ascii: "u"),
            UInt8(ascii: "y"):
            true
        default: false
        }
    }
}
