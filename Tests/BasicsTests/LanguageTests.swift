import Basics
import Testing

@Suite struct LanguageTests {
    @Test(arguments: [
        ("de", Language.german), ("de-CH", .german), ("DE-at-1996", .german), ("es-419", .spanish), ("fr-CA", .french),
        ("en-US", .english), ("pt-BR", nil), ("zh-Hans-CN", nil), ("x-de", nil), ("", nil), ("d", nil), ("de_DE", nil),
        ("de-", nil), ("german", nil), ("*", nil),
    ])
    func tagsAreLookedUpAsRFC4647Says(_ tag: String, _ language: Language?) {
        #expect(Language(tag: tag) == language)
    }

    @Test(arguments: [
        ("de-DE,de;q=0.9,en;q=0.8", Language.german), ("pl,en;q=0.5,fr;q=0.7", .french), ("en;q=0, es", .spanish),
        ("pl, cs;q=0.9", nil), ("*", nil), ("", nil), ("fr;q=abc, de;q=0.1", .german), ("en;q=0.8,de;q=0.8", .english),
        (" fr ; q=0.3 ", .french), (";;,,q=1", nil),
    ])
    func theHeaderIsReadByItsWeights(_ header: String, _ language: Language?) {
        #expect(Language(acceptLanguage: header) == language)
    }
}
