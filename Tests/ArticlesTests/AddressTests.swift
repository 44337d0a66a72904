import Testing

@testable import Articles

@Suite struct AddressTests {
    /// The examples of RFC 3986, section 5.4.
    @Test(arguments: [
        ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
        ("/g", "http://a/g"),
        ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q#s"),
        ("g#s", "http://a/b/c/g#s"), (";x", "http://a/b/c/;x"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
        ("..", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../g", "http://a/g"),
        ("../../../g", "http://a/g"), ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."),
        ("./../g", "http://a/b/g"), ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"),
        ("http://e/", "http://e/"),
    ])
    func referencesAreResolved(reference: String, expected: String) {
        #expect(WebAddress("http://a/b/c/d;p?q").resolving(reference).description == expected)
    }

    @Test(arguments: [
        ("http://Example.COM:80/a/../b/?utm_source=x&id=2&a=1#top", "https://example.com/b?a=1&id=2"),
        ("https://example.com", "https://example.com/"), ("https://example.com:8443/x/", "https://example.com:8443/x"),
        ("http://user:pw@example.com/x?fbclid=1", "https://example.com/x"),
        ("https://example.com/x?b=2&a=1&b=1", "https://example.com/x?a=1&b=2&b=1"),
        ("http://example.com:8080/x", "http://example.com:8080/x"),
        ("http://example.com./x//../..///", "https://example.com/"),
        ("http://example.com/x? b=1&a=2 ", "https://example.com/x?a=2&b=1"),
        ("http://[2001:DB8::1]:8080/", "http://[2001:db8::1]:8080/"),
        ("http://[2001:db8::1]", "https://[2001:db8::1]/"),
        ("https://youtu.be/dQw4w9WgXcQ?t=5", "https://www.youtube.com/watch?v=dQw4w9WgXcQ"),
        ("http://m.youtube.com/shorts/dQw4w9WgXcQ", "https://www.youtube.com/watch?v=dQw4w9WgXcQ"),
        ("https://youtube.com/watch?list=1&v=dQw4w9WgXcQ", "https://www.youtube.com/watch?v=dQw4w9WgXcQ"),
        ("https://www.youtube.com/@someone", "https://www.youtube.com/@someone"),
    ])
    func addressesGetOneForm(text: String, expected: String) {
        #expect(CanonicalURL.normalized(text) == expected)
        #expect(CanonicalURL.normalized(expected) == expected)
    }

    @Test(arguments: ["", "mailto:a@b.example", "ftp://example.com/x", "/x", "javascript:alert(1)", "http://"])
    func otherTextsHaveNoCanonicalForm(text: String) {
        #expect(CanonicalURL.normalized(text) == nil)
    }

    @Test(arguments: [
        ("https://example.com/story", "https://example.com/story"),
        ("/story", "https://example.com/story"),
        ("https://www.example.com/story", "https://www.example.com/story"),
        // Another site's address, the front page and nonsense are not believed.
        ("https://other.example/story", "https://amp.example.com/story/amp"),
        ("https://example.com/", "https://amp.example.com/story/amp"), ("::", "https://amp.example.com/story/amp"),
    ])
    func aPagesCanonicalAddressIsCheckedBeforeUse(stated: String, expected: String) {
        let found = stated == "/story" ? "https://example.com/story?utm_medium=x" : "https://amp.example.com/story/amp"
        let article = Article(statedURL: stated == "::" ? "http://[" : stated, text: "")
        #expect(CanonicalURL.of(article, foundAt: found) == expected)
    }
}
