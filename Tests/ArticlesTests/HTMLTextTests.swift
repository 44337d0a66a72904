import Testing

@testable import Articles

@Suite struct HTMLTextTests {
    @Test func tagsAndReferencesBecomeText() {
        #expect(HTMLText.line("<b>Fed</b> holds &amp; waits&#8217; &#146;") == "Fed holds & waits’ ’")
        #expect(HTMLText.line("1 < 2 & 3") == "1 < 2 & 3")
        #expect(HTMLText.line("W<b>o</b>rd<script>x</script>") == "Word")
        #expect(HTMLText.plain("<p>One</p><p>Two</p>") == "One\n\nTwo")
        #expect(HTMLText.plain("just\n  text ") == "just\ntext")
    }

    @Test func hintsAreFoundInNamesOfClasses() {
        func hints(_ name: String) -> ClassHints { ClassHintMatcher.standard.hints(of: Array(name.utf8)[...]) }
        #expect(hints("post-Comments_wrap").contains(.unlikely))
        #expect(hints("ARTICLE__body").isSuperset(of: [.possible, .positive]))
        #expect(hints("hid").contains(.negative) && !hints("orchid").contains(.negative))
        #expect(hints("social-share").contains(.sharing) && !hints("shareholder").contains(.sharing))
        #expect(hints("").isEmpty && hints("x9%").isEmpty)
    }

    @Test func plainTextLosesControlCharacters() {
        #expect(PlainText.read(Array("a\r\nb\u{7}\rc\t\u{1B}[0m".utf8)) == "a\nb\nc\t[0m")
    }
}
