package import JSON

/// A calm explanation in the shape of the personalized feed: the union of the two that the news documents print.
///
/// A model wrote the five parts; this type contains them in other members.
package struct PersonalExplanation: Sendable, Hashable {
    private let parts: JSON
    private let signal: Signal

    /// `nil` for an explanation without text.
    package init?(_ parts: JSON, signal: Signal) {
        guard parts["what_happened"]?.string?.isEmpty == false else { return nil }
        self.parts = parts
        self.signal = signal
    }

    package var json: JSON {
        let matters = text("why_it_matters_now")
        return [
            "summary": JSON(text("what_happened")), "whyItMattersForYou": JSON(matters),
            "whyThisHappened": JSON(text("why_it_happened")), "mostLikelyScenarios": .array(scenarios),
            "whatToKeepInMind": JSON(keepInMind),
            "sources": .array(sources), "confidence": JSON(confidence),
            "headline": JSON(Sentences.of(matters).first ?? ""), "impact": JSON(matters),
            "action": signal.json["action"] ?? "", "context": JSON(text("why_it_happened")),
            "forYourHoldings": parts["for_your_holdings"] ?? .null, "notKnownYet": parts["not_known_yet"] ?? [],
        ]
    }

    private func text(_ name: String) -> String { parts[name]?.string ?? "" }

    /// Explanations of earlier versions have the sentences of the calm reframes in their place.
    private var keepInMind: [String] {
        let points = (parts["what_to_keep_in_mind"]?.array ?? []).compactMap(\.string)
        return points.isEmpty ? Sentences.of(text("what_this_does_not_mean")) : points
    }

    private var scenarios: [JSON] {
        let written = (parts["scenarios"]?.array ?? []).map { scenario -> JSON in
            func part(_ name: String) -> String { scenario[name]?.string ?? "" }
            return [
                "scenario": JSON("\(part("title")): \(part("description"))"), "likelihood": JSON(part("likelihood")),
                "whatConfirmsIt": JSON(part("what_confirms_it")),
                "whatMakesItUnlikely": JSON(part("what_makes_it_unlikely")),
            ]
        }
        return written.isEmpty ? scenariosOfText : written
    }

    /// The scenarios of an explanation of an earlier version, which are in its text alone: evidence for one path is
    /// evidence against the others.
    private var scenariosOfText: [JSON] {
        let all = Scenario.all(in: text("what_to_watch_next"))
        return all.indices.map { place in
            let other = all[(place + 1) % all.count].sign
            return [
                "scenario": JSON(all[place].path), "likelihood": JSON(all[place].likelihood),
                "whatConfirmsIt": JSON(all[place].sign), "whatMakesItUnlikely": JSON(all.count > 1 ? other : ""),
            ]
        }
    }

    private var sources: [JSON] {
        (parts["sources_summary"]?.array ?? []).map { source in
            let url = source["url"]?.string ?? ""
            let isPrimary = PrimarySources.contain(url)
            return [
                "name": JSON("\(source["publisher"]?.string ?? "") - \(source["title"]?.string ?? "")"),
                "type": JSON(isPrimary ? "Primary" : "Secondary"),
                "reason": JSON(
                    isPrimary ? "Published by the institution itself" : "A report of what happened"),
                "url": JSON(url),
            ]
        }
    }

    private var confidence: Double {
        switch text("cause_confidence") {
        case "High": 0.9
        case "Medium": 0.7
        default: 0.5
        }
    }
}

/// Primary sources: authorities, central banks, filings, and companies' pages for investors.
package enum PrimarySources {
    private static let hosts = [
        "sec.gov", "federalreserve.gov", "ecb.europa.eu", "bankofengland.co.uk", "bls.gov", "bea.gov", "treasury.gov",
        "fred.stlouisfed.org", "imf.org", "bis.org",
    ]

    package static func contain(_ url: String) -> Bool {
        let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        let host = rest.prefix { !"/?#:".contains($0) }.lowercased()
        return hosts.contains { host == $0 || host.hasSuffix(".\($0)") } || host.hasSuffix(".gov")
            || host.hasPrefix("investor.") || host.hasPrefix("investors.") || host.hasPrefix("ir.")
    }
}
