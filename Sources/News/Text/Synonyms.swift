/// Words that headlines use for one another.
enum Synonyms {
    static func of(_ stem: String) -> String { table[stem] ?? stem }

    private static let table: [String: String] = {
        let groups = [
            "china: chinese beijing", "japan: japanese", "russia: russian moscow kremlin", "britain: british",
            "ukraine: ukrainian kiev kyiv", "europe: european eu", "germany: german berlin", "france: french",
            "italy: italian rome", "spain: spanish", "india: indian", "korea: korean", "canada: canadian",
            "australia: australian", "greece: greek", "egypt: egyptian", "libya: libyan", "israel: israeli",
            "iran: iranian", "iraq: iraqi", "syria: syrian", "turkey: turkish", "mexico: mexican", "brazil: brazilian",
            "fed: fomc", "marijuana: cannabis pot weed", "gas: gasoline petrol", "merger: merge", "buyout: takeover",
            "acquisition: acquire", "bitcoin: btc", "ethereum: eth", "ipo: flotation", "layoff: redundancy",
            "antitrust: monopoly", "tariff: tariffs", "airline: airlines", "auto: automaker carmaker", "ev: evs",
            "earthquake: quake", "film: movie", "airplane: aircraft plane jet", "cop: policeman",
        ]
        var table: [String: String] = [:]
        for group in groups {
            let parts = group.split { $0 == ":" || $0 == " " }.map { Stemmer.stem(String($0)) }
            guard let head = parts.first else { continue }
            for part in parts { table[part] = head }
        }
        return table
    }()
}
