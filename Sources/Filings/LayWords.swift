/// Words that readers use for what filings call otherwise: a search for one finds the others, with less weight.
enum LayWords {
    private static let weight = 0.35

    private static let groups: [Set<String>] = [
        "stop end suspend discontinue cease terminate prevent", "payout payment distribution dividend",
        "investor shareholder stockholder unitholder holder", "takeover acquisition acquire acquirer control",
        "rival competitor competition compete", "staff employee worker workforce personnel people labor",
        "customer client buyer consumer", "newcomer entrant entry barrier", "make produce manufacture production",
        "law regulation rule legislation", "plant factory facility site", "debt borrowing indebtedness notes loan",
        "hack breach cyberattack intrusion cybersecurity", "supplier vendor outsourcing source",
        "lawsuit litigation proceeding claim", "sales revenue", "profit earnings income", "cost expense",
        "raise increase grow rise", "fall decrease decline drop lower", "boss chief executive officer management",
        "buyback repurchase redeem", "invest investment capital expenditure", "research development innovation",
        "patent trademark intellectual property license", "weather climate natural disaster",
        "tariff trade duty import",
        "currency exchange foreign", "part portion percentage share proportion",
        "few concentrate concentration depend limited",
        "shop store restaurant outlet", "brand reputation image", "contract agreement", "land estate property",
        "pandemic epidemic health", "war conflict geopolitical", "shortage scarcity disruption interruption",
        "advantage strength differentiate unique", "keep retain retention", "leave depart departure lose loss",
    ].map { Set($0.split(separator: " ").map { PorterStemmer.stem(String($0)) }) }

    /// The stems of a question and those that mean nearly the same, in a fixed order.
    static func weighted(_ stems: Set<String>) -> [(stem: String, weight: Double)] {
        let others = groups.filter { !$0.isDisjoint(with: stems) }.reduce(into: Set<String>()) { $0.formUnion($1) }
        return (stems.map { ($0, 1) } + others.subtracting(stems).map { ($0, weight) }).sorted { $0.0 < $1.0 }
    }
}
