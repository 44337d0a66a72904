/// The id of a YouTube video, found in any of the addresses that lead to one.
package struct VideoAddress: Sendable, Hashable {
    /// Eleven letters, digits, `-` and `_`.
    package let id: String

    private static let hosts: Set<String> = [
        "youtube.com", "www.youtube.com", "m.youtube.com", "music.youtube.com", "gaming.youtube.com",
        "youtube-nocookie.com", "www.youtube-nocookie.com",
    ]
    private static let folders: Set<String> = ["shorts", "embed", "live", "v", "e", "video"]

    /// Reads `youtube.com/watch?v=…`, `youtu.be/…`, and `/shorts/`, `/embed/`, `/live/` and `/v/`, with any further
    /// parameters. `nil` for every other address.
    package init?(_ url: String) {
        var address = WebAddress(url)
        if address.scheme == nil { address = WebAddress("https://" + url) }
        guard address.isWeb, let host = address.host else { return nil }
        let segments = address.path.split(separator: "/").map(String.init)
        let found: String?
        if host == "youtu.be" || host == "www.youtu.be" {
            found = segments.first
        } else if Self.hosts.contains(host) {
            if let first = segments.first, segments.count > 1, Self.folders.contains(first) {
                found = segments[1]
            } else if segments.isEmpty || segments == ["watch"] || segments == ["watch_popup"] {
                found = Self.parameter("v", of: address.query)
            } else if segments == ["attribution_link"] {
                found = Self.parameter("u", of: address.query).flatMap {
                    VideoAddress("https://www.youtube.com" + Self.decoded($0))?.id
                }
            } else {
                found = nil
            }
        } else {
            return nil
        }
        guard let found, found.utf8.count == 11,
            found.utf8.allSatisfy({ $0 == 0x2D || $0 == 0x5F || Self.isLetterOrDigit($0) })
        else { return nil }
        id = found
    }

    private static func parameter(_ name: String, of query: String?) -> String? {
        query?.split(separator: "&").first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
    }

    /// Only what stands in the path of a video.
    private static func decoded(_ text: String) -> String {
        [("%2F", "/"), ("%2f", "/"), ("%3F", "?"), ("%3f", "?"), ("%3D", "="), ("%3d", "="), ("%26", "&")]
            .reduce(text) { $0.replacing($1.0, with: $1.1) }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}
