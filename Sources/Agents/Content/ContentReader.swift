package import DataSources

/// Reads what stands behind an address that a user gave; `ContentFetcher` in production, anything in tests.
package protocol ContentReader: Sendable {
    /// The content of a page or a video of the public web.
    func read(_ url: String) async throws(FetchError) -> Content
}

extension ContentFetcher: ContentReader {
    package func read(_ url: String) async throws(FetchError) -> Content {
        Content(try await read(url, languages: ["en"]))
    }
}
