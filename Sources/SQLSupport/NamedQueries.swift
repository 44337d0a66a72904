/// The queries of SQL files that hold one topic each. A line `-- name: claim_job` begins a query, which goes on to the
/// next such line; what stands before the first one explains the file.
package struct NamedQueries: Sendable {
    /// The text of each query by its name, without the name's line.
    package private(set) var texts: [String: String] = [:]
    /// Names that occur more than once: a test holds that there are none.
    package private(set) var repeated: [String] = []

    private static let marker = "-- name:"

    /// - Parameter files: the embedded files' bytes.
    package init(_ files: [[UInt8]]) {
        for file in files {
            var name: String?
            var lines: [Substring] = []
            for line in String(decoding: file, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false) {
                if line.hasPrefix(Self.marker) {
                    add(name, lines)
                    name = line.dropFirst(Self.marker.count).split(separator: " ").first.map(String.init)
                    lines = []
                } else {
                    lines.append(line)
                }
            }
            add(name, lines)
        }
    }

    private mutating func add(_ name: String?, _ lines: [Substring]) {
        guard let name else { return }
        if texts[name] != nil { repeated.append(name) }
        texts[name] = lines.joined(separator: "\n")
    }
}
