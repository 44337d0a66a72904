import Testing

@testable import News

@Suite("Everyday names that are companies by what they do")
struct CompanyActTests {
    private func companies(_ title: String) -> [String] { TickerRecognizer().tickers(in: title).map(\.text) }

    @Test(
        "A name before a verb and an object of business is the company's",
        arguments: [
            ("Ford builds battery plant in Kentucky", "F"), ("Target drops delivery fee for holidays", "TGT"),
            ("Visa opens office in Nairobi", "V"), ("Shell drills off Namibia", "SHEL"),
            ("Zoom adds translation to calls", "ZM"), ("Chase closes branches in Ohio", "JPM"),
            ("Intel delays Ohio factory again", "INTC"), ("Shoppers desert Target", "TGT"),
        ])
    func acts(title: String, company: String) {
        #expect(companies(title) == [company])
        #expect(TickerRecognizer().mentions(in: title).allSatisfy { $0.certainty < 0.8 })
    }

    @Test(
        "A name before a noun, a verb without an object or in Title Case is no company's",
        arguments: [
            "Target of 2% inflation missed", "Shell found on beach", "Ford crossed by hikers",
            "Visa rules change for students", "Gap widens between rich and poor", "Visa bans hit nurses",
            "Ball drops in Times Square", "Chase Opens School for Spies in New Thriller", "Drivers cross Ford of river",
        ])
    func plainWords(title: String) { #expect(companies(title) == []) }

    @Test(
        "Of look-alike headlines without a company at most one in ten has one", arguments: ["verbs", "verbs-held-out"])
    func lookAlikes(name: String) throws {
        let unnamed = try LookAlikeTests.headlines(name).filter(\.companies.isEmpty).map(\.article.title)
        let wrong = unnamed.filter { !companies($0).isEmpty }
        #expect(10 * wrong.count <= unnamed.count, "\(wrong)")
    }
}
