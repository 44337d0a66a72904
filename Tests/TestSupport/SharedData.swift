package import Foundation

/// The real documents beside the checkout. Tests that need one are skipped where it is absent, and say so; on CI they
/// must be there.
package enum SharedData {
    package static let folder = URL(filePath: #filePath).appending(path: "../../../../shared/data").standardizedFileURL

    package static func isThere(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.appending(path: path).path)
    }

    /// The bytes of a document; one whose name ends in `.xz` is unpacked.
    package static func bytes(_ path: String) throws -> [UInt8] {
        let file = folder.appending(path: path)
        guard path.hasSuffix(".xz") else { return [UInt8](try Data(contentsOf: file)) }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["xz", "-dc", file.path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return [UInt8](data)
    }
}
