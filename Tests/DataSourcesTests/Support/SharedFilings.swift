import JSON
import TestSupport

@testable import DataSources

/// The SEC's real documents among the shared data.
enum SharedFilings {
    static let apple = "sec/companyfacts-CIK0000320193-AAPL.json"
    static let snowflake = "sec/companyfacts-CIK0001640147-SNOW.json"
    static let tickers = "sec/company_tickers.json"
    static let submissions = "sec/submissions-CIK0000789019-MSFT.json"

    static var areThere: Bool { [apple, snowflake, tickers, submissions].allSatisfy(SharedData.isThere) }

    /// Read once: the documents are large and tests are built without optimisation.
    static let appleFundamentals = Result { try Fundamentals(companyFacts: json(apple)) }
    static let snowflakeFundamentals = Result { try Fundamentals(companyFacts: json(snowflake)) }

    static func json(_ path: String) throws -> JSON { try JSON(parsing: SharedData.bytes(path)) }
}
