internal import Basics
internal import JSON
internal import JobQueue
internal import Observability
internal import Prompts

/// What an `interpret` job asks for: a text, or the address of one.
struct InterpretInput: Sendable {
    enum Subject: Sendable, Hashable {
        case text(String)
        case url(String)
    }

    let subject: Subject
    let interpret: LoadedPrompt
    let explain: LoadedPrompt

    init(_ context: JobContext) throws(AgentError) {
        let given: String
        do {
            given = try JSONField(context.job.input)["textOrUrl"].string()
        } catch {
            throw .failed(AgentFailure(.internalFailure("the job's input: \(error)"), isTransient: false))
        }
        subject = Self.subject(of: given)
        interpret = try context.prompt("interpret")
        explain = try context.prompt("explain")
    }

    /// One address and nothing else is an address; everything else is a text.
    static func subject(of given: String) -> Subject {
        let words = given.split(whereSeparator: \.isWhitespace)
        if words.count == 1, let word = words.first {
            let lower = word.lowercased()
            if lower.hasPrefix("https://") || lower.hasPrefix("http://") { return .url(String(word)) }
        }
        return .text(given)
    }
}

/// A text to interpret, with what is known of where it comes from.
struct InterpretedText: Sendable, Hashable {
    private static let longestTitle = 140

    var id: String
    var title: String
    var source: String
    var publishedAt: String
    var text: String

    init(_ content: Content, at timestamp: Timestamp) {
        id = content.url
        title = Self.title(content.title ?? content.text)
        source = content.site ?? Self.host(of: content.url)
        publishedAt = content.publishedAt ?? ISO8601.text(milliseconds: timestamp.milliseconds)
        text = content.text
    }

    /// A text that a user typed or pasted; the same text has the same id.
    init(pasted text: String, at timestamp: Timestamp) {
        let number = UInt64(SHA256.hex(text).prefix(12), radix: 16) ?? 0
        id = "text://\(number % 10_000_000_000)"
        title = Self.title(text)
        source = "User Input"
        publishedAt = ISO8601.text(milliseconds: timestamp.milliseconds)
        self.text = text
    }

    /// The first line, cut between words.
    private static func title(_ text: String) -> String {
        let lines = text.split(whereSeparator: \.isNewline)
        let line = lines.first { $0.contains { !$0.isWhitespace } } ?? ""
        let words = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard words.count > longestTitle else { return words }
        let head = words.prefix(longestTitle)
        return String(head.lastIndex(of: " ").map { head[..<$0] } ?? head) + "…"
    }

    private static func host(of url: String) -> String {
        let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        let host = rest.prefix { !"/?#".contains($0) }.split(separator: "@").last ?? ""
        let name = host.split(separator: ":").first ?? host
        return String(name.hasPrefix("www.") ? name.dropFirst(4) : name)
    }
}
