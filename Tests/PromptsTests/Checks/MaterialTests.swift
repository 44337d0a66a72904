import Basics
import JSON
import TestSupport
import Testing

@testable import Prompts

/// The material of an answer is read once for all rules, and once for an answer and its repair.
@Suite struct MaterialTests {
    private func content(_ text: String, facts: [Fact] = []) -> Material.Content {
        Material.Content(texts: [text], facts: facts)
    }

    private func cache(capacity: Int) -> ReadCache<Material.Content, Material> {
        ReadCache(capacity: capacity, size: \.size)
    }

    @Test func sameTextsAndFactsAreOneMaterial() {
        let cache = cache(capacity: 1000)
        func material(_ text: String, facts: [Fact] = []) -> Material {
            cache.value(content(text, facts: facts), Material.init)
        }
        let fact = Fact(5, .usd, label: "Revenue")
        let first = material("Apple earned 5 dollars.", facts: [fact])
        #expect(material("Apple earned 5 dollars.", facts: [fact]) === first)
        #expect(material("Apple earned 5 dollars.") !== first)
        #expect(material("Apple earned 6 dollars.", facts: [fact]) !== first)
    }

    @Test func theOldestMaterialMakesRoom() {
        let cache = cache(capacity: 100)
        let texts = (0..<5).map { String(repeating: "\($0)", count: 25) }
        func material(_ number: Int) -> Material { cache.value(content(texts[number]), Material.init) }
        let kept = (0..<4).map(material)
        #expect(material(0) === kept[0])
        _ = material(4)
        // A quarter of the room is free again.
        #expect(cache.count == 3)
        #expect(material(0) === kept[0])
        #expect(material(3) === kept[3])
        #expect(material(1) !== kept[1])
    }

    @Test func aLargeMaterialIsNotKept() {
        let cache = cache(capacity: 100)
        func material(_ text: String) -> Material { cache.value(content(text), Material.init) }
        let small = material("small")
        let large = String(repeating: "a", count: 26)
        #expect(material(large) !== material(large))
        #expect(material("small") === small)
        #expect(cache.count == 1)
    }

    /// A text that two materials have in common is read once, and each takes its own names for names.
    @Test func aTextOfTwoMaterialsHasTheNamesOfEach() {
        let shared = ParsedText("Umbrella earned 5 billion dollars in 2025.")
        let claim = ParsedText("Initech earned 5 billion dollars in 2025.")
        func rule(_ names: Set<String>) -> FigureOwnerRule {
            FigureOwnerRule(sources: [shared], facts: [], names: names)
        }
        #expect(rule(["umbrella", "initech"]).problem(in: claim, .english) != nil)
        #expect(rule([]).problem(in: claim, .english) == nil)
        #expect(rule(["umbrella", "initech"]).problem(in: claim, .english) != nil)
    }

    /// One sentence without an end, of words that each rule reads.
    private static let endless = [
        "not 5 ", "31m x ", "5% ", "5-6 ", "Apple 5 ", "euro 5 ", "never no not ", "because it ", "Apple Inc, ",
        "in 2026 ", "January 5, ", "may might could ", "which says that ", "$5 million and ", "Alpha Beta ", "he said ",
    ]

    @Test(arguments: endless) func aHostileMaterialIsReadInTimeThatGrowsWithItsLength(_ words: String) {
        let growth = CPUCost.growth(
            { size in
                self.content(
                    "Apple reported revenue of 5 billion dollars. "
                        + String(repeating: words, count: size / words.count))
            }, from: 4000
        ) { content in
            let material = Material(content)
            _ = (material.names(.english), material.dates, material.roles, material.claims, material.owners)
        }
        #expect(growth < CPUCost.linear)
    }

    @Test(arguments: endless) func aHostileMaterialIsReadQuicklyEnough(_ words: String) {
        let content = content(String(repeating: words, count: 6000 / words.count))
        let cost = CPUCost.milliseconds {
            let material = Material(content)
            _ = (material.names(.english), material.dates, material.roles, material.claims, material.owners)
        }
        // It was 24,000 ms; code that is not optimised takes several times as long as a release.
        #expect(cost < 3000)
    }

    @Test func aSentenceWithoutAnEndCountsAsSeveralWithAllOfItsWords() {
        let text = ParsedText("It " + String(repeating: "grew 5 percent and ", count: 200) + "fell. Then it rose.")
        #expect(text.sentences.map(\.words.count).max() == ParsedText.longestSentence)
        #expect(text.sentences.map(\.words.count).reduce(0, +) == text.words.count)
        #expect(text.sentences.map { text.plain.string($0.range) }.joined().contains("fell."))
    }

    /// The second check of an answer must not be held against the material of the first.
    @Test func eachAnswerIsHeldAgainstItsOwnMaterial() {
        let check = Check(.grounding(.names, sources: [], exempt: []))
        func passes(_ material: String) -> Bool {
            let context = CheckContext(
                output: #"{"text": "The plant in Ohio belongs to Marvell."}"#, input: ["article": .string(material)])
            return check.failures(in: context).isEmpty
        }
        for _ in 0..<2 {
            #expect(passes("Marvell owns a plant in Ohio."))
            #expect(!passes("Broadcom owns a plant in Ohio."))
        }
    }

    @Test func sentencesHaveTheWordsThatTheyHaveByThemselves() {
        let text = """
            In 2025, revenue rose 4.1% to $416,161 million. "It was a record," Mr. Cook said; costs fell.
            - Services: a first; No. 2 after phones!
            """
        let parsed = ParsedText(text)
        let sentences = Sentences.split(text)
        #expect(parsed.sentences.count == sentences.count && sentences.count == 3)
        for (sentence, alone) in zip(parsed.sentences, sentences) {
            let words = parsed.words(of: sentence)
            let own = CalmWords.split(NormalizedText(alone))
            #expect(words.map(\.text) == own.map(\.text))
            #expect(words.map(\.startsSentence) == own.map(\.startsSentence))
            #expect(words.map(\.endsSentence) == own.map(\.endsSentence))
            for word in words { #expect(parsed.plain.string(word.range) == word.text) }
        }
    }

    @Test(arguments: ["Straße", "ÉTÉ", "Ñandú 5", "œuvre", "a\u{1F600}b", ""])
    func scalarsMakeTheTextThatTheyComeFrom(text: String) {
        let plain = NormalizedText(text)
        #expect(plain.string(0..<plain.scalars.count) == text)
        for word in CalmWords.split(plain) { #expect(word.folded == word.text.folded) }
    }

    /// ASCII is decided without the table of properties.
    @Test func propertiesOfASCIIAreThoseOfUnicode() {
        for value in UInt32(0)...0x17F {
            guard let scalar = Unicode.Scalar(value) else { continue }
            #expect(scalar.isLetter == scalar.properties.isAlphabetic, "\(value)")
            #expect(scalar.isSpace == scalar.properties.isWhitespace, "\(value)")
            #expect(scalar.isUppercase == scalar.properties.isUppercase, "\(value)")
        }
    }
}
