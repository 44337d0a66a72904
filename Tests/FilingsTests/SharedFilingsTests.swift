import Foundation
import TestSupport
import Testing

@testable import Filings

/// Real reports beside the checkout.
@Suite(.enabled(if: SharedData.isThere("filings"), "../shared/data/filings is not there"))
struct SharedFilingsTests {
    /// The document, unpacked by `xz`.
    static func document(_ name: String) throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["xz", "-dc", SharedData.folder.appending(path: "filings/\(name).html.xz").path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return [UInt8](data)
    }

    @Test(arguments: ["aapl-10k-2024", "msft-10k-2013", "pg-10k-2024", "tsla-10k-2024"])
    func `the business, the risks and the discussion are found in ordinary reports`(name: String) throws {
        let filing = Filing(try Self.document(name), name: name)
        for item in ["1", "1A", "7"] { #expect(filing[item]?.status == .found, "\(name) \(item)") }
    }

    @Test func `items of IBM that stand in its annual report are by reference`() throws {
        let filing = Filing(try Self.document("ibm-10k-2023"), name: "ibm")
        for item in ["7", "7A", "8"] { #expect(filing[item]?.status == .byReference) }
    }

    @Test(arguments: ["ge-10k-2023", "mcd-10k-2023"])
    func `a report without headings of items shows no text of them`(name: String) throws {
        let filing = Filing(try Self.document(name), name: name)
        for item in ["1", "1A", "7"] { #expect(filing[item]?.status != .found, "\(name) \(item)") }
    }
}
