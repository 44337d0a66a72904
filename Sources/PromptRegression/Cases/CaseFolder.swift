internal import FoundationEssentials

/// The files of one case's folder, by the names that have a meaning.
struct CaseFolder {
    static let definition = "case.yaml"
    static let input = "input.json"
    static let facts = "facts.json"
    static let answers = "answers.yaml"
    static let request = "request.json"

    let path: String

    /// Names of all files, sorted.
    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter { !$0.hasPrefix(".") }.sorted()
    }

    func text(_ name: String) -> String? { Files.text(at: path + "/" + name) }

    func write(_ text: String, to name: String) throws(FileFailure) { try Files.write(text, to: path + "/" + name) }

    func remove(_ name: String) throws(FileFailure) { try Files.remove(path + "/" + name) }

    /// The name of the golden output of a recording; recordings of one provider of several have their own.
    static func output(provider: String?) -> String { provider.map { "output.\($0).json" } ?? "output.json" }
}

/// The name of a recording's file: `recording.<hash>.json`, or `recording.<hash>.<provider>.json` where several
/// providers were asked.
struct RecordingName: Hashable {
    /// The first digits of the request's hash; the file holds the whole hash.
    static let digits = 16

    var hash: String
    var provider: String?

    init(hash: String, provider: String?) {
        self.hash = String(hash.prefix(Self.digits))
        self.provider = provider
    }

    init?(_ name: String) {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3 || parts.count == 4, parts[0] == "recording", parts.last == "json",
            parts[1].count == Self.digits
        else { return nil }
        hash = parts[1]
        provider = parts.count == 4 ? parts[2] : nil
    }

    var text: String { "recording.\(hash)." + (provider.map { $0 + "." } ?? "") + "json" }
}

/// The reason that a file of the suite could not be read or written.
package struct FileFailure: Error, Sendable, CustomStringConvertible {
    package var path: String
    package var problem: String

    package var description: String { "\(path): \(problem)" }
}

/// Reading and writing of small text files.
enum Files {
    /// Far more than a case needs.
    private static let limit = 8 << 20

    static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    /// The text of a file; `nil` when there is none, or it is too large or no UTF-8.
    static func text(at path: String) -> String? {
        guard let data = FileManager.default.contents(atPath: path), data.count <= limit else { return nil }
        return String(validating: data, as: UTF8.self)
    }

    /// Writes a file as a whole: a concurrent reader sees the old or the new one.
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
