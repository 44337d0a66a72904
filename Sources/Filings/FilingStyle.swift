/// What the attributes of an element say about whether and how its text is shown; inherited by what is inside.
struct FilingStyle: Sendable {
    var isHidden = false
    var isBold = false
    /// The size of letters in points.
    var size = 10.0
    var colour = 0x000000
    /// The colours of the ground: several where it changes from one to the other.
    var background = [0xFFFFFF]
    /// Whether the element itself asks for a new page before or after it.
    var breaksBefore = false
    var breaksAfter = false

    /// Whether a browser shows text in this style.
    var showsText: Bool { !isHidden && background.contains { !FilingColour.isAlike($0, colour) } }

    /// Applies declarations, `name: value` pairs separated by semicolons.
    mutating func apply(_ declarations: some StringProtocol) {
        var position = ""
        var isClipped = false
        var isFlat = false
        let plain = Self.withoutEscapes(Self.withoutComments(declarations.lowercased()))
        for declaration in plain.split(separator: ";") {
            guard let colon = declaration.firstIndex(of: ":") else { continue }
            let name = declaration[..<colon].filter { !$0.isWhitespace }
            let value = Self.value(declaration[declaration.index(after: colon)...])
            switch name {
            // What a variable holds is not known here.
            case "display": if value == "none" || value.hasPrefix("var(") { isHidden = true }
            case "visibility": if value == "hidden" || value == "collapse" { isHidden = true }
            case "opacity": if let number = Self.number(value), number < 0.1 { isHidden = true }
            case "font-size":
                guard let points = Self.points(value) else { continue }
                if points < 3 { isHidden = true }
                size = points
            case "font": if value.split(separator: " ").contains(where: Self.isTiny) { isHidden = true }
            case "font-weight": isBold = value == "bold" || value == "bolder" || (Self.number(value) ?? 0) >= 600
            case "color":
                if let colour = FilingColour.value(value) { self.colour = colour }
                if FilingColour.isTransparent(value) { isHidden = true }
            case "-webkit-text-fill-color":
                if FilingColour.isTransparent(value) { isHidden = true }
                if let colour = FilingColour.value(value) { self.colour = colour }
            case "content-visibility": if value == "hidden" { isHidden = true }
            case "zoom": if let number = Self.number(value), number < 0.1 { isHidden = true }
            case "filter": if let share = Self.argument(of: "opacity", value), share < 0.1 { isHidden = true }
            case "background-color", "background":
                if let stated = FilingColour.ground(value) { background = stated }
            case "text-indent", "left", "top", "margin-left", "margin-top", "right", "bottom", "margin", "inset":
                if value.split(separator: " ").contains(where: Self.isFarAway) { isHidden = true }
            case "padding", "padding-left", "padding-top":
                if value.split(separator: " ").contains(where: Self.isFarOff) { isHidden = true }
            case "letter-spacing": if let points = Self.points(value), points <= -5 { isHidden = true }
            case "height", "max-height", "width", "max-width":
                if let points = Self.points(value), points < 2 { isFlat = true }
            case "overflow", "overflow-x", "overflow-y": if value == "hidden" || value == "clip" { isClipped = true }
            case "position": position = value
            case "clip", "clip-path":
                if position == "absolute" || value.hasPrefix("inset(50%") || value.hasPrefix("inset(100%")
                    || value.hasPrefix("rect(0") || value.hasPrefix("rect(1px") || value.hasPrefix("circle(0")
                    || value.hasPrefix("polygon(") && !value.contains(where: { ("1"..."9").contains($0) })
                {
                    isHidden = true
                }
            case "transform", "translate", "scale": if Self.hides(transform: value) { isHidden = true }
            case "page-break-before", "break-before": if value == "always" || value == "page" { breaksBefore = true }
            case "page-break-after", "break-after": if value == "always" || value == "page" { breaksAfter = true }
            default: break
            }
        }
        if isFlat, isClipped { isHidden = true }
    }

