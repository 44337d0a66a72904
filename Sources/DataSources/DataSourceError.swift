import HTTP
package import Prices

/// An external source of data, as errors and reports name it.
package enum DataSource: String, Sendable, Hashable, CaseIterable {
    case edgar = "SEC EDGAR"
    case fmp = "Financial Modeling Prep"
    case newsAPI = "NewsAPI"
    /// Files of an operator.
    case priceFiles = "price files"
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
    /// The source knows the ticker but has no prices of the timeframe.
    case missingPrices(DataSource, ticker: String, timeframe: Timeframe)
    /// Prices of the source that cannot be used until they are mended; `problem` says why.
    case unusablePrices(DataSource, ticker: String, problem: String)
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
    /// The service's own limit of calls is reached; the source was not asked.
    case callLimit(DataSource, CallLimit)
    case cancelled
}

extension DataSourceError {
    /// Whether the same request may succeed later without anything being changed.
    package var isTransient: Bool {
        switch self {
        case .rateLimited, .unavailable, .timedOut, .callLimit: true
        case .invalidTicker, .notFound, .noData, .missingPrices, .unusablePrices, .notCovered, .forbidden,
            .unexpected, .cancelled:
            false
        }
    }

    /// The waiting time that the source asked for, if any.
    package var retryAfter: Duration? {
        switch self {
        case .rateLimited(_, let delay): delay
        case .callLimit(_, let limit): limit.retryAfter
        default: nil
        }
    }

    /// Whether the failure is one of the caller's own limits, which other callers may not have reached.
    package var concernsOneCaller: Bool {
        if case .callLimit = self { true } else { false }
    }
}

extension DataSourceError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .invalidTicker(let text): "'\(Self.shown(text))' is not a ticker"
        case .notFound(let ticker): "no company is listed under the ticker \(Self.shown(ticker))"
        case .noData(let source, let ticker): "\(source.rawValue) has no financial data for \(Self.shown(ticker))"
        case .missingPrices(let source, let ticker, let timeframe):
            "\(source.rawValue) have no \(timeframe.adjective) prices of \(Self.shown(ticker))"
        case .unusablePrices(let source, let ticker, let problem):
            "the prices of \(Self.shown(ticker)) from \(source.rawValue) cannot be used: \(problem)"
        case .notCovered(let source, let ticker):
            "the subscription at \(source.rawValue) does not cover \(Self.shown(ticker))"
        case .rateLimited(let source, _): "\(source.rawValue) limits the rate of requests"
        case .unavailable(let source, let status):
            "\(source.rawValue) is not available" + (status.map { " (HTTP \($0))" } ?? "")
        case .timedOut(let source): "\(source.rawValue) did not answer in time"
        case .forbidden(let source, let hint): "\(source.rawValue) refused the request: \(hint)"
        case .unexpected(let source, let problem): "\(source.rawValue) answered in an unexpected format: \(problem)"
        case .callLimit(let source, let limit) where limit.user == nil:
            "the service makes at most \(limit.calls) calls a minute to \(source.rawValue) for readers of stocks"
        case .callLimit(let source, let limit):
            "one user's reading of stocks sets off at most \(limit.calls) calls a minute to \(source.rawValue)"
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
