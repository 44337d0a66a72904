/// Telephone numbers as people write them: with a plus, with a leading zero, or in the groups of North America.
enum PhoneNumber {
    /// A run of digits with no more than a mark or two before the next.
    private struct Group {
        var digits = 0
        var startsWithZero = false
        /// The marks before it.
        var gap: [Unicode.Scalar] = []
    }

    private static let lengths = 7...15
    private static let longestGap = 3

    /// Whether a text has one. Thousands in groups, dates and periods are none.
    static func isIn(_ text: String) -> Bool {
        let count = text.utf8.count { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
        guard count >= lengths.lowerBound else { return false }
        var groups: [Group] = []
        var gap: [Unicode.Scalar] = []
        var (isOpen, hasPlus) = (false, false)
        func isFound() -> Bool { isNumber(groups, hasPlus: hasPlus) }
        for scalar in text.unicodeScalars {
            if scalar.isDigit {
                if !isOpen { groups.append(Group(startsWithZero: scalar == "0", gap: gap)) }
                groups[groups.count - 1].digits += 1
                (isOpen, gap) = (true, [])
                continue
            }
            isOpen = false
            if isGap(scalar), gap.count < longestGap, !groups.isEmpty || hasPlus {
                gap.append(scalar)
                continue
            }
            if isFound() { return true }
            (groups, gap, hasPlus) = ([], [], scalar == "+")
        }
        return isFound()
    }

    private static func isGap(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case " ", "-", ".", "/", "(", ")", "\u{A0}", "\u{2009}", "\u{202F}", "\u{2010}", "\u{2011}", "\u{2013}": true
        default: false
        }
    }

    private static func isNumber(_ groups: [Group], hasPlus: Bool) -> Bool {
        groups.indices.contains { start in
            // A number begins the run, or follows the end of a sentence or a bracket.
            (start == 0 || groups[start].gap.count > 1)
                && isNumber(groups[start...], hasPlus: hasPlus && start == 0)
        }
    }

    private static func isNumber(_ groups: ArraySlice<Group>, hasPlus: Bool) -> Bool {
        guard let first = groups.first else { return false }
        let counts = groups.map(\.digits)
        let total = counts.reduce(0, +)
        guard lengths.contains(total) else { return false }
        if hasPlus { return total > 9 || !counts.dropFirst().allSatisfy { $0 == 3 } }
        if first.startsWithZero {
            let isDate = counts.count == 3 && counts[1] <= 2 && (counts[2] == 4 || counts[2] == 2)
            let isFraction = first.digits == 1 && (counts.count < 3 || groups.dropFirst().first?.gap.first == ".")
            let isPostcode = counts == [5, 4]
            return counts.count > 1 && !isDate && !isFraction && !isPostcode
        }
        return counts.suffix(3) == [3, 3, 4] && (counts.count == 3 || counts.count == 4 && counts[0] == 1)
    }
}
