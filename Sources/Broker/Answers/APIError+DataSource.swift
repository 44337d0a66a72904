internal import DataSources
internal import DossierAPI

extension APIError {
    /// Why a source gave nothing, as an answer. Nothing of what the source said is repeated.
    init(_ error: DataSourceError) {
        switch error {
        case .invalidTicker: self = .invalid("ticker", "is not a ticker such as AAPL or BRK-B", code: .invalidTicker)
        case .notFound(let ticker): self = .stockNotFound(ticker)
        case .noData(_, let ticker), .notCovered(_, let ticker): self = .stockNotFound(ticker)
        case .rateLimited(let source, let retryAfter):
            self = .source(source, error, isTransient: true)
            self.retryAfter = Int(max(retryAfter?.components.seconds ?? 30, 1))
        case .unavailable(let source, _), .timedOut(let source): self = .source(source, error, isTransient: true)
        case .forbidden(let source, _), .unexpected(let source, _):
            self = .source(source, error, isTransient: false)
        case .cancelled: self = .overloaded
        }
    }

    static func stockNotFound(_ ticker: String) -> APIError {
        APIError(
            404, .stockNotFound, "No company is listed under the ticker \(ticker.prefix(20)).",
            user: "We could not find that stock.", action: "go_back")
    }

    /// The sources have not answered in time; what they send is kept for the next question.
    static let sourcesPending = APIError(
        503, .dataSource, "The data sources have not answered yet; what they send is kept.",
        user: "This takes longer than usual. Please try again in a moment.", action: "retry", retryAfter: 3)

    static let noSources = APIError(
        503, .dataSource, "No source of stocks is configured (SEC_USER_AGENT, FMP_API_KEY).",
        user: "This is not available at the moment.")

    private static func source(_ source: DataSource, _ error: DataSourceError, isTransient: Bool) -> APIError {
        APIError(
            isTransient ? 503 : 502, source == .fmp ? .fmp : .dataSource, "\(error).",
            user: "We could not reach our data provider. Please try again soon.",
            action: isTransient ? "retry" : nil, retryAfter: isTransient ? 5 : nil)
    }
}
