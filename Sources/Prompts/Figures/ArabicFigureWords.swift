/// Gives the Arabic words beside a number their English forms.
///
/// Answers are not in Arabic, but articles are. A text whose language is none of the answers' is read as English, with
/// the digits and marks that `NormalizedText` makes of Arabic ones.
enum ArabicFigureWords {
    private static let words: [String: String] = [
        "ألف": "thousand", "الف": "thousand", "آلاف": "thousand", "مليون": "million", "ملايين": "million",
        "مليار": "billion", "مليارات": "billion", "بليون": "billion", "تريليون": "trillion", "بالمئة": "percent",
        "بالمائة": "percent", "دولار": "dollars", "دولارات": "dollars", "يورو": "euros", "عام": "year", "سنة": "years",
        "سنوات": "years", "أيام": "days", "أشهر": "months",
    ]
    private static let hundred: Set<String> = ["المئة", "المائة"]

    static func translate(_ tokens: [FigureToken]) -> [FigureToken] {
        guard tokens.contains(where: { $0.isWord && isArabic($0.text) }) else { return tokens }
        var translated: [FigureToken] = []
        var place = 0
        while place < tokens.count {
            var token = tokens[place]
            let next = place + 1 < tokens.count ? tokens[place + 1].text : ""
            // "In the hundred"
            let isPercent = token.text == "في" && hundred.contains(next)
            if isPercent { token.range = token.range.lowerBound..<tokens[place + 1].range.upperBound }
            if token.isWord, let english = isPercent ? "percent" : words[token.text] {
                (token.text, token.lower) = (english, english)
            }
            translated.append(token)
            place += isPercent ? 2 : 1
        }
        return translated
    }

    private static func isArabic(_ text: String) -> Bool {
        text.unicodeScalars.first.map { (0x600...0x6FF).contains($0.value) } ?? false
    }
}
