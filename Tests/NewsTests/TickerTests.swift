import Testing

@testable import News

@Suite struct TickerTests {
    @Test(arguments: [
        ("Apple unveils a cheaper phone", ["AAPL"]),
        ("Shares of Apple and Microsoft rose", ["AAPL", "MSFT"]),
        ("An apple a day and other myths", []),
        ("The Big Apple gets a new park", []),
        ("Apple pie recipes for autumn", []),
        ("Meta shares slide after results", ["META"]),
        ("A meta analysis of sleep studies", []),
        ("Target misses its target", ["TGT"]),
        ("Police find target of the attack", []),
        ("Gap shares jump as Old Navy recovers", ["GAP"]),
        ("Mind the gap: wages fall behind", []),
        ("Harrison Ford returns to the screen", []),
        ("Ford recalls 90,000 trucks", ["F"]),
        ("Ford Motor Co. cuts its outlook", ["F"]),
        ("Tourists wait months for a visa", []),
        ("Visa shares hit a record", ["V"]),
        ("Fire closes a block of flats", []),
        ("Snap judgments and how to avoid them", []),
        ("Snap Inc. lays off 500", ["SNAP"]),
        ("Traders pile into $TSLA and $BRK.B", ["TSLA", "BRK-B"]),
        ("It costs $5 or $US 7", []),
        ("Dicks Sporting Goods Inc. (NYSE:DKS) profit up", ["DKS"]),
        ("Tiny Mines (OTCMKTS: TINY) rises", ["TINY"]),
        ("Herbalife (HLF) rejects claims", ["HLF"]),
        ("Watch now (VIDEO)", []),
        ("bitcoin slips, Ether and Dogecoin follow", ["BTC", "ETH", "DOGE"]),
        ("GM to face probe; General Motors declines comment", ["GM"]),
        ("JC Penney and J.P. Morgan strike a deal", ["JPM"]),
        ("Macy's opens early while Bill Macy sleeps", ["M"]),
        ("Berkshire Hathaway adds to Coca-Cola stake", ["BRK-B", "KO"]),
        ("$A falls as tensions escalate, prizes worth $M", []),
        ("Traders buy $F and $T", ["F", "T"]),
        ("Fans meet at a launch party (LINK)", []),
        ("Chainlink (LINK) rallies", ["LINK"]),
        ("Bitcoin Cash Machine appears in Leeds", ["BTC"]),
        ("Bitcoin Cash falls behind Solana (SOL)", ["BCH", "SOL"]),
        ("BTC slides as ETH/USD and XRP-USD follow", ["BTC", "ETH", "XRP"]),
        ("Citi Bike comes to Queens", []),
        ("Citi upgrades Macy's", ["C", "M"]),
        ("First Apple TV update of the year", ["AAPL"]),
        ("Apple seeks a way into cars", ["AAPL"]),
        ("Ford, Toyota recall thousands of vehicles", ["F", "TM"]),
        ("Meta to cut 10,000 jobs", ["META"]),
        ("Target misses estimates", ["TGT"]),
        ("UPS to cut 20,000 jobs", ["UPS"]),
        ("Target and Visa report earnings", ["TGT", "V"]),
        ("TSLA stock slides", ["TSLA"]),
        ("Workers at Gap vote to strike", ["GAP"]),
        ("Police say target to cut crime was missed", []),
        ("Block party to open at noon", []),
        ("Shell of abandoned mall to become apartments", []),
        ("Meta-analysis finds coffee drinkers live longer", []),
        ("Lilly Allen tours again", []),
        ("Tesla coil show lights up science museum", []),
        ("Progressive lawmakers reject budget deal", []),
        ("Dow falls 400 points as yields climb", []),
        ("Dow to close three European plants", ["DOW"]),
        ("Delta to resume Tel Aviv flights in spring", ["DAL"]),
        ("Apple, Goldman end credit-card partnership", ["AAPL", "GS"]),
        ("Square parent Block to cut 1,000 jobs", ["XYZ"]),
        ("Carnival books record bookings", ["CCL"]),
        ("Southwest scraps 40 flights in fog", ["LUV"]),
        ("Southwest swelters in record heat", []),
        ("Target remodels 90 stores", ["TGT"]),
        ("Carnival ships skip a stormy port", ["CCL"]),
        ("Carnival fills streets with samba", []),
        ("Ball lifts its outlook", ["BALL"]),
        ("Ball drops at midnight on New Year's Eve", []),
        ("United wins 3-1 at home", []),
        ("United tops Arsenal 3-1", []),
        ("United tops profit estimates", ["UAL"]),
        ("Owner of Zara posts higher sales", ["IDEXY"]),
        ("Zara owner posts higher sales", ["IDEXY"]),
        ("EA agrees to a buyout", ["EA"]),
    ]) func companiesAreFoundInText(text: String, expected: [String]) {
        #expect(TickerRecognizer().tickers(in: text).map(\.text) == expected)
    }

    @Test func aMentionSaysHowSureItIs() {
        func certainty(_ text: String) -> Double? { TickerRecognizer().mentions(in: text).first?.certainty }
        #expect(certainty("Traders buy $TSLA") == 1)
        #expect(certainty("Microsoft opens an office") == 0.95)
        #expect(certainty("Apple shares rise") == 0.9)
        #expect(certainty("Target misses estimates") == 0.8)
        #expect(certainty("Ford, Toyota recall thousands of vehicles") == 0.7)
    }

    @Test(arguments: [
        ("aapl", "AAPL"), (" BRK.B ", "BRK-B"), ("brk-b", "BRK-B"), ("BRK/B", "BRK-B"), ("BTC", "BTC"),
        ("7203", "7203"), ("eth", "ETH"), ("DOGE", "DOGE"),
    ]) func symbolsHaveOneSpelling(text: String, expected: String) {
        #expect(TickerSymbol(text)?.text == expected)
    }

    @Test(arguments: ["", "TOOLONG", "A B", "BRK-", "-B", "AA-BBB", "A-B-C", "AÄ", "A$"])
    func otherTextsAreNoSymbol(text: String) {
        #expect(TickerSymbol(text) == nil)
    }

    @Test func everyBundledSymbolIsListedOnce() {
        let lines = String(decoding: PackageResources.companies_tsv, as: UTF8.self).split(separator: "\n")
        #expect(lines.count == CompanyDirectory.bundled.names.count)
        #expect(lines.count > 250)
    }
}
