internal import JSON

/// Prices, profiles and ratios of the companies that the simulator carries, as Financial Modeling Prep has them. The
/// prices and what follows from them are made up.
enum FMPMarket {
    private struct Listing {
        var price: Double
        var previous: Double
        /// Shares outstanding, about.
        var shares: Double
        var sector: String
        var employees: String
        var founded: String
    }

    private static let listings: [String: Listing] = [
        "AAPL": Listing(
            price: 231.5, previous: 229.25, shares: 14_800_000_000, sector: "Technology", employees: "164000",
            founded: "1980-12-12"),
        "SNOW": Listing(
            price: 210.25, previous: 214.5, shares: 334_000_000, sector: "Technology", employees: "7834",
            founded: "2020-09-16"),
    ]

    /// The records of an endpoint; none for a symbol that is not carried. `nil` for an endpoint that is not simulated.
    static func records(_ endpoint: String, symbol: String, now: Int64) -> [JSON]? {
        guard ["quote", "profile", "ratios-ttm", "key-metrics-ttm"].contains(endpoint) else { return nil }
        guard let listing = listings[symbol], let company = CompanyFile.all.first(where: { $0.ticker == symbol }) else {
            return []
        }
        return switch endpoint {
        case "quote": [quote(company, listing, now)]
        case "profile": [profile(company, listing)]
        case "ratios-ttm":
            [["symbol": JSON(symbol), "priceToEarningsRatioTTM": JSON(listing.price / 10), "currentRatioTTM": 1.5]]
        default: [["symbol": JSON(symbol), "returnOnEquityTTM": 0.25]]
        }
    }

    private static func quote(_ company: CompanyFile, _ listing: Listing, _ now: Int64) -> JSON {
        let change = listing.price - listing.previous
        return [
            "symbol": JSON(company.ticker), "name": JSON(company.name + " (simulated)"), "price": JSON(listing.price),
            "changePercentage": JSON((change / listing.previous * 10_000).rounded() / 100), "change": JSON(change),
            "volume": 41_250_000, "dayLow": JSON(listing.price - 2), "dayHigh": JSON(listing.price + 2),
            "yearHigh": JSON(listing.price + 40), "yearLow": JSON(listing.price - 60),
            "marketCap": JSON(listing.price * listing.shares), "exchange": JSON(company.exchange.uppercased()),
            "open": JSON(listing.previous + 0.5), "previousClose": JSON(listing.previous),
            // Of the last full minute, so that it stays for that long.
            "timestamp": JSON(now / 60 * 60),
        ]
    }

    private static func profile(_ company: CompanyFile, _ listing: Listing) -> JSON {
        [
            "symbol": JSON(company.ticker), "price": JSON(listing.price),
            "marketCap": JSON(listing.price * listing.shares), "beta": 1.1, "companyName": JSON(company.name),
            "currency": "USD", "cik": JSON(company.paddedCIK), "exchange": JSON(company.exchange.uppercased()),
            "exchangeFullName": JSON(company.exchange), "industry": JSON(company.sicDescription),
            "sector": JSON(listing.sector), "country": "US", "website": "https://www.simulated.example",
            "description": JSON("\(company.name) as Dossier's simulator describes it."), "ceo": "Ada Example",
            "fullTimeEmployees": JSON(listing.employees), "ipoDate": JSON(listing.founded), "isEtf": false,
            "isActivelyTrading": true,
        ]
    }
}
