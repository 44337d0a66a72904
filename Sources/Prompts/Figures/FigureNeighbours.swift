/// Gives figures of a range or a list the unit that only one of them carries: `10–12%`, `$10–12 billion`,
/// `43, 44 and 46 percent`, `between five and six percent`.
struct FigureNeighbours {
    private enum Link { case range, list }

    let tokens: [FigureToken]

    func complete(_ figures: [Figure]) -> [Figure] {
        var figures = figures
        for place in figures.indices.dropLast().reversed() {
            guard let link = link(figures[place], figures[place + 1]) else { continue }
            if figures[place].isTentative, link != .range { continue }
            lend(from: figures[place + 1], to: &figures[place], over: link)
        }
        for place in figures.indices.dropFirst() where link(figures[place - 1], figures[place]) != nil {
            lendCurrency(from: figures[place - 1], to: &figures[place])
        }
        return figures.filter { !$0.isTentative }
    }

    private func link(_ left: Figure, _ right: Figure) -> Link? {
        let gap = tokens[left.tokens.upperBound..<right.tokens.lowerBound].map(\.lower)
        if gap.count == 1, ["-", "–", "to"].contains(gap[0]) { return .range }
        let before = left.tokens.lowerBound > 0 ? tokens[left.tokens.lowerBound - 1].lower : ""
        if gap == ["and"], before == "between" { return .range }
        guard (1...2).contains(gap.count) else { return nil }
        return gap.allSatisfy { ["and", "or", ",", "/", "then"].contains($0) } ? .list : nil
    }

    /// The unit behind the right one, for a left one that has none. In a range the left one can have no other.
    private func lend(from right: Figure, to left: inout Figure, over link: Link) {
        let own = left.readings[0]
        var lent: [Figure.Reading] = []
        for reading in right.readings where reading.kind != .fraction && reading.kind != .multiple {
            let isPlain = own.kind == .plain && reading.kind != .plain
            let isUnscaled = left.scale == 1 && right.scale > 1
            guard isPlain || isUnscaled else { continue }
            let part = reading.value == 0 || right.number == 0 ? 1 : reading.value / right.number
            let scale = (isUnscaled ? right.scale : 1) * (isPlain ? part : 1)
            lent.append(
                .init(
                    kind: isPlain ? reading.kind : own.kind, value: left.number * scale, step: left.numberStep * scale))
        }
        guard !lent.isEmpty else { return }
        left.isTentative = false
        left.readings = link == .range && own.kind == .plain ? lent : left.readings + lent
    }

    private func lendCurrency(from left: Figure, to right: inout Figure) {
        guard case .money = left.readings[0].kind, right.readings[0].kind == .plain else { return }
        right.readings.append(
            .init(kind: left.readings[0].kind, value: right.readings[0].value, step: right.readings[0].step))
    }
}
