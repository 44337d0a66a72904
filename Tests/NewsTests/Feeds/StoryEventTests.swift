import JobQueue
import Testing

@testable import News

@Suite("What happened in a story, by its headlines")
struct StoryEventTests {
    @Test(
        "A cut forecast is the event, and not the move of the share that follows it",
        arguments: [
            "Target cuts full-year earnings forecast, stock sinks 20%", "Nike trims outlook, shares slide 15%",
        ])
    func forecast(title: String) { #expect(StoryEvent(titles: [title]) == .topic(.earnings)) }

    @Test(
        "What an institution expects of an economy is no company's results, in each language",
        arguments: [
            "Bundesbank senkt Wachstumsprognose für 2027 auf 0,2 Prozent",
            "IMF cuts global growth forecast to 2.8%", "IWF senkt Prognose für die Weltwirtschaft auf 2,8 Prozent",
        ])
    func economy(title: String) {
        #expect(StoryEvent(titles: [title]).topic == .economy, "\(StoryEvent(titles: [title]))")
    }

    @Test(
        "A giant's forecast is of moderate impact at least",
        arguments: [
            "Nvidia guides above estimates", "Cisco raises full-year outlook",
            "Bundesbank senkt Wachstumsprognose für 2027 auf 0,2 Prozent",
        ])
    func impact(title: String) {
        let member = Story.Member(
            article: StoryArticle(id: "a", title: title, url: "", source: "Paper", publishedAt: 0), similarity: 1)
        #expect(StoryProfile(of: Story(id: StoryID("s"), members: [member])).impact >= .moderate)
    }
}
