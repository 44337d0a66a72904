internal import Basics

/// Whether the titles of a story report a gain or a loss. It describes the news and is no advice.
package enum StoryTone: String, Sendable, Hashable, CaseIterable {
    case positive, negative, neutral

    /// The tone of at least half of the titles, when no title has the other one.
    ///
    /// Rates and prices of an economy, cases in court and opinions have no tone: who gains by them is not in the words.
    package init(titles: [String]) {
        let tones = titles.map { TitleReport.of($0).tone }
        let counts = (gain: tones.count { $0 == .positive }, loss: tones.count { $0 == .negative })
        if counts.loss == 0, counts.gain > 0, 2 * counts.gain >= titles.count {
            self = .positive
        } else if counts.gain == 0, counts.loss > 0, 2 * counts.loss >= titles.count {
            self = .negative
        } else {
            self = .neutral
        }
    }

    /// The tone of one title, by its words in lower case and the kinds of events that they name.
    init(words folded: [String], _ kinds: Set<EventKind>) {
        self = .neutral
        if kinds.contains(where: { $0.isEconomic || $0 == .court || $0 == .note }) { return }
        let words = folded.map { Stemmer.stem($0) }
        // `costs rise`, `loss narrows`, `pares losses`, `climbs although …`: the verb alone does not say for whom.
        if words.contains(where: Self.turns.contains) || folded.contains("losses") { return }
        let gains = words.contains(where: Self.gains.contains) || Self.says(folded, "up", "profit")
        let losses = words.contains(where: Self.losses.contains) || Self.says(folded, "down", "loss")
        // A title that has both counts for neither.
        if gains, !losses { self = .positive }
        if losses, !gains { self = .negative }
    }

    /// `profit down 20%`, `swings to a loss`: a direction before a number, or a result that a company comes to.
    private static func says(_ words: [String], _ direction: String, _ result: String) -> Bool {
        zip(words, words.dropFirst()).contains {
            $0 == direction && $1.first?.isNumber == true || $0 == "to" && $1 == result
        }
    }

    private static let gains = stems(
        """
        beat beats gain gains rises rise rose rally rallies surge surges jump jumps climb climbs tops topped record wins
        approved approves approval raises raised lifts lifted recover recovers expands
        """)
    private static let losses = stems(
        """
        miss misses fall falls fell drop drops slide slides slip slips slump slumps tumble tumbles plunge plunges sink
        sinks loss loses lost slashes slashed lowers lowered cuts recall recalls probe fraud
        bankruptcy bankrupt layoffs delay delays delayed outage breach hack hacked warns warning fined ban banned
        halts shortage
        """)

    private static let turns = stems(
        """
        narrows narrowed narrower slows slowing weakest although though despite but even while costs cost expenses debt
        fires deaths claims defaults complaints unemployment inflation spending rate rates fears tax taxes
        """)

    private static func stems(_ text: String) -> Set<String> {
        Set(text.listed.map { Stemmer.stem($0) })
    }
}

/// The kind of event, by the words of a story's titles.
package enum StoryTopic: String, Sendable, Hashable, CaseIterable {
    case earnings, economy, deal, regulation, market, product, leadership
    /// None of the others; may concern investors or not.
    case general

    /// The topic that at least half of the titles name; of two, the one that more name, then the one listed first.
    package init(titles: [String]) {
        var votes: [StoryTopic: Int] = [:]
        for topic in titles.compactMap({ TitleReport.of($0).topic }) { votes[topic, default: 0] += 1 }
        let best = Self.allCases.max { votes[$0, default: 0] < votes[$1, default: 0] } ?? .general
        let first = Self.allCases.first { votes[$0] == votes[best] } ?? .general
        self = 2 * votes[first, default: 0] >= max(titles.count, 1) ? first : .general
    }

    /// The topic that one title names, by its words in lower case and the kinds of events that they name.
    init?(words folded: [String], _ kinds: Set<EventKind>) {
        // `rating kept at neutral` is no rate, and an outage of Outlook no outlook.
        let words = Set(
            folded.filter {
                !["rating", "ratings", "rated"].contains($0) && !($0 == "outlook" && kinds.contains(.outage))
            }.map { Stemmer.stem($0) })
        if kinds.contains(.note) {
            self = .market
        } else if kinds.contains(.deal), !kinds.contains(.earnings) {
            self = .deal
        } else if let topic = Self.allCases.first(where: { !words.isDisjoint(with: Self.words[$0] ?? []) }) {
            self = topic
        } else {
            return nil
        }
    }

    private static let words: [StoryTopic: Set<String>] = [
        .earnings: stems(
            "earnings results quarterly revenue revenues profit profits guidance outlook eps dividend buyback q1 q2 q3 q4"
        ),
        .economy: stems(
            """
            fed ecb boj fomc rate rates inflation deflation recession gdp tariff tariffs jobless unemployment payrolls
            economy economic central treasury yields trade budget debt stimulus
            """),
        .deal: stems(
            """
            merger merge merges acquisition acquire acquires takeover buyout ipo stake partner partners partnership
            agreement contract deal invests investment
            """),
        .regulation: stems(
            """
            antitrust lawsuit lawsuits sues sued court judge fine fined probe regulator regulators ban banned recall recalls
            sanction sanctions settlement settles indicted fraud
            """),
        .market: stems(
            """
            shares stock stocks market markets bitcoin crypto selloff rally index nasdaq dow oil gold bond bonds etf
            """),
        .product: stems(
            """
            launch launches unveils unveil release releases product products service services device devices chip chips
            model phone app software store stores factory factories centre centres center centers data
            """),
        .leadership: stems("ceo cfo chairman chief executive resigns resign appoints appoint successor board layoffs"),
    ]

    private static func stems(_ text: String) -> Set<String> {
        Set(text.listed.map { Stemmer.stem($0) })
    }
}
