/// Where the SEC's data is and who asks for it.
package struct SECConfiguration: Sendable {
    /// Serves `files/company_tickers.json`; without a slash at the end.
    package let filesBase: String
    /// Serves `api/xbrl/companyfacts` and `submissions`; without a slash at the end.
    package let dataBase: String
    /// Who asks: the SEC refuses requests that do not name a contact (`Example Corp admin@example.com`).
    package let userAgent: String

    /// - Parameters:
    ///   - base: stands for both hosts when given (a simulator); else the SEC's own.
    ///   - userAgent: mandatory.
    /// - Throws: `DataSourceError.forbidden` when the user agent is empty, so that it is noticed before any request.
    package init(base: String? = nil, userAgent: String) throws(DataSourceError) {
        guard userAgent.contains(where: { !$0.isWhitespace }) else {
            throw .forbidden(.edgar, hint: "a User-Agent with a contact address is required (SEC_USER_AGENT)")
        }
        var base = base
        while base?.hasSuffix("/") == true { base?.removeLast() }
        filesBase = base ?? "https://www.sec.gov"
        dataBase = base ?? "https://data.sec.gov"
        self.userAgent = userAgent
    }
}
