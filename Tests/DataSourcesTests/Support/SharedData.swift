import Foundation
import JSON

@testable import DataSources

/// The real documents that lie beside the checkout; tests that need one are skipped where it is absent.
enum SharedData {
    static let sec = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "shared/data/sec")
    static let apple = sec.appending(path: "companyfacts-CIK0000320193-AAPL.json")
    static let snowflake = sec.appending(path: "companyfacts-CIK0001640147-SNOW.json")
    static let tickers = sec.appending(path: "company_tickers.json")
    static let submissions = sec.appending(path: "submissions-CIK0000789019-MSFT.json")

    static var isThere: Bool {
        [apple, snowflake, tickers, submissions].allSatisfy { FileManager.default.fileExists(atPath: $0.path) }
    }

    /// Read once: the documents are large and tests are built without optimisation.
    static let appleFundamentals = Result { try Fundamentals(companyFacts: json(apple)) }
    static let snowflakeFundamentals = Result { try Fundamentals(companyFacts: json(snowflake)) }

    static func json(_ file: URL) throws -> JSON { try JSON(parsing: [UInt8](Data(contentsOf: file))) }
}
