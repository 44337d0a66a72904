import HTTP
import Testing

@Suite struct EndpointURLTests {
    @Test func urlsOfUsersAreCheckedAsTheyAreWritten() throws {
        #expect(try EndpointURL.check("https://example.com/hook?a=b", allowing: []) == "https://example.com/hook?a=b")
        #expect(try EndpointURL.check("http://127.0.0.1:9/x", allowing: ["127.0.0.1"]) == "http://127.0.0.1:9/x")
        #expect(try EndpointURL.check("http://hooks.test/", allowing: ["hooks.test"]) == "http://hooks.test/")
        let refused: [(String, EndpointURL.Problem)] = [
            ("ftp://example.com", .invalid), ("/hook", .invalid), ("https://", .invalid),
            ("https://user@example.com", .hasUser), ("https://a:b@example.com", .hasUser),
            ("http://example.com", .insecure), ("http://127.0.0.1", .insecure), ("https://127.0.0.1", .notPublic),
            ("https://2130706433/", .notPublic), ("https://[::1]/", .notPublic), ("https://10.1.2.3", .notPublic),
            ("https://localhost/", .notPublic), ("https://a.localhost./", .notPublic),
            ("https://[::ffff:127.0.0.1]", .notPublic), ("https://169.254.169.254/latest", .notPublic),
        ]
        for (text, problem) in refused {
            #expect(throws: problem, "\(text)") { try EndpointURL.check(text, allowing: ["10.0.0.0/24"]) }
        }
    }
}
