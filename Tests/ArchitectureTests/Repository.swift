import Foundation

/// The package that this test belongs to.
struct Repository {
    let root: URL

    /// The folder that holds `Package.swift`, two above this file.
    static let here = Repository(
        root: URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent())

    /// Read once for all tests.
    static let sources = Result { try here.files(in: "Sources") }
    static let tests = Result { try here.files(in: "Tests") }

    func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    func manifest() throws -> Manifest { Manifest(try text("Package.swift")) }

    func levels() throws -> LevelTable { LevelTable(try text(LevelTable.path)) }

    /// The folders below `Sources`.
    func folders() throws -> Set<String> {
        let all = try FileManager.default.contentsOfDirectory(
            at: root.appending(path: "Sources").resolvingSymlinksInPath(), includingPropertiesForKeys: [.isDirectoryKey]
        )
        return Set(
            try all.filter { try $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true }
                .map(\.lastPathComponent))
    }

    /// The Swift files below `Sources`, or `Tests`, in order of their paths.
    private func files(in folder: String) throws -> [SourceFile] {
        let top = root.appending(path: folder).resolvingSymlinksInPath()
        let paths = try FileManager.default.subpathsOfDirectory(atPath: top.path)
        return try paths.filter { $0.hasSuffix(".swift") }.sorted().compactMap { path in
            let parts = path.split(separator: "/")
            guard parts.count > 1 else { return nil }
            let text = try String(contentsOf: top.appending(path: path), encoding: .utf8)
            return SourceFile(path: "\(folder)/\(path)", target: String(parts[0]), text: text)
        }
    }
}
