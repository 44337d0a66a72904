import Testing

@testable import Prompts

/// Sentences about one company, written from these facts.
private let facts: [Fact] = [
    Fact(416_161_000_000, .usd, label: "Revenue FY2025"),
    Fact(391_035_000_000, .usd, label: "Revenue FY2024"),
    Fact(112_010_000_000, .usd, label: "Net income FY2025"),
    Fact(7.46, .usd, label: "Diluted EPS FY2025"),
    Fact(15_004_697_000, .shares, label: "Diluted shares FY2025"),
    Fact(0.4691, .ratio, label: "Gross margin FY2025"),
    Fact(0.2692, .ratio, label: "Net margin FY2025"),
    Fact(0.0643, .ratio, label: "Revenue growth FY2025"),
    Fact(-0.028, .ratio, label: "Revenue growth FY2023"),
    Fact(-1_200_000_000, .usd, label: "Other income"),
    Fact(29.4, .times, label: "Debt service"),
    Fact(0.893, .ratio, label: "Current ratio"),
    Fact(10, .years, label: "Profitable years"),
    Fact(72.4, .number, label: "Score"),
    Fact(1.02, .ratio, label: "Revenue growth over the decade"),
    Fact(3_000_000_000, .usd, label: "Research"),
    Fact(164_000, .number, label: "Employees"),
]

private func complaints(_ text: String, quotable: [String] = []) -> [String] {
    FigureCheck(facts: facts, quotable: quotable).unsupported(in: text).map(\.figure)
}

@Suite struct FigureSentencesTests {
    @Test(arguments: [
        "Revenue was $416,161 million in fiscal 2025, up 6.4% from 2024.",
        "Revenue was $416.2 billion.", "Revenue reached $416B.", "Revenue of 416.161bn dollars.", "It sold $416.16bn.",
        "Sales came to US$416.2 billion.", "Sales of USD 416.2 billion.", "Sales of 416.2 billion US dollars.",
        "Sales of 416 billion U.S. dollars.", "Revenue ($ in millions) was 416,161.",
        "Revenue, 416,161 (in millions), rose.",
        "It has about $420 billion of sales.", "Sales of **$416.2** billion.", "Sales of $416.2\u{A0}billion.",
        "A gross margin of 46.9% is high.", "Gross margin was 46.9 percent.", "Gross margin was 46.9 per cent.",
        "Its 47-percent gross margin.", "A margin of 4,691 basis points.", "A margin of 4691 bps.",
        "The net margin is 26.9 percentage points.", "The net margin is 26.92 pp.", "Gross margin (46.9%) beat it.",
        "Margins of 26.9–46.9%.", "Margins from 26.9 to 46.9 percent.", "Margins of 26.9% and 46.9%.",
        "Revenue of $391–416 billion.", "Between $391 billion and $416 billion.",
        "Revenue of 391.0 and 416.2 billion dollars.",
        "Earnings of $7.46 per share.", "It earned 7.46 dollars a share.", "EPS of 7.46.", "About 746 cents a share.",
        "It covers its interest 29.4x.", "It earns its interest 29.4 times over.", "Coverage is twenty-nine times.",
        "There are 15.0 billion diluted shares.", "It has 15.005 billion shares.", "It has 15 bn shares outstanding.",
        "Revenue fell 2.8% in 2023.", "Growth of −2.8% in 2023.", "Growth was -2.8%.",
        "Revenue declined by about 2.8 percent.",
        "A change of minus 2.8%.", "Growth (−2.8%) was negative.", "Growth of (2.8)% in 2023.",
        "A loss of $1.2 billion.", "Other income was -$1.2 billion.", "Other income was $-1.2 billion.",
        "Other income was ($1.2 billion).",
        "It scores 72 out of 100.", "It scores 72/100.", "A score of 72.", "A score of 72.4 of 100.",
        "A score of seventy-two.",
        "The current ratio is 0.89.", "The current ratio is 0.89:1.", "The current ratio is 0.89x.",
        "About half of each sale is gross profit.", "Roughly a quarter of revenue becomes profit.",
        "About 27 cents of every dollar of sales is profit.", "Of every $100 of sales, $26.92 is kept.",
        "It was profitable in 10 years.", "Revenue doubled over the decade.",
        "Research cost three billion dollars.", "Research cost $3 billion.", "Research cost 3 billion.",
        "It scores 72 points out of a possible 100.", "A score of 72 (of 100).", "On a 10-point scale it has no score.",
        "Between six and 46.9 percent.", "There are 15.0 billion of them, all shares.",
        "It has 164,000 employees.", "It has a hundred and sixty-four thousand employees.",
        "It has one hundred sixty-four thousand employees.",
    ])
    func aFigureOfTheFactsPasses(_ text: String) {
        #expect(complaints(text) == [])
    }

