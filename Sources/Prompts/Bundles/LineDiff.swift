/// The edits that turn one list of lines into another.
package struct LineDiff: Sendable, Hashable {
    package enum Line: Sendable, Hashable {
        case same(String)
        case removed(String)
        case added(String)
    }

    /// Lines around a change that are shown with it.
    private static let context = 3

    package let lines: [Line]
    /// The names of the two sides, as in `request.json`.
    package let before: String
    package let after: String

    package init(_ old: [String], named before: String, _ new: [String], named after: String) {
        self.before = before
        self.after = after
        let difference = new.difference(from: old)
        var removed: Set<Int> = []
        var inserted: Set<Int> = []
        for change in difference {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): inserted.insert(offset)
            }
        }
        var lines: [Line] = []
        var (left, right) = (0, 0)
        while left < old.count || right < new.count {
            if left < old.count, removed.contains(left) {
                lines.append(.removed(old[left]))
                left += 1
            } else if right < new.count, inserted.contains(right) {
                lines.append(.added(new[right]))
                right += 1
            } else {
                lines.append(.same(new[right]))
                left += 1
                right += 1
            }
        }
        self.lines = lines
    }

    package var isEmpty: Bool {
        lines.allSatisfy { if case .same = $0 { true } else { false } }
    }

    /// A run of changes with the lines around it.
    package struct Hunk: Sendable {
        /// Of the first line, from 1.
        package var oldStart: Int
        package var newStart: Int
        package var lines: [Line]
    }

    package var hunks: [Hunk] {
        let changed = lines.indices.filter { if case .same = lines[$0] { false } else { true } }
        var ranges: [Range<Int>] = []
        for place in changed {
            let range = max(0, place - Self.context)..<min(lines.count, place + Self.context + 1)
            if let last = ranges.last, last.upperBound >= range.lowerBound {
                ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
            } else {
                ranges.append(range)
            }
        }
        var hunks: [Hunk] = []
        var (old, new, place) = (1, 1, 0)
        for range in ranges {
            while place < range.lowerBound { advance(lines[place], &old, &new, &place) }
            hunks.append(Hunk(oldStart: old, newStart: new, lines: Array(lines[range])))
            while place < range.upperBound { advance(lines[place], &old, &new, &place) }
        }
        return hunks
    }

    private func advance(_ line: Line, _ old: inout Int, _ new: inout Int, _ place: inout Int) {
        switch line {
        case .same: (old, new) = (old + 1, new + 1)
        case .removed: old += 1
        case .added: new += 1
        }
        place += 1
    }

    /// The usual text form, with `---`, `+++` and `@@`.
    package var unified: String {
        guard !isEmpty else { return "" }
        var text = ["--- \(before)", "+++ \(after)"]
        for hunk in hunks {
            let removed = hunk.lines.count { if case .added = $0 { false } else { true } }
            let added = hunk.lines.count { if case .removed = $0 { false } else { true } }
            text.append("@@ -\(hunk.oldStart),\(removed) +\(hunk.newStart),\(added) @@")
            text += hunk.lines.map { line in
                switch line {
                case .same(let line): " " + line
                case .removed(let line): "-" + line
                case .added(let line): "+" + line
                }
            }
        }
        return text.joined(separator: "\n")
    }
}
