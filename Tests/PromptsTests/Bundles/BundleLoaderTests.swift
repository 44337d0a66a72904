import Foundation
import Testing

@testable import Prompts

/// A home folder that is removed with the test.
private final class Home {
    let path: String

    init(_ files: [String: String] = SampleFiles.files) throws {
        path = NSTemporaryDirectory() + "prompts-tests-" + UUID().uuidString
        for folder in ["prompts", "personas", "jobs"] {
            try FileManager.default.createDirectory(atPath: path + "/" + folder, withIntermediateDirectories: true)
        }
        for (name, content) in files { try write(content, to: name) }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ content: String, to name: String) throws {
        try Data(content.utf8).write(to: URL(filePath: path + "/" + name))
    }

    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path + "/" + name, withDestinationPath: target)
    }

    func problems() -> [String] {
        do {
            _ = try BundleLoader.load(home: path, rules: SampleFiles.rules)
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }
}

@Suite struct BundleLoaderTests {
    @Test func aHomeFolderIsReadAsItsFiles() throws {
        let home = try Home()
        try home.write("not read", to: "prompts/README.md")
        try home.write("not read", to: "jobs/.hidden.yaml")
        let bundle = try BundleLoader.load(home: home.path, rules: SampleFiles.rules)
        #expect(try bundle.hash == SampleFiles.bundle().hash)
    }

    @Test func aLinkWithinTheHomeIsFollowedAndOneOutOfItIsNot() throws {
        let home = try Home()
        try home.link("personas/bob.yaml", to: "ann.yaml")
        #expect(home.problems().first?.hasPrefix("personas/bob.yaml:1: the file defines 'ann'") == true)
        try home.link("prompts/secret.prompt", to: "/etc/hostname")
        #expect(
            home.problems().contains(
                "prompts/secret.prompt: the link leads out of the home folder (copy the file here)"))
    }

    @Test func routesAreReadUnderTheirOneName() throws {
        let home = try Home()
        try home.write("report: [{model: m}]", to: "routes.yaml")
        let bundle = try BundleLoader.load(home: home.path, rules: SampleFiles.rules)
        #expect(bundle.routes.models(of: "report") == ["m"])
        try home.write("report: [{model: m}]", to: "routes.yml")
        #expect(
            home.problems() == ["routes.yml: the file is not read under this name (rename it to 'routes.yaml')"])
    }

    @Test func aHomeThatIsItselfALinkIsRead() throws {
        let home = try Home()
        let link = home.path + "-link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: home.path)
        defer { try? FileManager.default.removeItem(atPath: link) }
        #expect(try BundleLoader.load(home: link, rules: SampleFiles.rules).kinds.count == 1)
    }

    @Test func aFileThatIsNoTextIsReported() throws {
        let home = try Home()
        try FileManager.default.createDirectory(
            atPath: home.path + "/jobs/folder.yaml", withIntermediateDirectories: true)
        try Data([0x61, 0xFF, 0xFE]).write(to: URL(filePath: home.path + "/personas/latin.yaml"))
        try home.write("a\0b", to: "personas/nul.yaml")
        try home.write(String(repeating: "# long\n", count: 50_000), to: "prompts/long.prompt")
        try home.write("id: x", to: "personas/short.yml")
        #expect(
            home.problems() == [
                "jobs/folder.yaml: this is no regular file (put a text file here)",
                "personas/latin.yaml: the file is not UTF-8 text (save it as UTF-8)",
                "personas/nul.yaml: the file has a NUL character (save it as plain text)",
                "personas/short.yml: files here end with '.yaml', not '.yml' (rename it to 'short.yaml')",
                "prompts/long.prompt: 350000 bytes are more than the 262144 that are read (make it shorter)",
            ])
    }

    @Test func aMissingFolderIsReported() throws {
        let home = try Home()
        try FileManager.default.removeItem(atPath: home.path + "/personas")
        #expect(home.problems().first?.hasPrefix("personas: the folder is missing") == true)
    }
}
