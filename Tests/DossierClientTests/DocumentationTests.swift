import Foundation
import Testing

/// The examples of `docs/client.md` and of the library's documentation comments are those that are compiled here.
@Suite struct DocumentationTests {
    private static let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func files(below folder: String) throws -> [(name: String, text: String)] {
        let folder = package.appending(path: folder).resolvingSymlinksInPath()
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
        return try names.map { ($0, try String(contentsOf: folder.appending(path: $0), encoding: .utf8)) }
    }

    /// The Swift blocks of a text, of whose lines the start of a comment has been taken.
    private static func examples(in lines: [Substring]) -> [String] {
        var found: [String] = []
        var example: [Substring]?
        for line in lines {
            if line == "```swift" {
                example = []
            } else if line == "```" {
                if let example { found.append(plain(example)) }
                example = nil
            } else {
                example?.append(line)
            }
        }
        return found
    }

    /// Without indentation, which the place decides.
    private static func plain(_ lines: [Substring]) -> String {
        lines.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private static func lines(_ text: String) -> [Substring] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    private let compiled: [String]

    init() throws {
        compiled = try Self.files(below: "Tests/DossierClientTests/Examples").map { Self.plain(Self.lines($0.text)) }
    }

    private func expectCompiled(_ examples: [String], of file: String) {
        for example in examples {
            #expect(compiled.contains { $0.contains(example) }, "\(file): \(example.prefix(80))…")
        }
    }

    @Test func theGuidesExamplesAreCompiled() throws {
        let text = try String(contentsOf: Self.package.appending(path: "docs/client.md"), encoding: .utf8)
        let examples = Self.examples(in: Self.lines(text))
        #expect(examples.count >= 7)
        expectCompiled(examples, of: "docs/client.md")
    }

    @Test func theCommentsExamplesAreCompiled() throws {
        var count = 0
        for (name, text) in try Self.files(below: "Sources/DossierClient") {
            let comments = Self.lines(text).compactMap { line -> Substring? in
                let line = line.drop { $0 == " " }
                return line.hasPrefix("/// ") ? line.dropFirst(4) : nil
            }
            let examples = Self.examples(in: comments)
            count += examples.count
            expectCompiled(examples, of: name)
        }
        #expect(count >= 15)
    }
}
