import HTTP

/// An external source of data, as errors and reports name it.
package enum DataSource: String, Sendable, Hashable, CaseIterable {
    case edgar = "SEC EDGAR"
    case fmp = "Financial Modeling Prep"
    case newsAPI = "NewsAPI"
}

/// The reason that a data source returned nothing usable.
///
/// `description` is safe to show to a user: it names the source and the ticker, never a URL, a key or a foreign body.
package enum DataSourceError: FetchFailure, Hashable, Sendable {
    /// The text cannot be a ticker.
    case invalidTicker(String)
    /// The source knows no company of that ticker.
    case notFound(ticker: String)
    /// The company is known but the source has no figures of it (funds, very new listings).
    case noData(DataSource, ticker: String)
    /// The key's plan does not include the ticker or the endpoint.
    case notCovered(DataSource, ticker: String)
    /// Too many requests; `retryAfter` if the source gave a time.
    case rateLimited(DataSource, retryAfter: Duration?)
    /// The source answered with a server error, or no connection could be made.
    case unavailable(DataSource, status: Int?)
    case timedOut(DataSource)
    /// The source refuses the caller: a missing contact in `User-Agent`, an invalid key.
    case forbidden(DataSource, hint: String)
    /// An answer that is not in the expected format; `problem` says which part.
    case unexpected(DataSource, problem: String)
    case cancelled
}

extension DataSourceError {
    /// Whether the same request may succeed later without anything being changed.
    package var isTransient: Bool {
        switch self {
        case .rateLimited, .unavailable, .timedOut: true
        case .invalidTicker, .notFound, .noData, .notCovered, .forbidden, .unexpected, .cancelled: false
        }
    }

    /// The waiting time that the source asked for, if any.
    package var retryAfter: Duration? {
        if case .rateLimited(_, let delay) = self { delay } else { nil }
    }
}

extension DataSourceError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .invalidTicker(let text): "'\(Self.shown(text))' is not a ticker"
        case .notFound(let ticker): "no company is listed under the ticker \(Self.shown(ticker))"
        case .noData(let source, let ticker): "\(source.rawValue) has no financial data for \(Self.shown(ticker))"
        case .notCovered(let source, let ticker):
            "the subscription at \(source.rawValue) does not cover \(Self.shown(ticker))"
        case .rateLimited(let source, _): "\(source.rawValue) limits the rate of requests"
        case .unavailable(let source, let status):
            "\(source.rawValue) is not available" + (status.map { " (HTTP \($0))" } ?? "")
        case .timedOut(let source): "\(source.rawValue) did not answer in time"
        case .forbidden(let source, let hint): "\(source.rawValue) refused the request: \(hint)"
        case .unexpected(let source, let problem): "\(source.rawValue) answered in an unexpected format: \(problem)"
        case .cancelled: "cancelled"
        }
    }

    /// Text from a caller, cut and without control characters, fit for a log line.
    private static func shown(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(20).filter { $0.value > 0x1F && $0.value != 0x7F }))
    }
}

extension DataSourceError {
    /// The error for an exchange without an answer. It contains no part of the URL, which may hold a key.
    init(_ error: HTTPClientError, from source: DataSource) {
        switch error {
        case .timedOut: self = .timedOut(source)
        case .cancelled: self = .cancelled
        case .cannotResolve, .cannotConnect, .insecure, .connectionLost: self = .unavailable(source, status: nil)
        case .bodyTooLarge: self = .unexpected(source, problem: "the answer is too large")
        case .tooManyRedirects: self = .unexpected(source, problem: "too many redirects")
        case .forbiddenAddress, .forbiddenPort:
            self = .unexpected(source, problem: "the address is not on the public internet")
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
