internal import Basics

/// What companies with everyday names deal in: `Delta cancels 300 flights` names the airline by its flights.
enum CompanyTrade {
    /// Whether a word in lower case belongs to the trade of the company with a symbol.
    static func has(_ word: String, of ticker: TickerSymbol) -> Bool {
        trades.contains { $0.companies.contains(ticker.text) && $0.words.contains(word) }
    }

    private struct Trade {
        var companies: Set<String>
        var words: Set<String>

        init(_ companies: String, _ words: String) {
            self.companies = Set(companies.listed)
            self.words = Set(words.listed)
        }
    }

    private static let trades = [
        Trade(
            "DAL UAL LUV AAL ALK",
            """
            flight flights route routes jet jets airliner airliners passengers pilots cabin airport airports fares
            baggage boeing airbus planes travelers travellers
            """),
        Trade(
            "GAP TGT BBY TPR",
            """
            store stores shop shops shoppers outlet outlets clothes clothing retailer merchandise handbags toys
            electronics
            """),
        Trade("V", "card cards payment payments merchants cardholders shopkeepers"),
        Trade("XYZ", "payment payments merchants wallet lending"),
        Trade(
            "SHEL", "oil gas lng refinery refineries drilling rig rigs wells offshore pipeline barrels fields platform"),
        Trade("CAT", "excavator excavators bulldozers machinery engines turbines mining dealers"),
        Trade("CCL", "cruise cruises ship ships passengers port ports liner liners"),
        Trade("META SNAP MTCH", "app apps users advertisers advertising messaging feeds dating"),
        Trade("BALL", "cans packaging aluminium aluminum"),
        Trade("DOW", "plastics chemicals chemical plastic ethylene polyethylene"),
        Trade("F", "trucks pickups cars vehicles dealers engines"),
    ]
}
