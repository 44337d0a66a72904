/// The pieces of material that a prompt sets apart, each with the name that the prompt gives it.
struct FencedSections: Sendable {
    private(set) var all: [(name: String, text: String)] = []

    /// Reads `… is data (NAME). …`, then the text between `<MARK>` and `</MARK>` on lines of their own.
    init(_ texts: [String]) {
        for text in texts {
            var rest = Substring(text)
            while let label = rest.firstRange(of: " is data (") {
                rest = rest[label.upperBound...]
                let name = rest.prefix { $0 != ")" }
                guard let open = rest.firstRange(of: "\n<"), let end = rest[open.upperBound...].firstIndex(of: ">"),
                    let close = rest[end...].firstRange(of: "\n</\(rest[open.upperBound..<end])>")
                else { continue }
                let start = rest.index(after: end)
                all.append(
                    (String(name), start < close.lowerBound ? String(rest[start..<close.lowerBound].dropFirst()) : ""))
                rest = rest[close.upperBound...]
            }
        }
    }

    /// The first piece of that name; empty when there is none.
    subscript(name: String) -> String { all.first { $0.name == name }?.text ?? "" }
}
