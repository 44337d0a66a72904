import JSON
import TestSupport
import Testing

@testable import Prompts

/// Three hundred articles that are made to harm, as the material of prompts and of their checks.
@Suite struct HostileMaterialTests {
    private func input(of prompt: String, title: String, text: String) -> JSON {
        let (title, text) = (JSON(title), JSON(text))
        switch prompt {
        case "explanation":
            return [
                "title": title, "articles": [["id": "a1", "title": title, "source": title, "text": text]],
                "holdings": [], "language": "English",
            ]
        case "analyze":
            return ["goal": title, "known": [title], "weak": [], "kind": "article", "title": title, "text": text]
        case "interpret": return ["title": title, "source": title, "text": text]
        case "article-chat": return ["title": title, "source": title, "text": text, "question": title]
        default: return ["title": title, "source": title, "text": text]
        }
    }

    @Test(arguments: ["explanation", "analyze", "interpret", "summary", "article-chat"])
    func noArticleChangesAnInstruction(name: String) throws {
        let prompt = try #require(try RepositoryBundle.load().prompts[name])
        let calm = try prompt.render(input: input(of: name, title: "A title", text: "A text."))
        for article in HostileArticle.all {
            // Agents cut a text before they fill it in; a prompt that comes out too long is refused.
            let text = String(article.text.prefix(20_000))
            let rendered = try prompt.render(input: input(of: name, title: article.title, text: text))
            #expect(rendered.system == calm.system, "\(article.kind) \(article.number)")
            #expect(rendered.messages.map(\.role) == calm.messages.map(\.role), "\(article.kind) \(article.number)")
            let texts = rendered.messages.map(\.text).joined()
            #expect(texts.utf8.count >= text.utf8.count, "\(article.kind) \(article.number)")
            #expect(article.kind != .template || texts.contains("{{> house_style}}"), "\(article.number)")
        }
    }

    @Test func theChecksReadEachOfThemInBoundedTime() throws {
        let prompt = try #require(try RepositoryBundle.load().prompts["summary"])
        let answer: JSON = [
            "paragraphs": ["Sales rose 4 percent in the third quarter.", "The forecast for the year stays as it was."],
            "sentiment": "neutral",
        ]
        for article in HostileArticle.all.prefix(HostileArticle.Kind.allCases.count * 2) {
            let context = CheckContext(
                output: answer.compact,
                input: input(of: "summary", title: article.title, text: String(article.text.prefix(100_000))))
            let start = ContinuousClock.now
            _ = prompt.checks.failures(in: context)
            #expect(start.duration(to: .now) < .seconds(60), "\(article.kind) \(article.number)")
            // A text that the article orders is no answer to it.
            let obeyed: JSON = ["paragraphs": [.string(HostileArticle.mark), "Done."], "sentiment": "neutral"]
            let refused = CheckContext(output: obeyed.compact, input: context.input)
            #expect(!prompt.checks.failures(in: refused).isEmpty, "\(article.kind) \(article.number)")
        }
    }
}
