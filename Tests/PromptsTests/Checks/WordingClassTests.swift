import Basics
import Foundation
import Testing

@testable import Prompts

/// Advice and alarm in words that no list of phrases has as they are, judged by classes of meaning.
@Suite struct WordingClassTests {
    private struct Sentence {
        var isGood: Bool
        var language: Language
        var text: String

        /// What the rules of its language find in it.
        var problem: String? {
            guard language == .english else {
                return [CalmRule.advice, .pressure, .drama].lazy.compactMap { $0.match(in: text, language) }.first
            }
            return WordingRule.advice.problem(in: text) ?? WordingRule.alarm.problem(in: text)
                ?? HedgedAdvice.match(in: text, .english)
        }
    }

    private static func sentences(_ file: String) throws -> [Sentence] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: folder.appending(path: "Answers/\(file).txt"), encoding: .utf8)
        return try text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            let parts = String(line).components(separatedBy: " | ")
            try #require(parts.count == 3 && ["good", "bad"].contains(parts[0]), "\(line)")
            return Sentence(
                isGood: parts[0] == "good", language: try #require(Language(rawValue: parts[1])), text: parts[2])
        }
    }

    /// Before the classes the rules found 14 of 18 English sentences of the first file's first half, and 6 of its second.
    @Test(arguments: [("wording", 1.0), ("wording-held-out", 0.8)])
    func adviceAndAlarmAreFoundAndCalmSentencesAreNot(file: String, floor: Double) throws {
        let all = try Self.sentences(file)
        let (good, bad) = (all.filter(\.isGood), all.filter { !$0.isGood })
        #expect(good.count >= 30 && bad.count >= 30)
        for sentence in good { #expect(sentence.problem == nil, "\(sentence.text): \(sentence.problem ?? "")") }
        let missed = bad.filter { $0.problem == nil }
        #expect(Double(bad.count - missed.count) >= floor * Double(bad.count), "\(missed.map(\.text))")
    }

    /// The lists of images found 3 of the first 20 before these were looked at, and 4 of the next 15.
    @Test func imagesAreFoundByTwoWordsThatNoSourceHas() throws {
        let images = try Self.sentences("images")
        let found = images.filter { FigurativeLanguage.match(in: $0.text, $0.language, except: []) != nil }
        #expect(found.count * 5 >= images.count * 2, "\(found.count) of \(images.count)")
        for file in ["wording", "wording-held-out"] {
            for sentence in try Self.sentences(file) where sentence.isGood {
                let sources = [sentence.text]
                #expect(FigurativeLanguage.match(in: sentence.text, sentence.language, except: sources) == nil)
            }
        }
    }

    @Test func anImageOfTheSourcesAndAComparisonArePlain() {
        let text = "The rope around its neck gets shorter each day."
        #expect(FigurativeLanguage.match(in: text, .english, except: []) != nil)
        #expect(FigurativeLanguage.match(in: text, .english, except: ["He spoke of a rope and a neck."]) == nil)
        let comparison = "A strong brand is like a moat that keeps others out of a castle."
        #expect(FigurativeLanguage.match(in: comparison, .english, except: []) == nil)
        #expect(FigurativeLanguage.match(in: "The train was late. The door is open.", .english, except: []) == nil)
    }
}
