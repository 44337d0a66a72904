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
            let isName = place > 0 && name.first?.isUppercase == true && name.count > 1
            if isName { run.append(name) }
            if !run.isEmpty, !isName || name.endIndex != word.endIndex || place == words.count - 1 {
                names.append(run.joined(separator: " "))
                run = []
            }
        }
        self.names = Array(names.uniqued().prefix(3))
    }

    /// A sentence on them.
    func sentence(_ phrases: Phrases) -> String {
        guard let last = names.last else { return phrases.list("told", in: "questions").first ?? "" }
        let rest = names.dropLast().joined(separator: ", ")
        let list = rest.isEmpty ? last : rest + " " + phrases.text("and") + " " + last
        return phrases.text("names", in: "questions", ["names": list])
    }
}
