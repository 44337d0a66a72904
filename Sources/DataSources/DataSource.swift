/// A place outside where data comes from, as errors and reports name it.
package enum DataSource: String, Sendable, Hashable, CaseIterable {
    case edgar = "SEC EDGAR"
    case fmp = "Financial Modeling Prep"
    case newsAPI = "NewsAPI"
}
