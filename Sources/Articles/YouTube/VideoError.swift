/// Why a video gives no transcript.
package enum VideoError: Error, Hashable, Sendable, CaseIterable {
    /// The video has no captions, or its owner switched them off.
    case noCaptions
    /// Removed, never there, or not shown in this country.
    case unavailable
    case isPrivate
    /// Only for viewers who have signed in and are old enough.
    case ageRestricted
    /// Running now or not begun: captions come later.
    case live
    /// Asks whether the caller is a robot, as it does for addresses of data centres.
    case blocked
    /// Wants its consent form answered, which did not work.
    case consentRequired
    /// The captions are only given to players that can prove what they are.
    case protected
    /// None of the expected parts was found; the site has changed.
    case unexpected
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
        }
    }
}
