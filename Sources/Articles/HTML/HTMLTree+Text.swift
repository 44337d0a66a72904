extension HTMLTree {
    /// What stands in an element, counted.
    struct Measure: Sendable {
        /// Characters, white space at the ends left out.
        var length = 0
        var commas = 0
        /// Characters within links; those within links to a place on the page count less.
        var linked = 0.0

        var linkDensity: Double { length == 0 ? 0 : linked / Double(length) }
    }

    func bytes(ofText node: Node) -> ArraySlice<UInt8> { bytes[Int(node.start)..<Int(node.start + node.count)] }

    /// Length, commas and links of everything below an element.
    func measure(_ scope: Index) -> Measure {
        var measure = Measure()
        var weight = 0.0
        var linkEnd = Self.none
        var leading = true
        var trailing = 0
        var current = self[scope].tag == .textNode ? scope : self[scope].first
        while current != Self.none {
            if current == linkEnd {
                weight = 0
                linkEnd = Self.none
            }
            let node = nodes[Int(current)]
            if node.tag == .textNode {
                let hasSpace = bytes[Int(node.start)] == 0x20
                measure.length += Int(node.length) - (leading && hasSpace ? 1 : 0)
                measure.commas += Int(node.commas)
                measure.linked += Double(node.length) * weight
                leading = leading && node.isBlank
                trailing = bytes[Int(node.start + node.count) - 1] == 0x20 ? 1 : 0
            } else if node.tag == .a, weight == 0 {
                linkEnd = following(current, in: scope, skippingChildren: true)
                weight = isFragmentLink(current) ? 0.3 : 1
            }
            if current == scope { break }
            current = following(current, in: scope)
        }
        measure.length = max(measure.length - trailing, 0)
        return measure
    }

    private func isFragmentLink(_ index: Index) -> Bool {
        guard let target = bytes(of: .href, at: index) else { return false }
        return target.first == UInt8(ascii: "#") && target.count > 1
    }

    /// Whether there is any text but white space.
    func hasText(_ scope: Index) -> Bool {
        if self[scope].tag == .textNode { return !self[scope].isBlank }
        var found = false
        walk(scope) { _, node in
            if node.tag == .textNode, !node.isBlank { found = true }
            return !found
        }
        return found
    }

    /// The text below an element in one line, at most `limit` bytes of it.
    func line(_ scope: Index, limit: Int = .max) -> String {
        var text: [UInt8] = []
        if self[scope].tag == .textNode { text += bytes(ofText: self[scope]) }
        walk(scope) { _, node in
            if node.tag == .textNode {
                text += bytes(ofText: node).prefix(limit - text.count)
            } else if node.tag == .br || HTMLTagSet.blocks.contains(node.tag), text.last != 0x20 {
                text.append(0x20)
            }
            return text.count < limit
        }
        return String(decoding: text, as: UTF8.self).collapsed
    }
}
