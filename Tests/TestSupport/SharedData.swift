package import Foundation

/// The real documents beside the checkout. Tests that need one are skipped where it is absent, and say so; on CI they
/// must be there.
package enum SharedData {
    package static let folder = URL(filePath: #filePath).appending(path: "../../../../shared/data").standardizedFileURL

    package static func isThere(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.appending(path: path).path)
    }

    package static func bytes(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appending(path: path)))
    }
}
