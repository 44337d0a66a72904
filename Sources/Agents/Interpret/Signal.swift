internal import News
internal import JSON

/// Whether a text is worth the attention of somebody who invests, as the news documents print it.
///
/// The model judges; the verdict and what goes with it are computed, and what it may suggest is a closed list.
struct Signal: Sendable {
    /// From this importance on, what concerns investors is worth knowing.
    static let threshold = Int64(SignalScore.threshold)

    /// Whether it is worth the reader's attention: `aware`, else `ignore`.
    let isWorthKnowing: Bool
    private let answer: JSON

    init(_ answer: JSON) {
        self.answer = answer
        isWorthKnowing = answer["is_financial"] == true && (answer["importance_score"]?.integer ?? 0) >= Self.threshold
    }

    var json: JSONObject {
        let type = isWorthKnowing ? answer["opportunity_type"]?.string ?? "none" : "none"
        let chosen = answer["action"]?.string.flatMap(SignalAction.init(rawValue:)) ?? .understand
        // What is worth knowing asks for a little, what is not for nothing.
        let action = isWorthKnowing ? (chosen == .nothing ? .understand : chosen) : .nothing
        let importance = answer["importance_score"]?.integer ?? 0
        return [
            "verdict": isWorthKnowing ? "aware" : "ignore",
            "why": answer["why"] ?? [],
            "action": JSON(action.rawValue),
            "horizon": isWorthKnowing ? JSON(answer["horizon"]?.string) : .null,
            "opportunity_type": JSON(type),
            "opportunity_note": JSON(type == "none" ? "" : answer["opportunity_note"]?.string ?? ""),
            "confidence": JSON(answer["confidence"]?.integer ?? 0),
            // What does not concern investors is of no importance here, however much it is elsewhere.
            "importance_score": JSON(answer["is_financial"] == true ? importance : min(importance, Self.threshold - 1)),
        ]
    }
}
