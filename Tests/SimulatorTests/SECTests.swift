import HTTP
import JSON
import TestSupport
import Testing

@Suite struct SECTests {
    @Test func annualFiguresOfAppleNameTheirFiling() async throws {
        try await Harness.run { harness async throws in
            let facts = try await harness.send(.sec("/api/xbrl/companyfacts/CIK0000320193.json")).json
            #expect(facts["cik"] == 320193 && facts["entityName"] == "Apple Inc.")
            let income = facts["facts"]?["us-gaap"]?["NetIncomeLoss"]?["units"]?["USD"]?.array ?? []
            let latest = income.last { $0["start"] == "2024-09-29" && $0["end"] == "2025-09-27" }
            #expect(latest?["val"] == 112_010_000_000)
            #expect(latest?["form"] == "10-K" && latest?["accn"] == "0000320193-25-000079" && latest?["fy"] == 2025)
            let revenue = facts["facts"]?["us-gaap"]?["RevenueFromContractWithCustomerExcludingAssessedTax"]
            let values = revenue?["units"]?["USD"]?.array?.compactMap {
                $0["end"] == "2025-09-27" ? $0["val"]?.integer : nil
            }
            #expect(values?.contains(416_161_000_000) == true)
        }
    }

    @Test func tickersAndSubmissionsLeadToTheFacts() async throws {
        try await Harness.run { harness async throws in
            let tickers = try await harness.send(.sec("/files/company_tickers.json")).json
            for (_, entry) in tickers.object ?? [:] {
                let cik = String(entry["cik_str"]?.integer ?? 0)
                let name = "CIK" + String(repeating: "0", count: 10 - cik.count) + cik + ".json"
                let submissions = try await harness.send(.sec("/submissions/" + name)).json
                #expect(submissions["tickers"]?[0] == entry["ticker"])
                let recent = submissions["filings"]?["recent"]?.object ?? [:]
                let lengths = Set(recent.values.map { $0.array?.count ?? 0 })
                #expect(lengths.count == 1 && lengths.first ?? 0 > 5)
                #expect(try await harness.send(.sec("/api/xbrl/companyfacts/" + name)).status == 200)
            }
            #expect(tickers.object?.count == 30)
        }
    }

    @Test func unknownCompaniesAreNotFound() async throws {
        try await Harness.run { harness async throws in
            let response = try await harness.send(.sec("/api/xbrl/companyfacts/CIK0000000001.json"))
            #expect(response.status == 404 && response.text.contains("NoSuchKey"))
        }
    }

    @Test(
        .enabled(if: SharedData.isThere("sec"), "needs the company facts in ../shared/data/sec"),
        arguments: [("0000320193", "AAPL"), ("0001640147", "SNOW")])
    func everyFactIsInTheRealFile(cik: String, ticker: String) async throws {
        let real = try JSON(parsing: SharedData.bytes("sec/companyfacts-CIK\(cik)-\(ticker).json"))
        let facts = try await Harness.run { harness async throws in
            try await harness.send(.sec("/api/xbrl/companyfacts/CIK\(cik).json")).json
        }
        var count = 0
        for (taxonomy, concepts) in facts["facts"]?.object ?? [:] {
            for (name, concept) in concepts.object ?? [:] {
                let original = real["facts"]?[taxonomy]?[name]
                #expect(
                    concept["label"]?.string == original?["label"]?.string?.split(separator: " ").joined(separator: " ")
                )
                for (unit, entries) in concept["units"]?.object ?? [:] {
                    let known = Set(original?["units"]?[unit]?.array ?? [])
                    for entry in entries.array ?? [] {
                        #expect(known.contains(entry), "\(name) \(entry)")
                        count += 1
                    }
                }
            }
        }
        #expect(count > 1_000)
    }
}
