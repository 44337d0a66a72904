internal import JSON

/// Takes out of recordings what must never be committed: keys, tokens, addresses of people.
package struct Scrubber: Sendable {
    static let mark = "[redacted]"
    /// Shorter texts stand in too many places by chance.
    private static let shortestSecret = 6

    private let secrets: [String]

    /// - Parameter secrets: The keys that are configured, as they are.
    package init(secrets: [String] = []) {
        self.secrets = secrets.filter { $0.utf8.count >= Self.shortestSecret }.sorted { $0.count > $1.count }
    }

    /// A value with every text in it scrubbed.
    func scrub(_ value: JSON) -> JSON {
        switch value {
        case .string(let text): .string(scrub(text))
        case .array(let elements): .array(elements.map(scrub))
        case .object(let members): .object(JSONObject(members.map { (scrub($0.key), scrub($0.value)) }))
        case .null, .bool, .number: value
        }
    }

    func scrub(_ text: String) -> String {
        var text = text
        for secret in secrets {
            text = text.split(separator: secret, omittingEmptySubsequences: false).joined(separator: Self.mark)
        }
        for pattern in Self.patterns { text.replace(pattern, with: Self.mark) }
        // Headers keep their name, so that a reader sees what stood there.
        text.replace(Self.header) { "\($0.output.1)\(Self.mark)" }
        return text
    }

    private static var header: Regex<(Substring, Substring)> {
        #/(?i)((?:authorization|proxy-authorization|x-api-key|x-goog-api-key|api[_-]?key|cookie)["']?\s*[:=]\s*["']?)(?:(?:bearer|basic)\s+)?[^\s"',;}\[]{6,}/#
    }

    private static var patterns: [Regex<Substring>] {
        [
            // Keys of Anthropic and OpenAI, of Google, of GitHub, of Amazon.
            #/\bsk-[A-Za-z0-9_\-]{8,}/#, #/\bAIza[A-Za-z0-9_\-]{20,}/#, #/\bgh[pousr]_[A-Za-z0-9]{20,}/#,
            #/\bAKIA[0-9A-Z]{16}\b/#,
            #/(?i)\bbearer\s+[A-Za-z0-9._~+\/\-]{8,}=*/#,
            // JSON Web Tokens.
            #/\beyJ[A-Za-z0-9_\-]{6,}\.[A-Za-z0-9_\-]{6,}\.[A-Za-z0-9_\-]*/#,
            // Addresses of e-mail.
            #/[A-Za-z0-9._%+\-]+@[A-Za-z0-9\-]+(?:\.[A-Za-z0-9\-]+)*\.[A-Za-z]{2,}/#,
        ]
    }
}
