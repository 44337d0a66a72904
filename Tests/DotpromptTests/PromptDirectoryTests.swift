import FoundationEssentials
import JSON
import Testing

@testable import Dotprompt

@Suite struct PromptDirectoryTests {
    @Test func filesBecomePromptsVariantsAndPartials() throws {
        let directory = try PromptDirectory(sources: [
            "hello.prompt": "---\nmodel: m\n---\nHello {{> who}}{{> shared/end.loud}}",
            "hello.short.prompt": "Hi {{> who}}",
            "_who.prompt": "---\nmodel: x\n---\n{{name}}", "shared/_end.loud.prompt": "!!",
            "news/brief.prompt": "Brief",
        ])
        #expect(directory.files.filter(\.isPartial).map(\.name) == ["who", "shared/end"])
        let environment = PromptEnvironment(partials: try directory.partials())
        let text = { (name: String, variant: String?) in
            try directory.prompt(name, variant: variant, environment: environment)?.render(input: ["name": "A"])
                .messages.first?.text
        }
        #expect(try text("hello", nil) == "Hello A!!")
        #expect(try text("hello", "short") == "Hi A")
        #expect(try text("hello", "none") == nil)
        #expect(try text("news/brief", nil) == "Brief")
        #expect(try text("who", nil) == nil)
    }

    @Test(arguments: ["a.b.c.prompt", ".prompt", "_.prompt", "a..prompt", "a.txt", "dir/.prompt"])
    func aFileWithAnotherNameIsRejected(path: String) {
        #expect(throws: PromptDirectoryError.self) { try PromptDirectory(sources: [path: ""]) }
    }

    @Test func aDirectoryIsReadWithTheDirectoriesInIt() throws {
        let path = FileManager.default.temporaryDirectory.path + "/prompts-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path + "/sub/.hidden", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }
        for (file, text) in ["b.prompt": "B", "sub/_a.prompt": "A", "note.txt": "x", "sub/.hidden/c.prompt": "C"] {
            #expect(FileManager.default.createFile(atPath: "\(path)/\(file)", contents: Data(text.utf8)))
        }
        #expect(try PromptDirectory(path: path).files.map(\.path) == ["b.prompt", "sub/_a.prompt"])
        #expect(FileManager.default.createFile(atPath: path + "/bad.prompt", contents: Data([0xFF, 0xFE])))
        #expect(throws: PromptDirectoryError.self) { try PromptDirectory(path: path) }
        #expect(throws: PromptDirectoryError.self) { try PromptDirectory(path: path + "/none") }
        #expect(throws: DotpromptSpecError.self) { try DotpromptSpec(directory: path + "/none") }
    }

    @Test func anErrorInAPartialCountsLinesFromTheTopOfItsFile() throws {
        let directory = try PromptDirectory(sources: ["_p.prompt": "---\nmodel: m\n---\n\n{{#if}}"])
        let error = #expect(throws: PromptError.self) { try directory.partials() }
        #expect(error?.line == 5)
        #expect(error?.partial == "p")
    }
}
