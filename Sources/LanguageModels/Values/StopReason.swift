/// Why a model stopped of its own accord. Refusals and truncations are errors (`ModelError`).
package enum StopReason: Hashable, Sendable {
    case endOfTurn
    case stopSequence
    /// The model waits for the results of `ModelResponse.toolCalls`.
    case toolCalls
    /// A reason that this version does not know.
    case other(String)

    package init(name: String) {
        self =
            switch name {
            case "end_of_turn": .endOfTurn
            case "stop_sequence": .stopSequence
            case "tool_calls": .toolCalls
            default: .other(name)
            }
    }

    package var name: String {
        switch self {
        case .endOfTurn: "end_of_turn"
        case .stopSequence: "stop_sequence"
        case .toolCalls: "tool_calls"
        case .other(let name): name
        }
    }
}
