import HTTP
import Testing

@Suite struct HTTPDateTests {
    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
        ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600), ("Sat, 21 Nov 2026 23:59:60 GMT", 1_795_305_600),
        ("Fri, 31 Dec 2100 00:00:00 GMT", 4_133_894_400), ("Wednesday, 01-Jan-69 00:00:00 GMT", 3_124_224_000),
    ])
    func theThreeFormatsAreRead(text: String, seconds: Int) {
        #expect(HTTPDate(text)?.secondsSinceEpoch == seconds)
    }

    @Test(arguments: [
        "", "now", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 PST", "Sun, 31 Feb 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT",
        "Sun, 29 Feb 2100 08:49:37 GMT", "Sun, 06 Nov 199 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
        "Sun, +6 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z",
    ])
    func otherTextsAreNoDates(text: String) {
        #expect(HTTPDate(text) == nil)
    }
}

@Suite struct RetryAfterTests {
    private let now = HTTPDate(secondsSinceEpoch: 784_111_777)

    @Test(arguments: [
        ("Retry-After", "0", Duration.zero), ("Retry-After", "120", .seconds(120)),
        ("retry-after", "0.5", .milliseconds(500)), ("retry-after-ms", "1500", .milliseconds(1500)),
        ("Retry-After-Ms", "12.5", .milliseconds(13)), ("Retry-After", "Sun, 06 Nov 1994 08:50:37 GMT", .seconds(60)),
        ("Retry-After", "Sun, 06 Nov 1994 08:00:00 GMT", .zero),
    ])
    func theWaitIsRead(name: String, value: String, expected: Duration) {
        #expect(RetryAfter.parse(HTTPHeaders([(name, value)]), now: now) == expected)
    }

    @Test(arguments: ["", "-1", "nan", "inf", "soon", "1e300", "40000000", "Sun, 06 Nov 2094 08:50:37 GMT"])
    func aWaitThatMakesNoSenseIsNone(value: String) {
        #expect(RetryAfter.parse(["Retry-After": value], now: now) == nil)
    }

    @Test func millisecondsGoBeforeSeconds() {
        #expect(RetryAfter.parse(["Retry-After": "9", "retry-after-ms": "20"], now: now) == .milliseconds(20))
        #expect(RetryAfter.parse(["Retry-After": "9", "retry-after-ms": "?"], now: now) == .seconds(9))
        #expect(RetryAfter.parse([:], now: now) == nil)
    }
}

@Suite struct PercentEncodingTests {
    @Test func everythingButTheUnreservedIsEncoded() {
        #expect(PercentEncoding.encode("aZ09-._~") == "aZ09-._~")
        #expect(PercentEncoding.encode("a/b?c&d=e+f g%#") == "a%2Fb%3Fc%26d%3De%2Bf%20g%25%23")
        #expect(PercentEncoding.encode("ü😀\n") == "%C3%BC%F0%9F%98%80%0A")
    }

    @Test func aQueryKeepsItsOrderAndRepetitions() {
        #expect(URLQuery.encode([("b", "1 2"), ("a", ""), ("b", "&=")]) == "b=1%202&a=&b=%26%3D")
        #expect(URLQuery.encode([]) == "")
    }

    @Test(arguments: [
        ("http://h", "v1/x", "http://h/v1/x"), ("http://h/", "/v1/x", "http://h/v1/x"),
        ("http://h/base/", "v1", "http://h/base/v1"), ("http://h/base", "/v1/", "http://h/base/v1/"),
        ("http://h/base", "", "http://h/base"),
    ])
    func aBaseAndAPathMeetInOneSlash(base: String, path: String, joined: String) {
        #expect(URLPath.join(base, path) == joined)
        #expect(URLPath.join(base, path, query: [("a", "b c")]) == joined + "?a=b%20c")
    }

    @Test func aQueryGoesOnWhereThePathHasOne() {
        #expect(URLPath.join("http://h", "x?k=v", query: [("a", "b")]) == "http://h/x?k=v&a=b")
    }
}
