import Basics
import Foundation
import JSON

@testable import Prompts

/// A file of `Answers`: sources, each with answers that a line says to be good or bad.
struct AnswerTable {
    struct Source {
        var title = ""
        var text = ""
        var goal = ""
        var company = ""
        var facts: [Fact] = []
        /// Of a recall question: the question, the right answer, and what the learner wrote; the passage is the text.
        var recall: [String: String] = [:]
    }

    struct Answer {
        var isGood: Bool
        var prompt: String
        /// The member of the answer that has the text.
        var place: String
        var language: Language
        var note: String
        var text: String
        var source: Source
    }

    struct Verdict: CustomStringConvertible {
        var answer: Answer
        var failures: [CheckFailure]

        var description: String {
            let found = failures.map { "\($0.check): \($0)" }.joined(separator: "\n        ")
            return "  \(answer.isGood ? "good" : "bad") \(answer.prompt) \(answer.language.rawValue) (\(answer.note)) "
                + "\(answer.text)\n        \(found)"
        }
    }

    struct Problem: Error { var line: String }

    private(set) var answers: [Answer] = []

    init(file: String) throws {
        let path = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        let text = try String(contentsOfFile: "\(path)/Answers/\(file).txt", encoding: .utf8)
        var source = Source()
        for line in text.split(separator: "\n").map(String.init) where !line.hasPrefix("#") {
            let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { throw Problem(line: line) }
            switch parts[0] {
            case "source": source = Source()
            case "title": source.title = parts[1]
            case "text": source.text = parts[1]
            case "goal": source.goal = parts[1]
            case "company": source.company = parts[1]
            case "passage": source.text = parts[1]
            case "question", "expected", "answer": source.recall[parts[0]] = parts[1]
            case "facts": source.facts.append(try Self.fact(parts[1]))
            default: answers.append(try Self.answer(line, source))
            }
        }
    }

    /// `Operating margin FY2025 = 0.184 ratio`
    private static func fact(_ text: String) throws -> Fact {
        let sides = text.components(separatedBy: " = ")
        let value = sides.last?.split(separator: " ") ?? []
        guard sides.count == 2, value.count == 2, let number = Double(value[0]) else { throw Problem(line: text) }
        let unit: Fact.Unit =
            switch value[1] {
            case "ratio": .ratio
            case "number": .number
            case "times": .times
            default: .currency(String(value[1]))
            }
        return Fact(number, unit, label: sides[0])
    }

    /// `bad | summary.paragraphs | de | what is wrong | text`
    private static func answer(_ line: String, _ source: Source) throws -> Answer {
        let parts = line.components(separatedBy: " | ")
        guard parts.count == 5, ["good", "bad"].contains(parts[0]), let language = Language(rawValue: parts[2]) else {
            throw Problem(line: line)
        }
        let place = parts[1].split(separator: ".").map(String.init)
        let usual = [
            "summary": "paragraphs", "explanation": "what_happened", "article-chat": "answer",
            "analyze": "relevance_reasons", "interpret": "why", "research": "valuation",
            "recall-grade": "reason",
        ]
        guard let member = place.count == 2 ? place[1] : usual[place[0]] else { throw Problem(line: line) }
        return Answer(
            isGood: parts[0] == "good", prompt: place[0], place: member, language: language, note: parts[3],
            text: parts[4], source: source)
    }

    // MARK: Judging

    /// Rules on the form of an answer, which a text by itself cannot keep.
    private static let forms: Set<String> = [
        "is-json", "json-schema", "item-count", "word-count", "sentence-count", "paragraph-count",
        "average-sentence-words", "reading-level", "reading-time", "sources-in-input", "quote-in-source",
        "holdings-named", "holders-addressed",
    ]

    /// What the checks of the repository's prompts make of each answer.
    func verdicts() throws -> [Verdict] {
        let prompts = try RepositoryBundle.load().prompts
        return try answers.map { answer in
            guard let prompt = prompts[answer.prompt] else { throw Problem(line: answer.prompt) }
            let isList = ["paragraphs", "why", "relevance_reasons", "keep_in_mind", "why_it_happened"].contains(
                answer.place)
            let output: JSON = [answer.place: isList ? [.string(answer.text)] : .string(answer.text)]
            let context = CheckContext(
                output: output.compact, input: Self.input(of: answer), facts: answer.source.facts)
            let failures = prompt.checks.filter { !Self.forms.contains($0.type) }.failures(in: context)
            return Verdict(answer: answer, failures: failures)
        }
    }

    private static func input(of answer: Answer) -> JSON {
        let source = answer.source
        let language = JSON(answer.language.englishName)
        let (title, text) = (JSON(source.title), JSON(source.text))
        switch answer.prompt {
        case "explanation":
            return [
                "title": title, "articles": [["id": "a1", "title": title, "source": "Harbour Times", "text": text]],
                "holdings": [], "language": language,
            ]
        case "analyze":
            return [
                "goal": JSON(source.goal), "known": [], "weak": [], "kind": "article", "title": title, "text": text,
                "language": language,
            ]
        case "research":
            let company: JSON = ["name": JSON(source.company), "ticker": "XMPL", "as_of": "2026-11-01"]
            let persona: JSON = ["name": "Warren Buffett", "approach": "Slowly.", "voice": "Plainly."]
            let facts = source.facts.map { fact -> JSON in ["id": "f", "label": JSON(fact.label), "value": "see"] }
            return [
                "company": company, "persona": persona, "facts": .array(facts), "missing": [], "language": language,
            ]
        case "recall-grade":
            func text(_ name: String) -> JSON { JSON(source.recall[name] ?? "") }
            return [
                "question": text("question"), "passage": JSON(source.text), "expected": text("expected"),
                "answer": text("answer"), "language": language,
            ]
        default:
            return [
                "title": title, "source": "Harbour Times", "text": text, "question": "What does it say?",
                "language": language,
            ]
        }
    }
}
