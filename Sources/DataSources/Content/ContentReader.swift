/// Reads what stands behind an address that a user gave.
public protocol ContentReader: Sendable {
    /// The content of a page or a video on the public internet.
    func read(_ url: String) async throws(ContentError) -> Content
}
