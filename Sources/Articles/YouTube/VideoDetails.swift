package import JSON

/// A video as YouTube's player gets to know it.
package struct VideoDetails: Sendable, Hashable {
    package let id: String
    package let title: String?
    package let channel: String?
    /// In seconds; `nil` for a live video.
    package let duration: Int?
    package let summary: String?
    package private(set) var tracks: [CaptionTrack]

    /// The same with those captions alone that anybody can fetch.
    package var openTracks: VideoDetails {
        var open = self
        open.tracks = tracks.filter { !$0.isProtected }
        return open
    }

    /// Reads the answer to a player's request.
    ///
    /// - Throws: why there will be no captions, when the answer says so.
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
        // What a machine heard is the language that is spoken; a translation by people of it is second best.
        if let spoken = generated.first { return written.first { $0.matches(spoken.language) } ?? spoken }
        return written.first
    }
}

/// A list of captions in one language.
package struct CaptionTrack: Sendable, Hashable {
    /// Where it is, without the parameter that asks for another format.
    package let url: String
    /// A BCP 47 tag.
    package let language: String
    package let name: String?
    /// Whether a machine wrote it.
    package let isGenerated: Bool
    /// Whether it is only given to players that prove what they are.
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
