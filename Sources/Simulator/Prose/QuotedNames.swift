internal import Basics

/// The names and years of a quoted sentence, which are the same in every language.
struct QuotedNames {
    private let names: [String]

    init(_ sentence: String) {
        var names: [String] = []
        var run: [Substring] = []
        let words = sentence.split { $0.isWhitespace }
        for (place, word) in words.enumerated() {
            let bare = word.drop { !$0.isLetter && !$0.isNumber }
            let name = bare.prefix { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "&" }
            // A word behind a quotation mark begins a sentence, and days and months have other names elsewhere.
            let isInside = word.first.map { $0.isLetter || $0.isNumber } ?? false
            let isName =
                place > 0 && isInside && name.first?.isUppercase == true && name.utf8.count > 1
                && !Self.ofTimes.contains(String(name))
            if isName { run.append(name) }
            if !run.isEmpty, !isName || name.endIndex != word.endIndex || place == words.count - 1 {
                names.append(run.joined(separator: " "))
                run = []
            }
        }
        self.names = Array(names.uniqued().prefix(3))
    }

    private static let ofTimes: Set<String> = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday", "January", "February", "March",
        "April", "May", "June", "July", "August", "September", "October", "November", "December",
    ]

    /// The names in a row; `nil` when there is none.
    func list(_ phrases: Phrases) -> String? {
        guard let last = names.last else { return nil }
        let rest = names.dropLast().joined(separator: ", ")
        return rest.isEmpty ? last : rest + " " + phrases.text("and") + " " + last
    }

    /// A sentence on them.
    func sentence(_ phrases: Phrases) -> String {
        guard let list = list(phrases) else { return phrases.list("told", in: "questions").first ?? "" }
        return phrases.text("names", in: "questions", ["names": list])
    }
}
