import Basics
import Foundation
import Testing

@testable import Prompts

/// Answers that other hands wrote, good ones and subtly bad ones, held against the checks of the prompts.
///
/// `Answers/development.txt` is there to make the checks better by. `Answers/held-out.txt` shows what they make of
/// answers that nobody looked at meanwhile.
@Suite struct AnswersTests {
    @Test(arguments: [("development", 0.9), ("held-out", 0.85)])
    func badAnswersAreRefusedAndGoodOnesAreNot(_ file: String, _ floor: Double) throws {
        let table = try AnswerTable(file: file)
        let verdicts = try table.verdicts()
        let bad = verdicts.filter { !$0.answer.isGood }
        let good = verdicts.filter(\.answer.isGood)
        #expect(bad.count >= 60 && good.count >= 60)
        let accepted = bad.filter { $0.failures.isEmpty }
        let refused = good.filter { !$0.failures.isEmpty }
        let report = """
            \(file): \(bad.count - accepted.count) of \(bad.count) bad answers are refused, \
            \(good.count - refused.count) of \(good.count) good ones pass.
            \((accepted + refused).map(\.description).joined(separator: "\n"))
            """
        #expect(Double(bad.count - accepted.count) >= floor * Double(bad.count), "\(report)")
        #expect(Double(good.count - refused.count) >= 0.98 * Double(good.count), "\(report)")
        if ProcessInfo.processInfo.environment["DOSSIER_PRINT_ANSWERS"] == file { print(report) }
    }

    @Test func eachLanguageHasAnswersOfBothKinds() throws {
        let answers = try AnswerTable(file: "development").answers + AnswerTable(file: "held-out").answers
        for language in Language.allCases {
            for isGood in [true, false] {
                let count = answers.count { $0.language == language && $0.isGood == isGood }
                #expect(count >= 25, "\(language): \(count)")
            }
        }
        let prompts = Set(answers.map(\.prompt))
        #expect(prompts == ["explanation", "summary", "article-chat", "analyze", "interpret", "research"])
    }
}
