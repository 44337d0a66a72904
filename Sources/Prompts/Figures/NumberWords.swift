/// Numbers written in letters.
enum NumberWords {
    static let small: [String: Double] = [
        "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
        "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
        "seventeen": 17, "eighteen": 18, "nineteen": 19,
    ]

    static let tens: [String: Double] = [
        "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
    ]

    static let scales: [String: Double] = [
        "hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12,
    ]

    /// Short scales, which stand right behind the digits. A single letter may follow a space only in an amount of money.
    static let shortScales: [String: Double] = [
        "k": 1e3, "m": 1e6, "mm": 1e6, "mn": 1e6, "mln": 1e6, "mio": 1e6, "b": 1e9, "bn": 1e9, "bln": 1e9, "mrd": 1e9,
        "t": 1e12, "tn": 1e12, "trn": 1e12,
    ]

    static let denominators: [String: Double] = [
        "half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fourth": 4, "fourths": 4,
        "fifth": 5,
        "fifths": 5, "sixth": 6, "sixths": 6, "seventh": 7, "sevenths": 7, "eighth": 8, "eighths": 8, "ninth": 9,
        "ninths": 9, "tenth": 10, "tenths": 10, "twentieth": 20, "hundredth": 100,
    ]

    /// Verbs and adjectives that state a multiple.
    static let multiples: [String: Double] = [
        "doubled": 2, "doubling": 2, "doubles": 2, "double": 2, "tripled": 3, "tripling": 3, "triples": 3, "triple": 3,
        "trebled": 3, "quadrupled": 4, "quadrupling": 4, "quadruple": 4, "quintupled": 5, "halved": 0.5, "halving": 0.5,
        "halves": 0.5, "twice": 2, "thrice": 3,
    ]

    /// `fivefold`, `tenfold`.
    static func fold(_ word: String) -> Double? {
        guard word.hasSuffix("fold") else { return nil }
        let number = String(word.dropLast(4))
        return small[number].flatMap { $0 > 1 ? $0 : nil } ?? tens[number]
    }
}
