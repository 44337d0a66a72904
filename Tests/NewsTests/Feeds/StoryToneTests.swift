import Testing

@testable import News

@Suite("The tone of titles")
struct StoryToneTests {
    @Test(
        "A result that is plain in a title has its tone",
        arguments: [
            ("Boeing loses $821 million in the quarter", StoryTone.negative),
            ("Intel posts loss of $853 million", .negative), ("Paramount swings to a loss", .negative),
            ("Qualcomm quarterly profit down 20%", .negative), ("Salesforce slashes revenue outlook", .negative),
            ("Oracle shares slump 11%", .negative), ("Comcast profit falls 12%", .negative),
            ("AT&T swings to profit", .positive), ("Caterpillar lifts sales outlook", .positive),
            ("Netflix revenue up 16% on subscriber growth", .positive),
            // No court's trial.
            ("Moderna shares plunge 20% after trial fails", .negative),
        ])
    func plainResults(title: String, tone: StoryTone) { #expect(StoryTone(titles: [title]) == tone) }

    @Test(
        "A word that may be good or bad for somebody gives none",
        arguments: [
            "Ford's loss narrows in the quarter", "Stocks pare losses after a rough morning",
            "Insured losses from the storm rise", "Boeing's costs rise", "Fed lifts rates by a quarter point",
            "Inflation down 0.2 points in May", "Apple is sued over its store", "Jobless claims up 3% in a week",
        ])
    func noTone(title: String) { #expect(StoryTone(titles: [title]) == .neutral) }
}
