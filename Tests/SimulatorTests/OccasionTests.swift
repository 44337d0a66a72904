import Foundation
import JSON
import Testing

@testable import Simulator

/// Texts for the kinds of events that news are about.
@Suite struct OccasionTests {
    private static let kinds = Resource.json(PackageResources.occasions_json).array ?? []
    private static let languages: [(name: String, texts: JSON)] = [
        ("German", Resource.json(PackageResources.occasions_de_json)),
        ("Spanish", Resource.json(PackageResources.occasions_es_json)),
        ("French", Resource.json(PackageResources.occasions_fr_json)),
    ]

    /// The names of the members at every depth, without their texts.
    private static func shape(_ value: JSON) -> JSON {
        if let members = value.object {
            return .object(
                members.reduce(into: JSONObject()) { shape, member in
                    if member.key != "what_happened" { shape[member.key] = Self.shape(member.value) }
                })
        }
        return value.array.map { .array($0.prefix(1).map(shape)) } ?? ""
    }

    @Test func everyKindOfEventHasTheSameTextsInEveryLanguage() {
        for kind in Self.kinds where kind["name"] != "other" {
            let name = kind["name"]?.string ?? ""
            for (language, texts) in Self.languages {
                let own = Self.shape(texts[name] ?? .null).object ?? JSONObject()
                let english = Self.shape(kind["texts"] ?? .null).object ?? JSONObject()
                #expect(Set(own.keys) == Set(english.keys), "\(name) in \(language)")
                for (member, shape) in english { #expect(own[member] == shape, "\(member) of \(name) in \(language)") }
            }
        }
    }

    private static func answer(_ title: String, _ text: String, in language: String, holders: JSON = []) throws -> JSON
    {
        let user = """
            What stands below is data (title).
            <A>
            \(title)
            </A>
            It is data (a1).
            <B>
            \(text)
            </B>
            It is data (holders).
            <C>
            \(holders.compact)
            </C>
            Write the answer in \(language), whatever language the material is in.
            """
        let part: JSON = [
            "type": "object", "required": ["holding", "text"],
            "properties": [
                "holding": ["type": "string", "description": "the id of one of the holders"],
                "text": [
                    "type": "string",
                    "description": "two sentences beginning with \"Since you hold\" and the name of the holding",
                ],
            ],
        ]
        var call = SimulatedCall(model: "m", maxTokens: 4000)
        call.turns = [SimulatedCall.Turn(isFromUser: true, parts: [.text(user)])]
        call.schema = [
            "type": "object", "required": ["what_happened", "for_holders"],
            "properties": [
                "what_happened": ["type": "string", "description": "three to five sentences"],
                "for_holders": ["type": "array", "items": part],
            ],
        ]
        call.digest = String(repeating: "0", count: 64)
        return try JSON(parsing: ReplyComposer(call).reply(Reply.Usage(input: 0)).text)
    }

    private static let quarter = (
        title: "JPMorgan tops estimates as quarterly sales rise 9%",
        text: "JPMorgan said on reporting its third quarter that sales rose 9% to $42.8 billion. The bank earned more."
    )

    @Test(arguments: [
        ("German", "Es geht um das Quartal", "ist offen."),
        ("Spanish", "Se trata del trimestre", "no se sabe."),
        ("French", "Il s\u{2019}agit des affaires", "reste ouvert."),
    ])
    func whatHappenedInAnotherLanguageSaysTheKindThenTheNamesThenWhatIsOpen(
        language: String, kind: String, open: String
    ) throws {
        let answer = try Self.answer(Self.quarter.title, Self.quarter.text, in: language)
        let text = try #require(answer["what_happened"]?.string)
        let (event, name) = (try #require(text.range(of: kind)), try #require(text.range(of: "JPMorgan")))
        #expect(event.lowerBound < name.lowerBound && text.hasSuffix(open), "\(text)")
        #expect((3...5).contains(text.split(separator: " ").count { $0.hasSuffix(".") }), "\(text)")
    }

    @Test(arguments: [
        ("English", "Since you hold", "that business", "a single company"),
        ("German", "Da Sie", "dieses Gesch\u{E4}ft", "ein einzelnes Unternehmen"),
        ("Spanish", "Como usted tiene", "este negocio", "una sola empresa"),
        ("French", "Comme vous d\u{E9}tenez", "cette affaire", "une seule entreprise"),
    ])
    func holdersAreToldWhatAKindOfEventHasToDoWithTheirHolding(
        language: String, opening: String, own: String, near: String
    ) throws {
        let holders: JSON = [
            ["id": "JPM", "name": "JPM", "required": true], ["id": "banks", "name": "bank shares", "required": true],
        ]
        let answer = try Self.answer(Self.quarter.title, Self.quarter.text, in: language, holders: holders)
        let texts = (answer["for_holders"]?.array ?? []).compactMap { $0["text"]?.string }
        try #require(texts.count == 2)
        #expect(texts[0].hasPrefix(opening) && texts[0].contains("JPM") && texts[0].contains(own), "\(texts[0])")
        #expect(texts[1].hasPrefix(opening) && texts[1].contains("bank shares") && texts[1].contains(near))
    }

    @Test func aTextLongerThanItsSourceSaysThatTheSourceSaysNoMore() throws {
        let answer = try Self.answer(
            "Tesla price target lowered at Placeholder Capital",
            "Tesla price target lowered at Placeholder Capital. Its analysts say that margins on cars have fallen.",
            in: "English")
        let text = try #require(answer["what_happened"]?.string)
        for sentence in Phrases.shared.plain.bare { #expect(!text.contains(sentence), "\(text)") }
    }
}
