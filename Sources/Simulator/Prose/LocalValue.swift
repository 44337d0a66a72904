internal import Basics

/// A value of the prompt with the marks and units of a language: `70.4%` is `70,4 %` in German.
struct LocalValue {
    let text: String

    init(_ value: String, _ phrases: Phrases) {
        guard phrases.language != .english else {
            text = value
            return
        }
        let grouping = phrases.text("grouping")
        let parts = value.split(separator: " ").map { part in
            guard part.contains(where: \.isNumber) else {
                let unit = phrases.text(String(part), in: "units")
                return unit.isEmpty ? String(part) : unit
            }
            let local = part.map { mark -> String in
                switch mark {
                case ",": grouping
                case ".": ","
                case "%": "\u{A0}%"
                default: String(mark)
                }
            }
            return local.joined()
        }
        text = parts.joined(separator: " ")
    }
}
