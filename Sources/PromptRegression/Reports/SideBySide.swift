internal import Prompts

/// A diff as rows with the old text left and the new one right, and the words that differ marked.
struct SideBySide {
    struct Piece: Hashable {
        var text: String
        var isChanged: Bool
    }

    struct Cell: Hashable {
        /// From 1.
        var number: Int
        var pieces: [Piece]
    }

    struct Row: Hashable {
        /// `nil` where the other side has a line more.
        var left: Cell?
        var right: Cell?
        var isChange: Bool
    }

    /// Each hunk's rows.
    let hunks: [[Row]]

    init(_ diff: LineDiff) { hunks = diff.hunks.map(Self.rows) }

    private static func rows(_ hunk: LineDiff.Hunk) -> [Row] {
        var rows: [Row] = []
        var (old, new) = (hunk.oldStart, hunk.newStart)
        var removed: [String] = []
        var added: [String] = []
        func flush() {
            for place in 0..<max(removed.count, added.count) {
                let left = place < removed.count ? removed[place] : nil
                let right = place < added.count ? added[place] : nil
                let (leftPieces, rightPieces) = pieces(left, right)
                rows.append(
                    Row(
                        left: left.map { _ in Cell(number: old + place, pieces: leftPieces) },
                        right: right.map { _ in Cell(number: new + place, pieces: rightPieces) }, isChange: true))
            }
            old += removed.count
            new += added.count
            removed = []
            added = []
        }
        for line in hunk.lines {
            switch line {
            case .removed(let text): removed.append(text)
            case .added(let text): added.append(text)
            case .same(let text):
                flush()
                let piece = [Piece(text: text, isChanged: false)]
                rows.append(
                    Row(
                        left: Cell(number: old, pieces: piece), right: Cell(number: new, pieces: piece), isChange: false
                    ))
                old += 1
                new += 1
            }
        }
        flush()
        return rows
    }

    /// Longer lines are marked as a whole.
    private static let longestLine = 600

    private static func pieces(_ left: String?, _ right: String?) -> ([Piece], [Piece]) {
        guard let left, let right else {
            return (
                left.map { [Piece(text: $0, isChanged: true)] } ?? [],
                right.map { [Piece(text: $0, isChanged: true)] } ?? []
            )
        }
        let (old, new) = (words(left), words(right))
        guard old.count <= longestLine, new.count <= longestLine else {
            return ([Piece(text: left, isChanged: true)], [Piece(text: right, isChanged: true)])
        }
        var removed: Set<Int> = []
        var inserted: Set<Int> = []
        for change in new.difference(from: old) {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): inserted.insert(offset)
            }
        }
        return (joined(old, removed), joined(new, inserted))
    }

    private static func joined(_ words: [String], _ changed: Set<Int>) -> [Piece] {
        var pieces: [Piece] = []
        for (place, word) in words.enumerated() {
            let isChanged = changed.contains(place)
            if let last = pieces.last, last.isChanged == isChanged {
                pieces[pieces.count - 1].text += word
            } else {
                pieces.append(Piece(text: word, isChanged: isChanged))
            }
        }
        return pieces
    }

    /// Words, and the characters between them.
    private static func words(_ line: String) -> [String] {
        var words: [String] = []
        var isWord = false
        for character in line {
            let continues = character.isLetter || character.isNumber
            if continues, isWord, !words.isEmpty {
                words[words.count - 1].append(character)
            } else {
                words.append(String(character))
            }
            isWord = continues
        }
        return words
    }
}
