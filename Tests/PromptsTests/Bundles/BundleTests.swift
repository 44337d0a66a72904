import JSON
import JobQueue
import Testing

@testable import Prompts

@Suite struct BundleTests {
    @Test func aBundleComesBackFromItsArchive() throws {
        let bundle = try SampleFiles.bundle()
        let restored = try Bundle(archive: bundle.archive, rules: SampleFiles.rules)
        #expect(restored.hash == bundle.hash)
        #expect(restored.archive == bundle.archive)
        #expect(restored.personas == bundle.personas)
        #expect(restored.kinds["report"]?.stages == bundle.kinds["report"]?.stages)
        let input: JSON = ["company": "Acme"]
        #expect(try restored.prompts["report"]?.render(input: input) == bundle.prompts["report"]?.render(input: input))
    }

    @Test func theHashDependsOnEveryFileAndOnNothingElse() throws {
        let hash = try SampleFiles.bundle().hash
        #expect(hash.count == 64)
        #expect(
            try SampleFiles.bundle(Dictionary(uniqueKeysWithValues: SampleFiles.files.sorted { $0.key > $1.key })).hash
                == hash)
        for (path, content) in SampleFiles.files {
            var files = SampleFiles.files
            files[path] = content + "\n"
            #expect(try SampleFiles.bundle(files).hash != hash, "\(path)")
        }
    }

    @Test(arguments: ["", "[]", "{\"jobs/a.yaml\": 1}", "not json"])
    func aDamagedArchiveIsRejected(_ archive: String) {
        #expect(throws: BundleProblems.self) { try Bundle(archive: archive, rules: SampleFiles.rules) }
    }

    @Test func aBundleThatThisVersionCannotRunIsRejected() throws {
        let archive = try SampleFiles.bundle().archive
        var rules = SampleFiles.rules
        rules.metrics["debt_years"] = nil
        let error = #expect(throws: BundleProblems.self) { try Bundle(archive: archive, rules: rules) }
        #expect(error?.problems.allSatisfy { $0.file == "personas/ann.yaml" } == true)
    }

    @Test func valuesAreReadAsWritten() throws {
        let bundle = try SampleFiles.bundle()
        let kind = try #require(bundle.kinds["report"])
        #expect(kind.deadline == .seconds(170) && kind.estimate == .seconds(30) && kind.credits == 1)
        #expect(kind.retries == RetryPolicy(attempts: 3, initialPause: .seconds(2), longestPause: .seconds(20)))
        #expect(kind.prompts == ["draft": "report"] && kind.queue == .background && kind.tier == "deep")
        let ann = try #require(bundle.personas["ann"])
        #expect(ann.checklist[0].rule.points == [.init(value: 0.05, score: 0), .init(value: 0.2, score: 10)])
        #expect(ann.walkAways.first?.condition == .above(10))
        let prompt = try #require(bundle.prompts["report"])
        #expect(prompt.config == PromptConfig(maxOutputTokens: 500, effort: .low))
        #expect(prompt.checks.map(\.name) == ["sentence-count"])
        #expect(prompt.output?.name == "report_output")
        #expect(prompt.output?.schema["additionalProperties"] == false)
    }

    @Test func aPromptCanAnswerLikeAnother() throws {
        var files = SampleFiles.files
        files["prompts/again.prompt"] = "---\ndossier.answers_like: report\n---\nOnce more."
        let bundle = try SampleFiles.bundle(files)
        #expect(bundle.prompts["again"]?.output == bundle.prompts["report"]?.output)
        #expect(bundle.prompts["again"]?.checks == bundle.prompts["report"]?.checks)
        files["prompts/again.prompt"] = "---\ndossier.answers_like: reprot\n---\nOnce more."
        let error = #expect(throws: BundleProblems.self) { try SampleFiles.bundle(files) }
        #expect(error?.description == "prompts/again.prompt:2: unknown prompt 'reprot' (did you mean 'report'?)")
    }
}
