import TestSupport
import Testing

@testable import Articles

/// Three hundred pages that are made to harm, as articles.
@Suite struct HostileArticlesTests {
    @Test(arguments: HostileArticle.Kind.allCases)
    func eachPageIsReadAsTextInBoundedTime(kind: HostileArticle.Kind) {
        // Of kinds with large pages, those in two languages.
        let isLarge = [.nested, .longLine, .attributes].contains(kind)
        for hostile in HostileArticle.all.filter({ $0.kind == kind }).prefix(isLarge ? 2 : 18) {
            let start = ContinuousClock.now
            let article = ArticleReader.read(hostile.page, contentType: "text/html; charset=utf-8")
            #expect(start.duration(to: .now) < .seconds(60), "\(hostile.number)")
            #expect(!article.text.contains("alert("), "\(hostile.number)")
            #expect(!article.text.unicodeScalars.contains { ["\u{0}", "\u{202E}", "\u{7}"].contains($0) })
            guard ![.zeroWidth, .homoglyphs, .brokenBytes, .nested].contains(kind) else { continue }
            // The first sentence of the text is there, whatever else is.
            let begin = hostile.text.drop { !$0.isLetter }.prefix(25)
            #expect(article.text.contains(begin), "\(hostile.number): \(article.text.prefix(80))")
        }
    }
}
