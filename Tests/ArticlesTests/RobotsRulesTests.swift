import Testing

@testable import Articles

@Suite struct RobotsRulesTests {
    private func rules(_ text: String) -> RobotsRules { RobotsRules(Array(text.utf8), for: "dossier") }

    @Test func theLongestRuleDecidesAndOfEqualOnesTheOneThatAllows() {
        let rules = rules("User-agent: *\nDisallow: /news\nAllow: /news/open\nDisallow: /a\nAllow: /a\n")
        #expect(!rules.allows("/news/closed") && rules.allows("/news/open/1") && rules.allows("/a"))
        #expect(rules.allows("/") && rules.allows(""))
    }

    @Test func aGroupForTheProgramTakesThePlaceOfTheCommonOne() {
        let file = "User-agent: *\nDisallow: /\n\nUser-Agent: Other\nUser-agent: DOSSIER\nDisallow: /private # mine\n"
        #expect(rules(file).allows("/x") && !rules(file).allows("/private/x"))
        #expect(!RobotsRules(Array(file.utf8), for: "another").allows("/x"))
    }

    @Test func groupsOfOneNameAreOne() {
        let rules = rules(
            "User-agent: dossier\nDisallow: /a\nUser-agent: x\nDisallow: /b\nUser-agent: dossier\nDisallow: /c\n")
        #expect(!rules.allows("/a") && rules.allows("/b") && !rules.allows("/c"))
    }

    @Test(arguments: [
        ("/*.pdf$", "/a/b.pdf", false), ("/*.pdf$", "/a/b.pdf?x", true), ("/a*z", "/abcz/more", false),
        ("/a*z", "/abc", true), ("/%7euser", "/~user/x", false), ("/ä", "/%C3%A4/x", false), ("*", "/x", false),
        ("/a%2Fb", "/a/b", true), ("$", "/", true), ("/x$", "/x", false), ("/*a*a*a*a*a*b", "/", true),
    ])
    func patternsHaveStarsAndEnds(_ pattern: String, _ path: String, _ isAllowed: Bool) {
        #expect(rules("User-agent: *\nDisallow: \(pattern)\n").allows(path) == isAllowed)
    }

    @Test func anEmptyRuleAndAnEmptyFileAllowEverything() {
        #expect(rules("User-agent: *\nDisallow:\n").allows("/x") && rules("").allows("/x"))
        #expect(rules("<html>not found</html>").allows("/x") && !RobotsRules.nothing.allows("/x"))
    }

    @Test func hostileFilesEndInTime() {
        let stars = String(repeating: "*a", count: 2000)
        let rules = rules("\u{FEFF}User-agent: *\r\nDisallow: /\(stars)b\r\nCrawl-delay: 7\r\n")
        #expect(rules.allows("/" + String(repeating: "a", count: 4000)) && rules.delay == 7)
        let many = self.rules("User-agent: *\n" + String(repeating: "Disallow: /p*a*a*a*a*b\n", count: 20_000))
        #expect(many.allows("/x") && !many.allows("/p" + String(repeating: "a", count: 2000)))
        #expect(self.rules("User-agent: *\nCrawl-delay: nan\nCrawl-delay: -3\n").delay == nil)
    }
}

@Suite struct PageAccessTests {
    private func access(_ head: String) -> Article.Access {
        let page =
            "<html><head><title>T</title>\(head)</head><body><article><p>Words of a text.</p></article></body></html>"
        return ArticleReader.read(Array(page.utf8), contentType: "text/html").access
    }

    @Test(arguments: ["false", "\"False\"", "\"http://schema.org/False\""])
    func pagesForSubscribersSaySo(_ value: String) {
        let data =
            "<script type=\"application/ld+json\">{\"@type\": \"NewsArticle\", \"headline\": \"T\", \"isAccessibleForFree\": \(value)}</script>"
        #expect(access(data) == .subscribers)
        #expect(access(data.replacing("alse", with: "XX")) == .open)
    }

    @Test func aPageThatMarksAPartForSubscribersIsForThem() {
        let data =
            "<script type=\"application/ld+json\">{\"@type\": \"NewsArticle\", \"headline\": \"T\", "
            + "\"hasPart\": {\"@type\": \"WebPageElement\", \"isAccessibleForFree\": \"False\", \"cssSelector\": \".p\"}}"
            + "</script>"
        #expect(access(data) == .subscribers && access(data.replacing("False", with: "True")) == .open)
    }

    @Test func tiersAndOrdersToProgramsAreRead() {
        #expect(access("<meta property=\"article:content_tier\" content=\"locked\">") == .subscribers)
        #expect(access("<meta property=\"article:content_tier\" content=\"free\">") == .open)
        #expect(access("<meta name=\"robots\" content=\"index, NOARCHIVE\">") == .noCopies)
        #expect(access("<meta name=\"robots\" content=\"index,follow\">") == .open && access("") == .open)
    }
}
