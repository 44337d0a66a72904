/// What a model made of an article that somebody asked about: a signal as `POST /v1/interpret` answers.
///
/// It rests on the public page alone, so that everybody's feed may show it.
package struct ArticleSignal: Hashable, Sendable, Codable {
    /// The article's canonical address, at most `longestURL` bytes.
    package var url: String
    /// A JSON object: `verdict`, `why`, `action`, `horizon`, `opportunity_type`, `opportunity_note`, `confidence`,
    /// `importance_score`.
    package var signal: String
    /// Milliseconds since 1970. Of two signals of one article the later one stays.
    package var madeAt: Int64

    /// Databases keep an index of addresses, whose entries are bounded.
    package static let longestURL = 2048
    /// Signals that are older than the latest by more than so many milliseconds are forgotten: 30 days.
    package static let lifetime: Int64 = 30 * 86_400_000

    package init(url: String, signal: String, madeAt: Int64) {
        self.url = url
        self.signal = signal
        self.madeAt = madeAt
    }
}

/// Finds what models made of articles. Jobs write it, as `RecordChange.articleSignal`.
package protocol ArticleSignalRepository: Sendable {
    /// The signals that are known of these addresses, by address.
    func signals(of urls: [String]) async throws(StoreError) -> [String: String]
}

extension ArticleSignal: StoredRecord {
    package static var noun: String { "article_signal" }
    package var naturalKey: String { url }
    package var texts: [(name: String, text: String?)] {
        [("article_signal.url", url), ("article_signal.signal", signal)]
    }
}