    private static func value(_ text: Substring) -> String {
        var value = text.drop { $0.isWhitespace }
        while let last = value.last, last.isWhitespace { value.removeLast() }
        if value.hasSuffix("important"), let mark = value.lastIndex(of: "!") { value = value[..<mark] }
        while let last = value.last, last.isWhitespace { value.removeLast() }
        return String(value)
    }

    private static func number(_ text: some StringProtocol) -> Double? {
        if text.hasSuffix("%") { return Double(text.dropLast()).map { $0 / 100 } }
        return Double(text)
    }

    /// Style sheets and declarations without `/* */`.
    static func withoutComments(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "*")) else { return text }
        var (kept, rest) = ("", Substring(text))
        while let begin = rest.firstRange(of: "/*") {
            kept += rest[..<begin.lowerBound]
            guard let end = rest[begin.upperBound...].firstRange(of: "*/") else { return kept }
            rest = rest[end.upperBound...]
        }
        return kept + rest
    }

    /// Whether a distance takes an element out of sight.
    private static func isFarAway(_ word: Substring) -> Bool {
        if word.hasSuffix("%") { return Double(word.dropLast()).map { $0 <= -90 } ?? false }
        return points(String(word)).map { $0 < -500 || $0 > 3000 } ?? false
    }

    /// Whether a distance to the right or below is wider than any page.
    private static func isFarOff(_ word: Substring) -> Bool { points(String(word)).map { $0 > 3000 } ?? false }

    /// Declarations in which letters are written by their numbers: `d\69splay`.
    private static func withoutEscapes(_ text: String) -> String {
        guard text.contains("\\") else { return text }
        var (plain, rest) = ("", Substring(text))
        while let mark = rest.firstIndex(of: "\\") {
            plain += rest[..<mark]
            rest = rest[rest.index(after: mark)...]
            let digits = rest.prefix(6).prefix { $0.isHexDigit }
            if let number = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(number) {
                plain.unicodeScalars.append(scalar)
                rest = rest.dropFirst(digits.count)
                if rest.first == " " { rest = rest.dropFirst() }
            }
        }
        return plain + rest
    }

    /// The first number in the brackets of a function.
    private static func argument(of function: String, _ value: String) -> Double? {
        guard let name = value.firstRange(of: function + "(") else { return nil }
        return number(value[name.upperBound...].prefix { !"),".contains($0) && !$0.isWhitespace })
    }

    private static func hides(transform value: String) -> Bool {
        if ["scale", "scalex", "scaley"].contains(where: { argument(of: $0, value).map { abs($0) < 0.1 } ?? false }) {
            return true
        }
        guard value.contains("translate") else { return number(value).map { abs($0) < 0.1 } ?? false }
        return value.split { "(), ".contains($0) }.contains(where: isFarAway)
    }

    private static func isTiny(_ word: Substring) -> Bool {
        guard let size = word.split(separator: "/").first else { return false }
        if size.last?.isNumber == true { return word.contains("/") && Double(size) == 0 }
        return points(String(size)).map { $0 < 3 } ?? false
    }

    /// A length in points; `nil` for what is no length or relative to something unknown.
    static func points(_ value: String) -> Double? {
        if value.hasPrefix("calc("), value.hasSuffix(")") { return points(String(value.dropFirst(5).dropLast())) }
        let units: [(String, Double)] = [
            ("rem", 10), ("pt", 1), ("px", 0.75), ("em", 10), ("in", 72), ("cm", 28.3), ("mm", 2.83), ("vw", 6),
            ("vh", 6), ("%", 0.1),
        ]
        for (unit, factor) in units where value.hasSuffix(unit) {
            return Double(value.dropLast(unit.count)).map { $0 * factor }
        }
        return Double(value).map { $0 == 0 ? 0 : $0 * 0.75 }
    }
}
