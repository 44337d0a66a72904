/// Something in the content files that has to be put right before they can be used.
package struct BundleProblem: Sendable, Hashable {
    /// The file, relative to the home folder (`personas/buffett.yaml`).
    package var file: String
    /// From 1; `nil` when it is about the file as a whole.
    package var line: Int?
    /// What is wrong.
    package var message: String
    /// What would put it right.
    package var fix: String

    package init(file: String, line: Int?, message: String, fix: String) {
        self.file = file
        self.line = line
        self.message = message
        self.fix = fix
    }
}

extension BundleProblem: CustomStringConvertible {
    /// `personas/buffett.yaml:12: unknown key 'wieght' (did you mean 'weight'?)`
    package var description: String {
        let place = line.map { "\(file):\($0)" } ?? file
        return fix.isEmpty ? "\(place): \(message)" : "\(place): \(message) (\(fix))"
    }
}

/// All that is wrong with a set of content files, in the order of files and lines.
package struct BundleProblems: Error, Sendable, CustomStringConvertible {
    package let problems: [BundleProblem]

    package init(_ problems: [BundleProblem]) {
        self.problems = problems.sorted { left, right in
            (left.file, left.line ?? 0, left.message) < (right.file, right.line ?? 0, right.message)
        }
    }

    /// One line for each.
    package var description: String { problems.map(\.description).joined(separator: "\n") }
}
