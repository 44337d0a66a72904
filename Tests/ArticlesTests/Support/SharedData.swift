import Foundation

/// The real documents that lie beside the checkout; tests that need one are skipped where it is absent.
enum SharedData {
    private static let folder = URL(filePath: #filePath).appending(path: "../../../../../shared/data").standardizedFileURL
    static let articles = folder.appending(path: "articles")
    static let feeds = folder.appending(path: "feeds")
    static let youTube = folder.appending(path: "youtube")

    static func isThere(_ folder: URL) -> Bool { FileManager.default.fileExists(atPath: folder.path) }

    static func bytes(_ file: URL) throws -> [UInt8] { [UInt8](try Data(contentsOf: file)) }
}
