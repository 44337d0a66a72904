import FoundationEssentials
public import HTTP

/// Reads web pages over the guarded client: only addresses on the public internet, checked at every redirect.
public struct WebPageReader: ContentReader {
    private static let largestBody = 8 << 20
    private static let time: Duration = .seconds(20)
    private static let redirects = 5

    private let transport: any HTTPTransport
    private let allowing: [String]

    /// - Parameters:
    ///   - transport: Carries the requests.
    ///   - allowing: Host names and CIDR blocks that may be reached although they are private.
    public init(transport: any HTTPTransport, allowing: [String] = []) {
        self.transport = transport
        self.allowing = allowing
    }

    public func read(_ url: String) async throws(ContentError) -> Content {
        var limits = HTTPLimits()
        limits.total = Self.time
        limits.body = Self.largestBody
        limits.redirects = Self.redirects
        let request = HTTPRequest(
            .get, url, headers: ["Accept": "text/html, text/plain;q=0.8"], limits: limits,
            destination: .publicInternet(allowing: allowing))
        let response: HTTPResponse
        do throws(HTTPClientError) {
            response = try await transport.send(request)
        } catch {
            throw ContentError(error)
        }
        switch response.status {
        case 200..<300: break
        case 500...: throw .unavailable(status: response.status)
        default: throw .refused(status: response.status)
        }
        let type = (response.headers["Content-Type"] ?? "text/html").prefix { $0 != ";" }.lowercased()
        switch type {
        case "text/html", "application/xhtml+xml": return try WebPage(response.text).content(at: response.url)
        case "text/plain", "text/markdown":
            let text = response.text.trimmingWhiteSpace
            guard !text.isEmpty else { throw .noText }
            return Content(url: response.url, kind: .article, text: text)
        default: throw .unsupported("this kind of document")
        }
    }
}

extension ContentError {
    init(_ error: HTTPClientError) {
        switch error {
        case .invalidURL, .invalidHeader: self = .invalidURL
        case .forbiddenAddress: self = .forbiddenAddress
        case .cannotResolve, .cannotConnect, .insecure, .connectionLost: self = .unavailable(status: nil)
        case .timedOut: self = .timedOut
        case .bodyTooLarge: self = .tooLarge
        case .tooManyRedirects: self = .refused(status: 310)
        case .cancelled: self = .cancelled
        }
    }
}

extension String {
    var trimmingWhiteSpace: String {
        let rest = drop(while: \.isWhitespace)
        guard let last = rest.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(rest[...last])
    }
}
