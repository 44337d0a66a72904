import Basics
import Testing

@testable import Prompts

@Suite struct RoutesTests {
    private func problems(_ text: String) -> [String] {
        do {
            _ = try SampleFiles.bundle(SampleFiles.files.merging(["routes.yaml": text]) { $1 })
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    private func bundle(_ text: String) throws -> Prompts.Bundle {
        try SampleFiles.bundle(SampleFiles.files.merging(["routes.yaml": text]) { $1 })
    }

    @Test func aBundleHasItsRoutesAndItsHashDependsOnThem() throws {
        let text = """
            # Written by hand.
            report:
              - {model: claude-haiku-5-5, passes: 98, asked: 100, price: 0.041250, date: 2026-11-22}
              - {model: local, simulated: true}
            """
        let bundle = try bundle(text)
        #expect(bundle.routes.models(of: "report") == ["claude-haiku-5-5", "local"])
        #expect(bundle.routes.models(of: "other").isEmpty)
        let first = try #require(bundle.routes.entries["report"]?.first)
        #expect(first.passes == 98 && first.asked == 100 && first.price == 41_250 && first.line == 3)
        #expect(first.date == CalendarDate("2026-11-22") && bundle.routes.simulated == ["report"])
        #expect(try bundle.hash != SampleFiles.bundle().hash)
        // A job that was submitted with these files keeps its route.
        #expect(try Bundle(archive: bundle.archive, rules: SampleFiles.rules).routes == bundle.routes)
        #expect(try SampleFiles.bundle().routes.entries.isEmpty)
        #expect(try self.bundle("# nothing yet\n").routes.entries.isEmpty)
    }

    @Test(arguments: [
        ("repotr: [{model: m}]", "routes.yaml:1: unknown prompt 'repotr' (did you mean 'report'?)"),
        ("report:\n  - {model: m}\n  - {model: m}", "routes.yaml:3: 'report' names the model 'm' twice"),
        ("report:\n  - {model: m, prize: 1}", "routes.yaml:2: unknown key 'report[0].prize'"),
        ("report:\n  - {passes: 1}", "routes.yaml:2: 'report[0].model' is missing"),
        ("report: []", "routes.yaml:1: 'report' names no model"),
        ("report: m", "routes.yaml:1: 'report' must be a list"),
        ("report:\n  - {model: m, passes: 3, asked: 2}", "routes.yaml:2: 'report[0].passes' is 3"),
        ("report:\n  - {model: m, price: -1}", "routes.yaml:2: 'report[0].price' is -1"),
        ("report:\n  - {model: m, date: soon}", "routes.yaml:2: 'report[0].date' is no day"),
        ("report:\n  - {model: m, simulated: maybe}", "routes.yaml:2: 'report[0].simulated' must be true or false"),
        ("[]", "routes.yaml:1: the file must name prompts"), ("report: a: b", "routes.yaml:1: this is not valid YAML"),
    ])
    func aMistakeIsNamedWithItsLine(_ text: String, _ problem: String) {
        let found = problems(text)
        #expect(found.contains { $0.hasPrefix(problem) }, "\(found)")
    }

    @Test func modelsAreComparedWithTheCatalogueAtHand() throws {
        let routes = try bundle("report:\n  - {model: dear}\n  - {model: free}\n  - {model: dera}\n").routes
        let problems = routes.problems(with: ["dear": true, "free": false]).map(\.description)
        #expect(problems.count == 2)
        #expect(
            problems.first?.hasPrefix("routes.yaml:3: 'report' names the model 'free', which has no prices") == true)
        #expect(
            problems.last
                == "routes.yaml:4: 'report' names the model 'dera', which is not in models.yaml (did you mean 'dear'?)")
    }

    @Test func theWrittenFileIsReadBackTheSame() throws {
        let day = try #require(CalendarDate("2026-01-31"))
        let routes = Routes([
            "report": [
                .init(model: "claude-haiku-5-5", passes: 1, asked: 2, price: 2_000_041, date: day),
                .init(model: "meta/llama: 'x' #1", isSimulated: true), .init(model: "null"), .init(model: "7"),
            ]
        ])
        let read = try bundle(routes.text).routes
        #expect(read.text == routes.text)
        #expect(read.models(of: "report") == routes.models(of: "report"))
        #expect(read.entries["report"]?.first?.price == 2_000_041)
    }

    @Test func aPromptNamesItsFloor() throws {
        #expect(try SampleFiles.bundle().prompts["report"]?.floor == 0.95)
        var files = SampleFiles.files
        files["prompts/report.prompt"] = SampleFiles.prompt.replacing(
            "model: deep", with: "model: deep\ndossier.floor: 80%")
        #expect(try SampleFiles.bundle(files).prompts["report"]?.floor == 0.8)
        for floor in ["0", "1", "1.5", "often"] {
            let problems = SampleFiles.problems(
                in: "prompts/report.prompt", replacing: "model: deep", with: "model: deep\ndossier.floor: \(floor)")
            #expect(problems.first?.line == 3, "\(problems)")
        }
    }
}
