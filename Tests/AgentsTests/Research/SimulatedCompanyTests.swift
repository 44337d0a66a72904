import DataSources
import Foundation
import JSON
import Testing

/// A demonstration shows the figures of real companies: the simulator's part of the documents has to read like the whole.
@Suite(.enabled(if: SharedData.isThere, "../shared/data/sec is not there"))
struct SimulatedCompanyTests {
    @Test(arguments: [
        ("AAPL", "companyfacts-CIK0000320193-AAPL.json"), ("SNOW", "companyfacts-CIK0001640147-SNOW.json"),
    ])
    func aSimulatedCompanyHasTheFiguresOfTheRealOne(ticker: String, document: String) async throws {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: SharedData.folder + document)))
        let real = try Fundamentals(companyFacts: JSON(parsing: bytes))
        try await World.run { world in
            let simulated = try await world.filings(over: world.client).fundamentals(ticker).fundamentals
            #expect(
                simulated.fiscalYears == real.fiscalYears)
            for concept in Concept.allCases {
                let values = simulated.annual(concept).map { "\($0.id) \($0.value) \($0.filing.accession)" }
                #expect(values == real.annual(concept).map { "\($0.id) \($0.value) \($0.filing.accession)" })
            }
        }
    }
}
