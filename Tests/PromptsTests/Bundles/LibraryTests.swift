import Foundation
import JSON
import Testing

@testable import Prompts

@Suite struct LibraryTests {
    private func bundle(_ page: String, name: String = "moat") throws -> Prompts.Bundle {
        var files = SampleFiles.files
        files["library/\(name).md"] = page
        return try Prompts.Bundle(files: files, rules: SampleFiles.rules)
    }

    private func problem(_ page: String) -> String {
        do {
            _ = try bundle(page)
            return "none"
        } catch {
            return (error as? BundleProblems)?.problems.map(\.description).joined(separator: "\n") ?? "\(error)"
        }
    }

    @Test func aPageHasATitleAndSections() throws {
        let page = "# Economic moat\n\nWhat keeps rivals away.\nAlways.\n\n## How it shows\n\nIn margins.\n"
        let library = try bundle(page).library
        #expect(library.map(\.name) == ["moat"] && library.first?.title == "Economic moat")
        #expect(library.first?.sections.map(\.heading) == [nil, "How it shows"])
        #expect(library.first?.sections.map(\.text) == ["What keeps rivals away.\nAlways.", "In margins."])
        #expect(try SampleFiles.bundle().library.isEmpty)
    }

    @Test func aBundleKeepsItsLibrary() throws {
        let bundle = try bundle("# Moat\nText.")
        #expect(try Prompts.Bundle(archive: bundle.archive, rules: SampleFiles.rules).library == bundle.library)
    }

    @Test func theProblemsOfAPageAreNamed() {
        #expect(problem("No title.").contains("library/moat.md:1: the page has no title"))
        #expect(problem("# Moat\n\n").contains("the page has no text"))
        #expect(problem("# Moat\nText.\n## Empty\n").contains("a section is empty"))
        #expect(problem("# Moat\n" + String(repeating: "word ", count: 600)).contains("a section has 2999 characters"))
    }

    @Test func aKindNamesATextOfItsInputAsItsConcurrencyKey() throws {
        var files = SampleFiles.files
        files["jobs/report.yaml"] = SampleFiles.job.replacing("tier: deep", with: "tier: deep\nserial: ticker")
        let kind = try #require(try Prompts.Bundle(files: files, rules: SampleFiles.rules).kinds["report"])
        #expect(kind.concurrencyKey(of: ["ticker": "AAPL"]) == "report/AAPL" && kind.concurrencyKey(of: [:]) == nil)
        files["jobs/report.yaml"] = SampleFiles.job.replacing("tier: deep", with: "tier: deep\nserial: tikcer")
        #expect(throws: BundleProblems.self) { try Prompts.Bundle(files: files, rules: SampleFiles.rules) }
    }

    @Test func aKindMayBeForOperatorsAlone() throws {
        func isForOperators(_ line: String) throws -> Bool? {
            var files = SampleFiles.files
            files["jobs/report.yaml"] = SampleFiles.job.replacing("tier: deep", with: "tier: deep\n\(line)")
            return try Prompts.Bundle(files: files, rules: SampleFiles.rules).kinds["report"]?.isForOperators
        }
        #expect(try isForOperators("") == false)
        #expect(try isForOperators("submitted_by: everybody") == false)
        #expect(try isForOperators("submitted_by: operators") == true)
        #expect(throws: BundleProblems.self) { try isForOperators("submitted_by: users") }
    }
}
