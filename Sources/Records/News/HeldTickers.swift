/// Says what users hold, so that news of it is looked for.
public protocol HeldTickers: Sendable {
    /// The symbols that users hold, those of most users first.
    func heldTickers(limit: Int) async throws(RecordsError) -> [String]
}
