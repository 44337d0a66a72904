import Testing

@testable import News

@Suite("Subjects of market news by their names")
struct KnownTopicsTests {
    private func keys(_ title: String) -> Set<String> {
        Set(KnownTopics.topics(in: HeadlineWords.of(title).words).topics.keys.map(\.key))
    }

    @Test(
        "Common words name no market and no country",
        arguments: [
            "Ford won an order for trucks or vans", "Fallece o no: soy optimista", "Rhode Island votes on a budget",
        ])
    func commonWords(title: String) { #expect(keys(title) == []) }

    @Test("A central bank without a name of its own here has its country")
    func homes() {
        #expect(keys("El Banco Central de Chile baja los tipos de interés").contains("bank of cl"))
        #expect(KnownTopics.home(of: "bank of cl") == "cl")
        #expect(KnownTopics.home(of: "boe") == "uk")
        #expect(KnownTopics.home(of: "nobody") == nil)
    }

    @Test("The won is named with its country")
    func won() { #expect(keys("Korean won hits 10-month low").contains("krw")) }
}
