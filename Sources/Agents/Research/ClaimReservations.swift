internal import Basics
internal import Prompts

/// Whether a claim keeps a "not", a "may" or a "could" of its quote, which is in English.
enum ClaimReservations {
    /// What a quote has and a claim must not lose.
    private static let ofQuotes: Set<String> = negations.union(["may", "could", "might", "unless"])
    private static let negations: Set<String> = [
        "not", "no", "never", "cannot", "neither", "nor", "without", "none", "nobody", "nothing", "seldom", "rarely",
        "hardly",
    ]
    /// Words of a claim in English that keep it.
    private static let ofClaims = ofQuotes.union([
        "can", "would", "if", "risk", "risks", "possible", "possibly", "warns", "warn", "fears", "fear", "threat",
        "threats", "threatens", "lacks", "lack", "uncertain", "uncertainty", "depends", "exposed", "potential",
        "potentially", "danger", "dangers", "chance", "likely", "unlikely", "unable", "impossible", "unused",
        "unchanged", "immaterial", "insignificant", "fails", "fail", "failed", "avoids", "avoid", "rather", "instead",
        "little", "few", "less", "perhaps", "vulnerable",
    ])

    /// Whether a claim drops what its quote, or the words before it, say with a reservation.
    static func areLost(
        from quote: String, at place: PassageText.Place?, in text: String, _ language: Language
    ) -> Bool {
        let before = (place?.wordsBefore ?? []) + (place?.clauseBefore ?? []).filter(isNegation)
        let isDenied = before.contains(where: isNegation)
        let said = PassageText.words(quote).union(before)
        guard isDenied || said.contains(where: { ofQuotes.contains($0) || isShort($0) }) else { return false }
        if language == .english {
            // "It can", of what it may not be able to do, keeps nothing.
            let kept = isDenied ? ofClaims.subtracting(["can"]) : ofClaims
            return !PassageText.words(text).contains { kept.contains($0) || isShort($0) }
        }
        return !Reservations.are(in: text, language)
    }

    private static func isNegation(_ word: String) -> Bool { negations.contains(word) || isShort(word) }

    /// "isn't", "won't"
    private static func isShort(_ word: String) -> Bool { word.hasSuffix("n't") }
}
