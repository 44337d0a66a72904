import Testing

@testable import Articles

@Suite struct HTMLTextTests {
    @Test func tagsAndReferencesBecomeText() {
        #expect(HTMLText.line("<b>Fed</b> holds &amp; waits&#8217; &#146;") == "Fed holds & waits’ ’")
        #expect(HTMLText.line("1 < 2 & 3") == "1 < 2 & 3")
        #expect(HTMLText.plain("<p>One</p><p>Two</p>") == "One\n\nTwo")
    }
}
