/// A service whose wire format the simulator speaks.
public enum SimulatedService: String, Sendable, Hashable, CaseIterable {
    case claude
    case gemini
    /// OpenAI-compatible chat completions.
    case openai
    /// SEC EDGAR, both of its hosts.
    case sec
}
