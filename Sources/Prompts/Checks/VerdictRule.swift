internal import Basics

/// The verdict that a text states is the one that was computed: `fits`, `mixed`, `does_not_fit`, `walks_away` or
/// `abstains`.
///
/// Only plain statements in English are read, and none on a condition: "It would fit if the margin rose".
enum VerdictRule {
    /// The problem of a text; `nil` when it states no other verdict.
    static func problem(in text: String, verdict: String) -> String? {
        for sentence in WordedText(text).sentences where conditions.isDisjoint(with: sentence.words) {
            for place in sentence.words.indices {
                guard let stated = stated(at: place, in: sentence.words), stated != verdict else { continue }
                return "The verdict is \(verdict.split(separator: "_").joined(separator: " ")), and not as in "
                    + "\"\(sentence.text.prefix(scalars: 160))\". Say what was computed."
            }
        }
        return nil
    }

    private static func stated(at place: Int, in words: [String]) -> String? {
        func word(_ offset: Int) -> String {
            words.indices.contains(place + offset) ? words[place + offset] : ""
        }
        let isDenied = denials.contains(word(-1)) || denials.contains(word(-2))
        switch words[place] {
        case "fit" where denials.contains(word(-1)) && ["does", "do"].contains(word(-2)) || word(-1) == "doesn't":
            return partly.contains(word(1)) ? nil : "does_not_fit"
        case "fits":
            let isOfOther = openers.contains(word(-1)) || ["in", "into", "inside", "onto"].contains(word(1))
            return isDenied || isOfOther || partly.contains(word(1)) || partly.contains(word(2)) ? nil : "fits"
        case "walks" where word(1) == "away": return isDenied ? nil : "walks_away"
        case "abstains": return isDenied ? nil : "abstains"
        case "mixed" where words.contains("verdict") && ["is", "was"].contains(word(-1)): return "mixed"
        default: return nil
        }
    }

    private static let denials: Set<String> = ["not", "never", "hardly", "neither", "no", "doesn't"]
    /// Something else that fits: "what fits", "that fits".
    private static let openers: Set<String> = [
        "what", "that", "which", "who", "how", "nothing", "everything", "one", "part",
    ]
    private static let partly: Set<String> = ["partly", "only", "some", "part", "half", "every", "all", "everything"]
    private static let conditions: Set<String> = [
        "if", "would", "could", "might", "may", "whether", "unless", "until", "should", "when", "once",
    ]
}
