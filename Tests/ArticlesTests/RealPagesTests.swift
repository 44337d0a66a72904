import Foundation
import JSON
import TestSupport
import Testing

@testable import Articles

/// Measures the extraction on real pages with the text that people expect of them. `swift test --filter RealPages`
/// prints a line for each page.
@Suite(.enabled(if: SharedData.isThere("articles"), "needs the pages in ../shared/data/articles"))
struct RealPagesTests {
    private struct Page {
        let name: String
        let size: Int
        let overlap: WordOverlap
        let time: Duration
        let article: Article
        let expected: JSON
    }

    private static let pages = Result {
        try FileManager.default.contentsOfDirectory(atPath: SharedData.folder.appending(path: "articles").path).sorted()
            .map { name in
                let folder = "articles/\(name)"
                let source = try SharedData.bytes(folder + "/source.html")
                let expected = HTMLReader.read(try SharedData.bytes(folder + "/expected.html")).tree
                var words = ""
                expected.walk(HTMLTree.root) { _, node in
                    if node.tag == .textNode {
                        words += String(decoding: expected.bytes(ofText: node), as: UTF8.self) + " "
                    }
                    return true
                }
                let start = ContinuousClock.now
                let article = ArticleReader.read(source)
                return Page(
                    name: name, size: source.count, overlap: WordOverlap(of: article.text, with: words),
                    time: start.duration(to: .now), article: article,
                    expected: try JSON(parsing: SharedData.bytes(folder + "/expected-metadata.json")))
            }
    }

    @Test func theTextOfRealPagesIsFound() throws {
        let pages = try Self.pages.get()
        func number(_ value: Double) -> String { String(format: "%.3f", value) }
        for page in pages {
            let overlap = page.overlap
            print(
                "\(page.name): \(page.size) bytes, F1 \(number(overlap.f1)), precision \(number(overlap.precision)),",
                "recall \(number(overlap.recall)), \(page.time)")
        }
        func mean(_ pages: [Page]) -> Double { pages.map(\.overlap.f1).reduce(0, +) / Double(pages.count) }
        let large = pages.filter { $0.size > 20_000 }
        let time = pages.map(\.time).reduce(.zero, +) / pages.count
        print(
            "mean F1 of \(pages.count) pages \(number(mean(pages))), of \(large.count) over 20 kB \(number(mean(large)))"
        )
        print("mean time of a page \(time) (without optimisation, unless built with -c release)")
        #expect(mean(pages) >= 0.99)
        #expect(mean(large) >= 0.985)
        #expect(pages.allSatisfy { $0.overlap.f1 >= 0.8 })
    }

    @Test func theMetadataOfRealPagesIsRead() throws {
        let pages = try Self.pages.get()
        func agreeing(_ key: String, _ value: (Article) -> String?) -> Double {
            let stated = pages.filter { $0.expected[key]?.string?.isEmpty == false }
            let right = stated.filter { value($0.article) == $0.expected[key]?.string?.collapsed }
            print("\(key): \(right.count) of \(stated.count)")
            return Double(right.count) / Double(stated.count)
        }
        #expect(agreeing("title", \.title) > 0.95)
        #expect(agreeing("byline", \.byline) > 0.95)
        #expect(agreeing("siteName", \.site) > 0.95)
        #expect(agreeing("lang", \.language) > 0.95)
        let dated = pages.compactMap { page in
            page.expected["publishedTime"]?.string.map { (PublishedDate($0), page.article.publishedAt) }
        }
        #expect(dated.count > 10 && dated.allSatisfy { $0.0 != nil && $0.0 == $0.1 })
    }
}
