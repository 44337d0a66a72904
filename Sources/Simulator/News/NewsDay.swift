/// The simulator's news day: a few events, some of them told by several publications, none of them true.
enum NewsDay {
    static let stories: [NewsStory] = markets + companies + further

    private static let wire = "Simulated Wire"
    private static let post = "The Simulated Post"
    private static let ledger = "Simulated Ledger"

    private static let markets = [
        NewsStory(
            slug: "central-bank-holds-rates", event: "rates", publication: wire, author: "Ada Example",
            category: "business", tickers: ["SPY"],
            title: "Central bank holds interest rates steady and waits for more data (simulated)",
            summary: "Policymakers left the benchmark rate unchanged and said inflation is easing slowly.",
            paragraphs: [
                "The central bank left its benchmark interest rate unchanged, as most economists had expected.",
                "In a short statement, policymakers said that inflation is easing, but slowly, and that they want to see "
                    + "more data before they change course. The vote was nine to one.",
                "Shares rose a little after the decision, and yields on ten-year government bonds fell by four basis points.",
            ], minutesAgo: 95),
        NewsStory(
            slug: "rates-unchanged-savers", event: "rates", publication: post, author: "Ben Sample",
            category: "business", tickers: ["SPY"],
            title: "Interest rates unchanged: central bank says inflation is easing slowly (simulated)",
            summary: "The benchmark rate stays where it is. What the decision means for savers and borrowers.",
            paragraphs: [
                "Borrowers will have to wait. The central bank kept its benchmark rate unchanged and said that inflation is "
                    + "easing more slowly than it had hoped.",
                "Banks had prepared their customers for the decision, so rates on mortgages and on savings hardly moved.",
                "The next meeting is in six weeks.",
            ], minutesAgo: 70),
        NewsStory(
            slug: "bitcoin-slips-after-outage", event: "bitcoin", publication: ledger, author: "Cleo Testperson",
            category: "business", tickers: ["BTC"],
            title: "Bitcoin slips after an outage at a large exchange (simulated)",
            summary: "Trading stopped for two hours; the exchange says that no customer lost money.",
            paragraphs: [
                "Bitcoin fell by about three percent after one of the large exchanges stopped trading for two hours.",
                "The exchange blamed a faulty update of its matching engine and said that no customer had lost money. "
                    + "Trading has since resumed.",
                "Prices recovered half of the loss within the afternoon, on thin volume.",
            ], minutesAgo: 180),
    ]

    private static let companies = [
        NewsStory(
            slug: "apple-opens-repair-centres", event: "apple-repair", publication: wire, author: "Dan Placeholder",
            category: "technology", tickers: ["AAPL"],
            title: "Apple to open repair centres in twelve more cities (simulated)",
            summary: "The company extends its own repair service; independent shops worry about spare parts.",
            paragraphs: [
                "Apple will open repair centres of its own in twelve more cities by the end of next year, it said.",
                "The centres will fix phones and notebooks within a day. Independent repair shops said that they fear for "
                    + "their supply of spare parts; Apple said that nothing would change for them.",
                "The company did not say what the programme costs. Its shares were little changed.",
            ], minutesAgo: 240),
        NewsStory(
            slug: "apple-repair-shops-react", event: "apple-repair", publication: post, author: "Eve Mockup",
            category: "technology", tickers: ["AAPL"],
            title: "Independent shops wary as Apple extends its repair service to more cities (simulated)",
            summary: "Twelve new repair centres are planned. Owners of small shops ask about spare parts.",
            paragraphs: [
                "Owners of small repair shops reacted warily to Apple's plan to open repair centres in twelve more cities.",
                "Their main question is whether spare parts will still reach them. Apple says that the supply is not affected.",
                "A trade group wants a written assurance and has asked for a meeting.",
            ], minutesAgo: 150),
        NewsStory(
            slug: "snowflake-data-centre-partner", event: "snowflake-partner", publication: ledger,
            author: "Finn Draft", category: "technology", tickers: ["SNOW"],
            title: "Snowflake names a second partner for its European data centres (simulated)",
            summary: "The agreement runs for five years; customers may choose where their data lies.",
            paragraphs: [
                "Snowflake has named a second partner for its data centres in Europe. The agreement runs for five years.",
                "Customers will be able to choose in which country their data lies, which public authorities had asked for.",
                "The companies gave no figures. Analysts called the step expected.",
            ], minutesAgo: 310),
        NewsStory(
            slug: "chip-maker-delays-factory", event: "chip-factory", publication: wire, author: "Gia Stub",
            category: "technology", tickers: ["NVDA", "TSM"],
            title: "Chip maker delays new factory by a year, suppliers adjust (simulated)",
            summary: "The start of production moves to the spring after next; orders are not affected, the company says.",
            paragraphs: [
                "A large contract manufacturer of chips will open its new factory a year later than planned.",
                "It named a shortage of skilled workers as the reason. Orders from designers of chips for data centres are "
                    + "not affected, since older factories run extra shifts.",
                "Two suppliers of equipment lowered their forecasts for the quarter.",
            ], minutesAgo: 400),
    ]

    private static let further = [
        NewsStory(
            slug: "sleep-study-night-shifts", event: "sleep", publication: post, author: "Hal Proxy", category: "health",
            tickers: [], title: "Study follows 4,000 night-shift workers for ten years (simulated)",
            summary: "Short naps before a shift helped more than long sleep after it.",
            paragraphs: [
                "Researchers who followed 4,000 night-shift workers for ten years report that short naps before a shift "
                    + "helped more than long sleep after it.",
                "The effect was small but held in all age groups. Outside experts called the study careful, and asked for "
                    + "a repetition with other professions.",
            ], minutesAgo: 520),
        NewsStory(
            slug: "telescope-finds-water-vapour", event: "telescope", publication: wire, author: "Ida Fixture",
            category: "science", tickers: [], title: "Telescope sees water vapour around a distant planet (simulated)",
            summary: "The planet is too hot for life, but the method works, astronomers say.",
            paragraphs: [
                "Astronomers have measured water vapour in the air of a planet that circles a star 120 light years away.",
                "The planet is too hot for life. The method, though, could be used on cooler ones within a few years.",
            ], minutesAgo: 610),
        NewsStory(
            slug: "cup-final-after-penalties", event: "cup", publication: post, author: "Jo Dummy", category: "sports",
            tickers: [], title: "Outsiders win the cup after penalties (simulated)",
            summary: "A goalkeeper of nineteen years saved three shots in the final.",
            paragraphs: [
                "The outsiders won the cup on penalties after a goalless final of 120 minutes.",
                "Their goalkeeper, nineteen years old and in only his fourth match, saved three shots.",
            ], minutesAgo: 700),
        NewsStory(
            slug: "old-cinema-opens-again", event: "cinema", publication: ledger, author: "Kim Model",
            category: "entertainment", tickers: [], title: "Old cinema opens again after two decades (simulated)",
            summary: "Volunteers restored the hall of 1931 and its organ.",
            paragraphs: [
                "A cinema of 1931 has opened its doors again after two decades. Volunteers restored the hall and its organ.",
                "The first film was shown in black and white, with music played live.",
            ], minutesAgo: 830),
    ]
}
