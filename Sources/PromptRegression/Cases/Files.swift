internal import FoundationEssentials

/// Why a file of the suite could not be read or written.
package struct FileFailure: Error, Sendable, CustomStringConvertible {
    package var path: String
    package var problem: String

    package var description: String { "\(path): \(problem)" }
}

/// Reading and writing of small text files.
enum Files {
    /// Far above what a case needs.
    private static let limit = 8 << 20

    static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    /// The text of a file; `nil` when there is none, or it is too large or no UTF-8.
    static func text(at path: String) -> String? {
        guard let data = FileManager.default.contents(atPath: path), data.count <= limit else { return nil }
        return String(validating: data, as: UTF8.self)
    }

    /// Writes a file as a whole: who reads it meanwhile sees the old or the new one.
    static func write(_ text: String, to path: String) throws(FileFailure) {
        do {
            let url = URL(filePath: path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url, options: .atomic)
        } catch {
            throw FileFailure(path: path, problem: "cannot be written")
        }
    }

    static func remove(_ path: String) throws(FileFailure) {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            throw FileFailure(path: path, problem: "cannot be removed")
        }
    }

    /// The names in a folder, sorted, without hidden ones.
    static func names(in folder: String) -> [String] { CaseFolder(path: folder).names }

    static func isFolder(_ path: String) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return attributes?[.type] as? FileAttributeType == .typeDirectory
    }
}
