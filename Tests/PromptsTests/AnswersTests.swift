import Basics
import Foundation
import Testing

@testable import Prompts

/// Answers that other hands wrote, good ones and subtly bad ones, held against the checks of the prompts.
///
/// `Answers/development.txt` is there to make the checks better by. `held-out.txt` and `good.txt` show what they make of
/// answers on other matters. A good answer that is refused costs a call to repair it, and a second time the whole job, so
/// fewer of them may fail.
@Suite struct AnswersTests {
    @Test(arguments: [
        ("development", 0.75), ("held-out", 0.7), ("good", 0), ("readers", 0.75), ("readers-later", 0.6),
        ("doubts", 0.85), ("doubts-later", 0.7), ("disguises", 0.7), ("reversals", 0.9), ("reversals-later", 0.6),
        ("manners", 0.95), ("manners-later", 0.8),
    ])
    func badAnswersAreRefusedAndGoodOnesAreNot(_ file: String, _ floor: Double) throws {
        let verdicts = try AnswerTable(file: file).verdicts()
        let bad = verdicts.filter { !$0.answer.isGood }
        let good = verdicts.filter(\.answer.isGood)
        #expect(good.count >= 20 && (bad.count >= 30 || floor == 0))
        let accepted = bad.filter { $0.failures.isEmpty }
        let refused = good.filter { !$0.failures.isEmpty }
        let report = """
            \(file): \(bad.count - accepted.count) of \(bad.count) bad answers are refused, \
            \(good.count - refused.count) of \(good.count) good ones pass.
            \((accepted + refused).map(\.description).joined(separator: "\n"))
            """
        #expect(Double(bad.count - accepted.count) >= floor * Double(bad.count), "\(report)")
        #expect(refused.count <= max(1, good.count * 3 / 100), "\(report)")
        if ProcessInfo.processInfo.environment["DOSSIER_PRINT_ANSWERS"] == file {
            for verdict in verdicts {
                let checks = Set(verdict.failures.map(\.check)).sorted().joined(separator: ",")
                print("@", verdict.answer.isGood ? "good" : "bad", verdict.answer.prompt, checks)
                print(verdict)
            }
        }
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
