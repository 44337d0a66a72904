package import JSON

/// The id of a YouTube video, found in any of the addresses that lead to one.
package struct VideoAddress: Sendable, Hashable {
    /// Eleven letters, digits, `-` and `_`.
    package let id: String

    private static let hosts: Set<String> = [
        "youtube.com", "www.youtube.com", "m.youtube.com", "music.youtube.com", "gaming.youtube.com",
        "youtube-nocookie.com", "www.youtube-nocookie.com",
    ]
    private static let shortHosts: Set<String> = ["youtu.be", "www.youtu.be"]
    private static let folders: Set<String> = ["shorts", "embed", "live", "v", "e", "video"]

    /// Whether an address is one of YouTube's, of a video or not.
    package static func isAtYouTube(_ url: String) -> Bool {
        let address = WebAddress(url)
        return address.isWeb && address.host.map { hosts.contains($0) || shortHosts.contains($0) } == true
    }

    /// Reads `youtube.com/watch?v=…`, `youtu.be/…`, and `/shorts/`, `/embed/`, `/live/` and `/v/`, with any further
    /// parameters. `nil` for every other address.
    package init?(_ url: String) {
        var address = WebAddress(url)
        if address.scheme == nil { address = WebAddress("https://" + url) }
        guard address.isWeb, let host = address.host else { return nil }
        let segments = address.path.split(separator: "/").map(String.init)
        let found: String?
        if Self.shortHosts.contains(host) {
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

    /// The address of the page of a video.
    package static func page(of id: String) -> String { "https://www.youtube.com/watch?v=" + id }

    private static func parameter(_ name: String, of query: String?) -> String? {
        query?.split(separator: "&").first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
    }

    /// Only the characters that the path of a video may have.
    private static func decoded(_ text: String) -> String {
        [("%2F", "/"), ("%2f", "/"), ("%3F", "?"), ("%3f", "?"), ("%3D", "="), ("%3d", "="), ("%26", "&")]
            .reduce(text) { $0.replacing($1.0, with: $1.1) }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}

/// A video, as YouTube's API for its player describes it.
package struct VideoDetails: Sendable, Hashable {
    package let id: String
    package let title: String?
    package let channel: String?
    /// In seconds; `nil` for a live video.
    package let duration: Int?
    package let summary: String?
    package private(set) var tracks: [CaptionTrack]

    /// The same, with only the captions that need no proof of origin.
    package var openTracks: VideoDetails {
        var open = self
        open.tracks = tracks.filter { !$0.isProtected }
        return open
    }

    /// Reads the answer to a player's request.
    ///
    /// - Throws: the reason for missing captions, when the answer has one.
    package init(player: JSON, id: String) throws(VideoError) {
        try Self.check(player["playabilityStatus"])
        let details = player["videoDetails"]
        guard details?.object != nil else { throw .unexpected }
        self.id = details?["videoId"]?.string ?? id
        title = details?["title"]?.string?.nonBlank
        channel = details?["author"]?.string?.nonBlank
        duration = details?["lengthSeconds"]?.string.flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        summary = details?["shortDescription"]?.string?.nonBlank
        let list = player["captions"]?["playerCaptionsTracklistRenderer"]?["captionTracks"]?.array ?? []
        tracks = list.compactMap(CaptionTrack.init)
        guard tracks.isEmpty else { return }
        let isLive = details?["isLive"]?.bool == true || details?["isUpcoming"]?.bool == true
        throw isLive ? .live : .noCaptions
    }

    private static func check(_ playability: JSON?) throws(VideoError) {
        guard let status = playability?["status"]?.string else { throw .unexpected }
        guard status != "OK" else { return }
        let screen = playability?["errorScreen"]?["playerErrorMessageRenderer"]?["subreason"]?["runs"]?.array ?? []
        let texts =
            [playability?["reason"]?.string, playability?["desktopLegacyAgeGateReason"]?.string]
            + (playability?["messages"]?.array ?? []).map(\.string) + screen.map { $0["text"]?.string }
        let reason = texts.compactMap(\.self).joined(separator: " ").lowercased()
        if status.hasPrefix("LIVE_STREAM") { throw .live }
        if status.hasPrefix("AGE_") || status == "CONTENT_CHECK_REQUIRED" { throw .ageRestricted }
        if reason.contains("private") { throw .isPrivate }
        if reason.contains("a bot") || reason.contains("unusual traffic") { throw .blocked }
        if status == "LOGIN_REQUIRED" {
            if reason.contains("age") || reason.contains("inappropriate") { throw .ageRestricted }
            throw .blocked
        }
        throw .unavailable
    }

    /// The track to read: of the preferred languages in their order, written by people before those made by machine,
    /// then any language in the same way.
    package func track(preferring languages: [String]) -> CaptionTrack? {
        let written = tracks.filter { !$0.isGenerated }
        let generated = tracks.filter(\.isGenerated)
        for language in languages {
            for group in [written, generated] {
                if let track = group.first(where: { $0.matches(language) }) { return track }
            }
        }
        // Automatic captions are in the spoken language; a human translation is second best.
        if let spoken = generated.first { return written.first { $0.matches(spoken.language) } ?? spoken }
        return written.first
    }
}

/// A list of captions in one language.
package struct CaptionTrack: Sendable, Hashable {
    /// The address of the caption track, without the parameter that asks for another format.
    package let url: String
    /// A BCP 47 tag.
    package let language: String
    package let name: String?
    /// Whether a machine wrote it.
    package let isGenerated: Bool
    /// Whether the captions need a proof of origin.
    package let isProtected: Bool

    init?(_ json: JSON) {
        guard let base = json["baseUrl"]?.string, let language = json["languageCode"]?.string else { return nil }
        var address = WebAddress(base)
        let items = (address.query ?? "").split(separator: "&")
        isProtected = items.contains("exp=xpe")
        address.query = items.filter { !$0.hasPrefix("fmt=") }.joined(separator: "&")
        url = address.description
        self.language = language
        name = (json["name"]?["simpleText"]?.string ?? json["name"]?["runs"]?[0]?["text"]?.string)?.nonBlank
        isGenerated = json["kind"]?.string == "asr"
    }

    /// `en` matches `en-GB`, and the other way round.
    func matches(_ language: String) -> Bool {
        let (own, wanted) = (self.language.lowercased(), language.lowercased())
        return own == wanted || own.hasPrefix(wanted + "-") || wanted.hasPrefix(own + "-")
    }
}

/// Why a video gives no transcript.
package enum VideoError: Error, Hashable, Sendable, CaseIterable {
    /// The video has no captions, or its owner switched them off.
    case noCaptions
    /// Removed, never there, or not shown in this country.
    case unavailable
    case isPrivate
    /// Only for signed-in viewers of full age.
    case ageRestricted
    /// Running now or not begun: captions come later.
    case live
    /// YouTube asks whether the caller is a robot, as it does for addresses of data centres.
    case blocked
    /// Wants its consent form answered, which did not work.
    case consentRequired
    /// The captions need a proof of origin.
    case protected
    /// None of the expected parts was found; the site has changed.
    case unexpected
    /// A channel, a list or a page of the site, or an address that is cut off.
    case notAVideo
}

extension VideoError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noCaptions: "the video has no captions"
        case .unavailable: "the video is not available"
        case .isPrivate: "the video is private"
        case .ageRestricted: "the video is only for viewers who have signed in"
        case .live: "the video is live or has not begun, so it has no captions yet"
        case .blocked: "YouTube takes this address for a robot and gives no videos"
        case .consentRequired: "YouTube wants its consent form answered"
        case .protected: "YouTube gives the captions of this video to its own players only"
        case .unexpected: "YouTube answered in an unexpected format"
        case .notAVideo: "the address leads to no single video of YouTube"
        }
    }
}
