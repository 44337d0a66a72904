import HTTP

extension DataSourceError {
    /// The error for an exchange that brought no answer. Nothing of the URL is kept: it may hold a key.
    init(_ error: HTTPClientError, from source: DataSource) {
        switch error {
        case .timedOut: self = .timedOut(source)
        case .cancelled: self = .cancelled
        case .cannotResolve, .cannotConnect, .insecure, .connectionLost: self = .unavailable(source, status: nil)
        case .bodyTooLarge: self = .unexpected(source, problem: "the answer is too large")
        case .tooManyRedirects: self = .unexpected(source, problem: "too many redirects")
        case .forbiddenAddress, .forbiddenPort: self = .unexpected(source, problem: "the address is not on the public internet")
        case .invalidURL: self = .unexpected(source, problem: "the configured base URL is not a URL")
        case .invalidHeader: self = .forbidden(source, hint: "the configured key or contact holds a line break")
        }
    }

    /// The error for a status that needs no knowledge of the source; `nil` for every other one.
    init?(status: Int, headers: HTTPHeaders, from source: DataSource) {
        switch status {
        case 429: self = .rateLimited(source, retryAfter: Self.retryAfter(headers))
        case 408: self = .timedOut(source)
        case 500...: self = .unavailable(source, status: status)
        default: return nil
        }
    }

    /// `Retry-After` in seconds; the form with a date is not used by these sources and counts as absent.
    static func retryAfter(_ headers: HTTPHeaders) -> Duration? {
        headers["Retry-After"].flatMap { Double($0) }.flatMap { (0...86_400).contains($0) ? .seconds($0) : nil }
    }
}
