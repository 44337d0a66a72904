/// Crypto assets that users hold and watch by the symbol under which they trade. They file no reports.
///
/// Some symbols are those of listed companies too (`BTC` is also a trust); in this service they mean the asset.
package enum CryptoAsset {
    private static let names = [
        "ADA": "Cardano", "BNB": "BNB", "BTC": "Bitcoin", "DOGE": "Dogecoin", "ETH": "Ethereum", "LTC": "Litecoin",
        "SOL": "Solana", "USDC": "USD Coin", "USDT": "Tether", "XRP": "XRP",
    ]

    /// The name of the asset with a symbol in capitals; `nil` for other symbols.
    package static func name(of symbol: String) -> String? { names[symbol] }

    /// All of them: symbol and name.
    static let all = names.sorted { $0.key < $1.key }.map { (symbol: $0.key, name: $0.value) }

    /// The name of its price in dollars at Financial Modeling Prep.
    static func pair(of symbol: String) -> String { symbol + "USD" }
}
