internal import Basics
internal import FoundationEssentials
internal import JSON

/// Answers that were accepted for the cases of prompts: `prompts/cases/PROMPT/CASE/request.json` and `output.json`.
///
/// A request equal to that of a case gets its answer. For other requests with the same instructions the answers show
/// which texts never change, such as a required closing line that only the prompt's checks contain.
struct AcceptedAnswers: Sendable {
    private struct Entry {
        var material: String
        var answer: JSON
    }

    /// By the digest of the instructions.
    private var entries: [String: [Entry]] = [:]

    static let none = AcceptedAnswers()

    private init() {}

    /// Reads the cases in a home folder. Cases without an accepted answer, or with one that fails checks, are left out.
    init(home: String) {
        let root = home + "/prompts/cases"
        for prompt in Self.names(in: root) {
            for name in Self.names(in: "\(root)/\(prompt)") {
                let folder = "\(root)/\(prompt)/\(name)"
                guard let request = Self.json("\(folder)/request.json")?["request"],
                    let output = Self.json("\(folder)/output.json"), output["outcome"] == "answered",
                    output["failures"]?.array?.isEmpty == true, let answer = output["json"]
                else { continue }
                let system = ["stable", "varying"].compactMap { request["system"]?[$0]?.string }
                let turns = request["messages"]?.array?.filter { $0["role"] == "user" } ?? []
                let texts = turns.flatMap { $0["parts"]?.array?.compactMap { $0["text"]?.string } ?? [] }
                let entry = Entry(material: Self.plain(texts), answer: answer)
                entries[Self.plain(system), default: []].append(entry)
            }
        }
    }

    /// The accepted answer to a request; `nil` when no case makes it.
    func answer(to call: SimulatedCall) -> JSON? {
        let material = Self.plain(call.userTexts)
        return entries[Self.plain([call.instructions])]?.first { $0.material == material }?.answer
    }

    /// The texts that all answers to the same instructions share.
    func fixedTexts(for call: SimulatedCall) -> FixedTexts {
        FixedTexts(answers: entries[Self.plain([call.instructions])]?.map(\.answer) ?? [])
    }

    /// The words of texts with single spaces: providers join the parts of a prompt in different ways.
    private static func plain(_ texts: [String]) -> String {
        texts.joined(separator: " ").split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private static func names(in folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }

    private static func json(_ path: String) -> JSON? {
        FileManager.default.contents(atPath: path).flatMap { try? JSON(parsing: [UInt8]($0)) }
    }
}

/// Texts that are the same in several accepted answers about different material.
struct FixedTexts: Sendable {
    private let answers: [JSON]

    init(answers: [JSON] = []) { self.answers = answers }

    /// The text that every answer has at a path of property names, through all elements of lists; `nil` when they
    /// differ or there are too few of them.
    func text(at path: [String]) -> String? {
        let values = answers.map { answer in
            path.reduce([answer]) { values, name in values.flatMap { ($0.array ?? [$0]).compactMap { $0[name] } } }
        }
        let texts = values.map { $0.flatMap { ($0.array ?? [$0]).compactMap(\.string) } }
        guard texts.count > 1, let first = texts.first?.first, texts.allSatisfy({ $0.contains(first) }),
            Set(texts.joined()).count == 1
        else { return nil }
        return first
    }
}
