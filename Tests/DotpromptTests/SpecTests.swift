import FoundationEssentials
import TestSupport
import Testing

@testable import Dotprompt

@Suite struct SpecTests {
    @Test(.enabled(if: SharedData.isThere("dotprompt-spec"), "dotprompt's test cases are not beside the checkout"))
    func everyCaseOfTheSpecificationPasses() throws {
        let spec = try DotpromptSpec(directory: SharedData.folder.appending(path: "dotprompt-spec").path)
        for outcome in spec.outcomes {
            #expect(outcome.failure == nil, "\(outcome.file) \(outcome.suite): \(outcome.test)")
        }
        #expect(spec.passed > 50)
        #expect(spec.summary.hasSuffix(" passed, 0 failed"))
    }

    @Test func aWrongResultIsAFailureThatShowsBothSides() {
        let outcomes = DotpromptSpec.run(
            """
            - name: suite
              template: "Hello {{name}}"
              tests:
              - desc: right
                data: {input: {name: A}}
                expect: {messages: [{role: user, content: [{text: Hello A}]}]}
              - desc: wrong
                data: {input: {name: A}}
                expect: {messages: [{role: user, content: [{text: Hello B}]}]}
              - desc: metadata that is not there
                expect: {model: x, messages: [{role: user, content: [{text: 'Hello '}]}]}
            """, file: "f.yaml")
        #expect(outcomes.map { $0.failure == nil } == [true, false, false])
        #expect(outcomes[1].failure?.contains("Hello B") == true)
        #expect(outcomes[2].failure == #"model: expected "x", got nothing"#)
    }

    @Test func aFileThatIsNotYAMLIsOneFailure() {
        #expect(DotpromptSpec.run("- [", file: "f.yaml").map { $0.failure != nil } == [true])
    }
}
