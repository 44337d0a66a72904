/// Why content could not be read. `description` is safe to show: it holds nothing of the address and nothing of the page.
public enum ContentError: Error, Hashable, Sendable {
    /// The text is no address of a web page.
    case invalidURL
    /// The address does not lie on the public internet.
    case forbiddenAddress
    /// The site says that there is nothing, or refuses to show it; its status.
    case refused(status: Int)
    /// The site fails or cannot be reached; its status when it answered.
    case unavailable(status: Int?)
    case timedOut
    case tooLarge
    /// Something that cannot be read as an article or a video, such as an image.
    case unsupported(String)
    /// The page holds no text worth the name.
    case noText
    case cancelled
}

extension ContentError {
    /// Whether the same request may succeed a moment later.
    public var isTransient: Bool {
        switch self {
        case .unavailable, .timedOut: true
        case .refused(let status): status == 429
        default: false
        }
    }
}

extension ContentError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .invalidURL: "the address is not that of a web page"
        case .forbiddenAddress: "the address is not on the public internet"
        case .refused(let status): "the site does not give out the content (HTTP \(status))"
        case .unavailable(let status): "the site is not available" + (status.map { " (HTTP \($0))" } ?? "")
        case .timedOut: "the site did not answer in time"
        case .tooLarge: "the content is too large"
        case .unsupported(let what): "\(what) cannot be read"
        case .noText: "the page holds no text to read"
        case .cancelled: "cancelled"
        }
    }
}
