/// How money is written: each form stands for the codes (ISO 4217) that it can mean.
enum Currencies {
    static let dollars: Set<String> = ["USD", "CAD", "AUD", "NZD", "HKD", "SGD", "TWD", "MXN", "BRL"]

    static let codes: Set<String> = [
        "USD", "EUR", "GBP", "JPY", "CNY", "RMB", "CHF", "CAD", "AUD", "NZD", "HKD", "SGD", "INR", "KRW", "TWD", "SEK",
        "NOK",
        "DKK", "BRL", "MXN", "ZAR", "ILS",
    ]

    static let symbols: [String: Set<String>] = [
        "$": dollars, "€": ["EUR"], "£": ["GBP"], "¥": ["JPY", "CNY"], "₹": ["INR"], "₩": ["KRW"], "₪": ["ILS"],
    ]

    /// Letters before a dollar sign.
    static let dollarPrefixes: [String: Set<String>] = [
        "us": ["USD"], "c": ["CAD"], "ca": ["CAD"], "a": ["AUD"], "au": ["AUD"], "nz": ["NZD"], "hk": ["HKD"],
        "s": ["SGD"], "nt": ["TWD"], "r": ["BRL"], "mx": ["MXN"],
    ]

    /// Words after a number, with the part of the currency's unit that they mean.
    static let words: [String: (codes: Set<String>, part: Double)] = [
        "dollar": (dollars, 1), "dollars": (dollars, 1), "cent": (dollars.union(["EUR"]), 0.01),
        "cents": (dollars.union(["EUR"]), 0.01), "euro": (["EUR"], 1), "euros": (["EUR"], 1), "pound": (["GBP"], 1),
        "pounds": (["GBP"], 1), "pence": (["GBP"], 0.01), "yen": (["JPY"], 1), "yuan": (["CNY"], 1),
        "renminbi": (["CNY"], 1), "francs": (["CHF"], 1), "rupees": (["INR"], 1), "kronor": (["SEK"], 1),
        "kroner": (["NOK", "DKK"], 1),
    ]

    /// The codes that a code as written stands for.
    static func codes(of written: String) -> Set<String> { written == "RMB" ? ["CNY"] : [written] }
}
