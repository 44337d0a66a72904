internal import JSON

/// The form of every recall question: `{type, question, answer, options}`.
///
/// An `open` one has an answer and no options. An `mcq` has three to five options that differ, of which exactly one is
/// the answer. Neither gives its answer away.
enum RecallQuestionRule {
    private static let optionCount = 3...5

    /// The problems of a question, in sentences.
    static func problems(with value: JSON) -> [String] {
        let question = value["question"]?.string ?? ""
        let answer = value["answer"]?.string ?? ""
        let options = value["options"]?.array?.compactMap(\.string) ?? []
        var problems: [String] = []
        if !question.contains("?") { problems.append("It has to be a question, with a question mark.") }
        if plain(answer).isEmpty { problems.append("It has to carry its answer.") }
        switch value["type"]?.string {
        case "open":
            if !options.isEmpty { problems.append("An open question has no options.") }
        case "mcq": problems += self.problems(of: options, answer: answer)
        default: problems.append("Its type has to be open or mcq.")
        }
        // Single words are often terms that the question needs.
        if ContentWords(answer).stems.count > 2, plain(question).contains(plain(answer)) {
            problems.append("It gives its answer away.")
        }
        return problems
    }

    private static func problems(of options: [String], answer: String) -> [String] {
        var problems: [String] = []
        if !optionCount.contains(options.count) {
            problems.append(
                "An mcq has \(optionCount.lowerBound) to \(optionCount.upperBound) options, not \(options.count).")
        }
        if Set(options.map(plain)).count < options.count { problems.append("Its options have to differ.") }
        switch options.count(where: { plain($0) == plain(answer) }) {
        case 1: break
        case 0: problems.append("Its answer has to be one of its options, word for word.")
        default: problems.append("Only one of its options may be the answer.")
        }
        let catchAlls = ["all of the", "none of the", "both of the", "all the above"]
        if options.contains(where: { option in catchAlls.contains { plain(option).hasPrefix($0) } }) {
            problems.append("No option may stand for others (\"all of the above\").")
        }
        return problems
    }

    /// Letters and digits in lower case, single spaces between words.
    private static func plain(_ text: String) -> String {
        text.lowercased().split { !($0.isLetter || $0.isNumber || $0 == "%" || $0 == ".") }
            .map { $0.last == "." ? $0.dropLast() : $0 }.joined(separator: " ")
    }
}
