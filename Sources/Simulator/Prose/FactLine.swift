internal import Basics

/// A fact as a prompt states it: `[id] label: value unit (period, form)`.
struct FactLine: Hashable, Sendable {
    var id: String
    var label: String
    /// With its unit, exactly as it stands in the prompt.
    var value: String
    /// The first of the remarks in parentheses if it is a time; empty otherwise.
    var period: String

    /// Reads one line of a prompt; `nil` when it states no fact or a fact without a figure.
    init?(_ line: Substring) {
        var rest = line.drop { $0 == " " || $0 == "\t" || $0 == "-" || $0 == "*" || $0 == "•" }
        guard rest.first == "[", let close = rest.firstIndex(of: "]") else { return nil }
        id = String(rest[rest.index(after: rest.startIndex)..<close])
        guard !id.isEmpty, id.utf8.count <= 80, !id.contains(" ") else { return nil }
        rest = rest[rest.index(after: close)...].drop { $0 == " " }
        // The last one: a label may be a question with a colon before it.
        guard let colon = rest.ranges(of: ": ").last else { return nil }
        label = String(rest[..<colon.lowerBound])
        var figure = rest[colon.upperBound...].trimmed
        period = ""
        if figure.last == ")", let open = figure.lastIndex(of: "(") {
            let remarks = figure[figure.index(after: open)...].dropLast()
            let first = String(remarks.prefix { $0 != "," && $0 != ";" }.trimmed)
            period = Self.isPeriod(first) ? first : ""
            figure = figure[..<open].trimmed
        }
        if figure.count > Self.longestValue {
            figure = figure.prefix { $0 != ";" && $0 != "|" }.trimmed
        }
        guard !label.isEmpty, figure.count <= Self.longestValue, figure.contains(where: \.isNumber) else { return nil }
        value = String(figure)
    }

    /// `FY2025`, `Q3 2025`, `2025-09-27`, `TTM`; not `10-K` or `computed`.
    private static func isPeriod(_ text: String) -> Bool {
        let isForm = text.count <= 6 && text.contains("-") && text.last?.isLetter == true
        return text.hasPrefix("TTM") || (text.contains(where: \.isNumber) && !isForm)
    }

    /// Longer ones are rows of figures, of which a sentence quotes the first.
    private static let longestValue = 60

    /// Every fact of a text, the first of each id.
    static func all(in text: String) -> [FactLine] {
        var known: Set<String> = []
        return text.split(whereSeparator: \.isNewline).compactMap(FactLine.init).filter { known.insert($0.id).inserted }
    }
}
