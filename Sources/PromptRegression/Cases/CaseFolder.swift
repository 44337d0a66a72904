internal import FoundationEssentials

/// The files of one case's folder, by the names that have a meaning.
struct CaseFolder {
    static let definition = "case.yaml"
    static let input = "input.json"
    static let facts = "facts.json"
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
    /// The first digits of the request's hash; the whole hash stands inside.
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
