/// Says what users hold, so that news of it is looked for.
package protocol HeldTickers: Sendable {
    /// The symbols that users hold, those of most users first.
    func heldTickers(limit: Int) async throws(StoreError) -> [String]
}
