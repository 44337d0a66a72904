/// Takes off a headline what the publisher put on it: its own name, the wire's labels, a cut end.
enum HeadlineCleaner {
    static func clean(_ title: String, source: String) -> String {
        var title = withoutPublisher(title, source: source)
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
    /// Where the headline begins behind a label in capitals and its colon or hyphen.
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
