internal import Synchronization

/// A regular expression, compiled once.
///
/// It reads Unicode scalars, and `\b` is the edge of a run of letters, digits and low lines, as in other tools. A `Regex` may
/// not be shared by threads, so one match at a time uses it.
package final class CompiledPattern: Sendable, Hashable {
    package let text: String
    private let regex: Mutex<Regex<AnyRegexOutput>>

    /// Compiles a pattern; `nil` for a text that is none.
    package init?(_ text: String) {
        guard let compiled = try? Regex(text) else { return nil }
        self.text = text
        regex = Mutex(compiled.matchingSemantics(.unicodeScalar).wordBoundaryKind(.simple))
    }

    func firstMatch(in text: String) -> Substring? {
        let range = regex.withLock { text.firstMatch(of: $0)?.range }
        return range.map { text[$0] }
    }

    package static func == (left: CompiledPattern, right: CompiledPattern) -> Bool { left.text == right.text }

    package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