    @Test(arguments: [
        ("Revenue was $416.3 billion.", "$416.3 billion"), ("Revenue was $416.2 million.", "$416.2 million"),
        ("Revenue was $416,161.", "$416,161"), ("Revenue was $400 billion.", "$400 billion"),
        ("Revenue was about $400 billion.", "$400 billion"), ("Revenue was €416.2 billion.", "€416.2 billion"),
        ("Revenue was 416.2 billion yen.", "416.2 billion yen"), ("A margin of 47.9%.", "47.9%"),
        ("A margin of 46.8%.", "46.8%"), ("It has $15.0 billion shares.", "$15.0 billion shares"),
        ("It has 416.2 billion shares.", "416.2 billion shares"), ("A return of 7.46%.", "7.46%"),
        ("It trades at 72x earnings.", "72x"), ("It trades at thirty times earnings.", "thirty times"),
        ("Thirty-five percent of sales are abroad.", "Thirty-five percent"),
        ("Research cost four billion dollars.", "four billion dollars"),
        ("Worth a trillion dollars.", "a trillion dollars"),
        ("Half a billion people use it.", "Half a billion"), ("Margins of 30–46.9%.", "30"),
        ("Margins of 26.9–48%.", "48%"), ("Two-thirds of sales are phones.", "Two-thirds"),
        ("Four in five buyers stay.", "Four in five"), ("Profit tripled.", "tripled"), ("Costs halved.", "halved"),
        ("A fivefold rise.", "fivefold"), ("A 5-fold rise.", "5-fold"), ("It has 2020 employees.", "2020"),
        ("Debt is $2025.", "$2025"), ("Sales were 2025 million.", "2025 million"), ("EPS6.08 was good.", "6.08"),
        ("EPS was ６.０８.", "6.08"), ("Margin of 3\u{200B}5%.", "35%"), ("A mid-40% margin.", "40%"),
        ("It was profitable in 9 years.", "9 years"), ("Shares fell to $12.50.", "$12.50"),
        ("It grew 400 basis points.", "400 basis points"), ("It serves 35 countries.", "35"),
        ("It holds 1.4e9 in cash.", "1.4e9"), ("It pays 3½% a year.", "3½%"), ("The Graham number 112 is low.", "112"),
        ("Of every $100 of sales, $35 is kept.", "$35"), ("Sales of 1.234.567 euros.", "1.234.567 euros"),
        ("It needed 0.5 percentage points more.", "0.5 percentage points"), ("Score: 73/100.", "73/100"),
        ("The S&P 500 rose 12%.", "12%"), ("[35]% of sales", "35"), ("A $5bn-plus cost", "$5bn"),
        ("It paid fifteen billion in dividends.", "fifteen billion"), ("It has 416.2 billion users.", "416.2 billion"),
        ("It is 1/3 of sales.", "1/3"), ("Growth of five to six percent.", "five"), ("72 to 26.9%", "72"),
    ])
    func aFigureThatIsNotInTheFactsIsNamed(_ text: String, _ figure: String) {
        #expect(complaints(text) == [figure])
    }

