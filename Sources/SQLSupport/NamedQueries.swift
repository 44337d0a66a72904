/// The queries of SQL files that hold one topic each.
///
/// A line `-- name: claim_job` begins the query `claim_job`, which ends at the next such line. Lines before the first
/// name describe the file.
package struct NamedQueries: Sendable {
    /// The text of each query by its name, without the name's line.
    package private(set) var texts: [String: String] = [:]
    /// Names that occur more than once; a test requires that there are none.
    package private(set) var repeated: [String] = []

    private static let marker = "-- name:"

    /// - Parameter files: The embedded files' bytes.
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

/// An enum of a store's queries; the raw values are their names in the SQL files.
package protocol QueryName: CaseIterable, RawRepresentable<String>, Sendable {}

extension QueryName {
    /// The position of the case in `allCases`, by which texts and prepared statements are kept in arrays.
    ///
    /// An enum without payloads and with at most 256 cases is stored as one byte that counts its cases; a test compares
    /// it with `allCases`.
    package var index: Int { withUnsafeBytes(of: self) { $0.first.map(Int.init) ?? 0 } }
}
