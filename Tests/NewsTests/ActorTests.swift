import Testing

@testable import News

@Suite("Actors of headlines under several names")
struct ActorTests {
    private func stories(_ titles: [String]) -> Int {
        var grouper = StoryGrouper()
        grouper.add(
            titles.enumerated().map {
                StoryArticle(id: "a\($0)", title: $1, url: "", source: "Paper \($0)", publishedAt: Int64($0))
            })
        return grouper.stories.count
    }

    private func reading(_ title: String) -> HeadlineReading {
        HeadlineReading(StoryArticle(id: "a", title: title, url: "", source: "", publishedAt: 0))
    }

    @Test(
        "A decision on rates is one story under all names of its bank",
        arguments: [
            ["Bank of England holds at 4.75% in split vote", "BoE leaves rates alone, three members wanted a cut"],
            ["Bank of Japan stands pat, yen weakens past 157", "BOJ keeps rates steady, Ueda cautious on wages"],
            ["Swiss National Bank surprises with half-point cut", "SNB slashes rate to 0.5% to weaken franc"],
            ["ECB lowers deposit rate to 3%", "European Central Bank eases again as growth fades"],
            ["ECB lowers deposit rate to 3%", "Euro zone gets its fourth rate cut of the year"],
            ["Old Lady stays put as prices rise", "BoE holds fire"],
            ["IMF cuts global growth forecast to 2.8%", "IWF senkt Prognose für die Weltwirtschaft auf 2,8 Prozent"],
        ])
    func oneStory(titles: [String]) { #expect(stories(titles) == 1) }

    @Test(
        "What two institutions do, or one does twice, is two stories",
        arguments: [
            ["Crude climbs as EU weighs fresh measures", "European Central Bank eases again as growth fades"],
            ["Bank of Japan lifts rates", "Japan's No. 2 and No. 3 carmakers explore joining forces"],
            ["BoE sits tight, two members vote to cut", "BoE to move gold vault staff out of London"],
            ["SEC clears first spot solana fund", "SEC charges founder of Halden Capital with fraud"],
            ["OECD lifts growth forecast for India", "OECD lifts growth forecast for Germany"],
            ["German inflation edges up to 2.2%", "Inflation in America ticks higher, as expected"],
            ["Starbucks sells its China business", "Oracle bones found in China"],
        ])
    func twoStories(titles: [String]) { #expect(stories(titles) == 2) }

    @Test(
        "A bank's decision is told without the word rate",
        arguments: [
            ("Riksbank cuts, says easing is over", true), ("Norges Bank holds fire", true),
            ("SNB goes to zero to rein in the franc", true), ("ECB pauses after seven cuts", true),
            ("Fed eases rules for small banks", false), ("ECB tightens rules on crypto", false),
            ("BoE cuts 200 jobs", false), ("Fed holds conference in Jackson Hole", false),
            ("Fed minutes show split over size of rate cut", false),
        ])
    func decision(title: String, isDecision: Bool) {
        #expect(reading(title).events.contains(.rates) == isDecision, "\(reading(title).events)")
    }

    @Test(
        "The rates of jobs, mortgages and taxes are no central bank's",
        arguments: ["Jobless rate holds at 4.1%", "Mortgage rates cut by lenders", "Italy cuts tax rate"])
    func otherRates(title: String) { #expect(!reading(title).events.contains(.rates)) }

    @Test(
        "An institution's short name is written in capitals",
        arguments: [
            ("SEC sues broker", ["sec"]), ("Ten sec lead for Norris", []), ("WHO warns of measles", ["health"]),
            ("Who won the debate", []), ("Old lady robbed in Leeds", []), ("Captain America returns", []),
            ("Inflation in America", ["us"]),
        ])
    func names(title: String, keys: [String]) {
        #expect(Set(KnownTopics.topics(in: HeadlineWords.of(title).words).topics.keys.map(\.key)) == Set(keys))
    }
}