    @Test(arguments: [
        "In fiscal 2025 (FY2025, FY25, fiscal '25), the year to September 27, 2025, it filed its 10-K and three 10-Qs.",
        "Q3 2025 and 3Q25 and H1 2024 are in its 10-Q; see Form 8-K, 20-F and DEF 14A.",
        "From 2016 to 2025, 2016–2025, 2016-25 and in the 1990s, it was listed in the S&P 500 and the Nasdaq-100.",
        "Founded on 1 April 1976; filed 2025-10-31 (10/31/2025) at 16:30.",
        "1. The first risk.\n2. The second risk.\n3) The third.",
        "There are three risks, two of them new, and one of three is old.",
        "All 3 main risks matter: (1) debt and (2) taxes.",
        "A five-year average, a 10-year median, the last ten years, the past 10 years and trailing twelve months.",
        "The iPhone 17, Windows 11, 5G, COVID-19, a Boeing 737, the H100 and 3D glasses.",
        "See Note 7, Item 1A, Section 404, ASC 606 and page 12 [3] [revenue_2025].",
        "In the first half and the fourth quarter, the 20th of its kind.", "It is one quarter of many.",
        "It is the No. 1 seller and the #2 brand.",
        "Double-digit growth, twice a year, billions of dollars, hundreds of stores and dozens of products.",
        "On a scale of 0 to 10, with 0–100 scale scores elsewhere.", "Half-year figures are left out.",
        "It lost money three times in that decade.", "Only 4 annual reports are at hand; 4 are needed.",
    ])
    func aNumberThatIsNoFigureIsPassedOver(_ text: String) {
        let allowed = text.hasSuffix("4 are needed.") ? ["4"] : []
        #expect(complaints(text) == allowed)
    }

    @Test(arguments: [
        ("Other income was $1.2 billion.", "$1.2 billion"), ("Revenue grew 2.8% in 2023.", "2.8%"),
        ("Revenue fell 6.4% in 2025.", "6.4%"), ("Growth was −6.4%.", "−6.4%"), ("Growth was +2.8%.", "+2.8%"),
    ])
    func anAmountWithTheWrongSignIsNamed(_ text: String, _ figure: String) throws {
        let found = try #require(FigureCheck(facts: facts).unsupported(in: text).first)
        #expect(found.figure == figure.replacing("−", with: "-"))
        guard case .wrongSign = found.reason else {
            Issue.record("\(found.reason)")
            return
        }
    }

    @Test func aFailureQuotesItsSentence() throws {
        let text = "Sales grew. Apple Inc. earned $99.9 billion in the U.S. last year. All is well."
        let found = try #require(FigureCheck(facts: facts).unsupported(in: text).first)
        #expect(found.sentence == "Apple Inc. earned $99.9 billion in the U.S. last year.")
    }

    @Test func figuresOfQuotableTextsMayBeRepeated() {
        let question = "Is the return on capital above 15%?"
        #expect(complaints("That beats the 15% asked for.", quotable: [question]) == [])
        #expect(complaints("That beats the 17 billion asked for.", quotable: [question]) == ["17 billion"])
        #expect(complaints("That beats the 15.4% asked for.", quotable: [question]) == ["15.4%"])
    }

    @Test func aSmallFallThatIsWrittenAsZeroHasNoSign() {
        let check = FigureCheck(facts: [Fact(-0.0004, .ratio, label: "growth"), Fact(-0.003, .usd, label: "earnings")])
        #expect(check.unsupported(in: "Revenue growth was 0.0% and earnings were $0.00 per share.").isEmpty)
        #expect(!check.unsupported(in: "Revenue growth was 0.04%.").isEmpty)
    }

    @Test func withoutFactsEveryFigureIsUnsupported() {
        let found = FigureCheck(facts: []).unsupported(in: "It made $1 on 2% of 3 million units.")
        #expect(found.map(\.figure) == ["$1", "2%", "3 million"])
    }
}
