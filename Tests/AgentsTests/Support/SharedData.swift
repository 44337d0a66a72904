import DataSources
import Foundation
import JSON

/// The SEC's real documents that lie beside the checkout; tests that need one are skipped where it is absent.
enum SharedData {
    static let folder = Home.path + "/../shared/data/sec/"
    static let apple = folder + "companyfacts-CIK0000320193-AAPL.json"

    static var isThere: Bool { FileManager.default.fileExists(atPath: apple) }

    /// Read once: the document is large and tests are built without optimisation.
    static let appleFundamentals = Result {
        try Fundamentals(companyFacts: JSON(parsing: [UInt8](Data(contentsOf: URL(filePath: apple)))))
    }
}
