internal import Basics

/// Removes a publisher's additions from a headline: its own name, the wire's labels, a cut end, invisible marks.
enum HeadlineCleaner {
    static func clean(_ title: String, source: String) -> String {
        var title = withoutPublisher(InvisibleMarks.removed(from: title), source: source)
        if let end = title.range(ofLabel: [
            "UPDATE", "BRIEF", "HIGHLIGHTS", "FACTBOX", "EXCLUSIVE", "CORRECTED", "WRAPUP",
            "RPT", "PRESS DIGEST", "VIDEO", "PHOTO", "PHOTOS", "WATCH", "BREAKING", "LIVE", "POLL", "ANALYSIS",
        ]) {
            title = String(title[end...])
        }
        return title
    }

    /// `Fed raises rates - Reuters`, `… | CNN Money`, `… (uproxx.com)`, and a remark such as `… (video)`.
    private static func withoutPublisher(_ title: String, source: String) -> String {
        let name = key(source)
        for separator in [" - ", " | ", " – ", " — ", " :: "] {
            guard let place = title.ranges(of: separator).last else { continue }
            let ending = title[place.upperBound...]
            let words = ending.split(separator: " ").count
            let isName = !name.isEmpty && (key(ending).contains(name) || name.contains(key(ending)))
            if words > 0, words <= 6, isName || publishers.contains(key(ending)) {
                return String(title[..<place.lowerBound])
            }
        }
        if title.hasSuffix(")"), let open = title.lastIndex(of: "(") {
            let remark = title[open...].dropFirst().dropLast()
            if !remark.contains(" "), remark.contains(".") || remark.allSatisfy(\.isLowercase) {
                return String(title[..<open])
            }
        }
        return title
    }

    private static func key(_ name: some StringProtocol) -> String {
        String(name.lowercased().unicodeScalars.filter { $0.properties.isAlphabetic || Words.isDigit($0) })
    }

    private static let publishers: Set<String> = [
        "reuters", "bloomberg", "cnbc", "cnn", "cnnmoney", "cnnbusiness", "marketwatch", "wsj", "thewallstreetjournal",
        "barrons", "financialtimes", "ft", "forbes", "fortune", "benzinga", "seekingalpha", "themotleyfool",
        "yahoofinance", "businessinsider", "apnews", "associatedpress", "bbc", "bbcnews", "theguardian",
        "thenewyorktimes", "nytimes", "washingtonpost", "thewashingtonpost", "usatoday", "foxbusiness", "foxnews",
        "nbcnews", "cbsnews", "abcnews", "npr", "axios", "politico", "thehill", "techcrunch", "theverge", "wired",
        "arstechnica", "engadget", "zacks", "zackscom", "investorsbusinessdaily", "thestreet", "coindesk",
        "cointelegraph", "theblock", "decrypt", "nasdaq", "analystblog", "sportsillustrated", "variety", "bbcsport",
    ]
}

extension String {
    /// The start of the headline after a label in capitals and its colon or hyphen.
    fileprivate func range(ofLabel labels: [String]) -> String.Index? {
        let start = first == "[" ? index(after: startIndex) : startIndex
        for label in labels where self[start...].hasPrefix(label) {
            let rest = self[index(start, offsetBy: label.count)...]
            let behind = rest.drop { $0.isNumber || $0 == " " }
            if let mark = behind.first, mark == ":" || mark == "-" || mark == "]" {
                return behind.dropFirst().startIndex
            }
        }
        return nil
    }
}

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
            "acquisition: acquire", "bitcoin: btc", "ethereum: eth ether", "ipo: flotation", "layoff: redundancy",
            "antitrust: monopoly", "tariff: tariffs", "airline: airlines", "auto: automaker carmaker", "ev: evs",
            "earthquake: quake", "film: movie", "airplane: aircraft plane jet", "cop: policeman", "gold: bullion",
            "dollar: greenback", "oil: brent wti",
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
