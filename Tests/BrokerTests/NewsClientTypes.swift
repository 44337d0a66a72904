// The document's names stand in the types themselves.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// The types of the app that asks for `/v1/preferences`, as its document prints them.
extension NewsClient {
    struct PreferencesResponse: Decodable {
        let success: Bool
        let focus_profile: String
        let holdings_count: Int
    }

    struct Holding: Codable {
        let ticker: String
        let label: String?
        let notes: String?
    }

    /// The document has no type for `GET`; its holdings have the one that it prints for a change.
    struct Holdings: Decodable {
        let holdings: [Holding]
    }
}
