extension Unicode.Scalar {
    /// Whether it acts on a terminal or on the order of a text instead of being shown: control characters but tab and
    /// line feed, directional embeddings, overrides and isolates, line and paragraph separators.
    package var actsOnDisplay: Bool {
        switch value {
        case 0x09, 0x0A: false
        case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// The scalar as JSON and log lines escape it: `\u009b`.
    package var escaped: String {
        let hex = String(value, radix: 16)
        return "\\u" + String(repeating: "0", count: max(0, 4 - hex.utf8.count)) + hex
    }
}

extension String {
    /// The text with `\u….` for every scalar that acts on a terminal or on the order of the text. JSON means the same
    /// afterwards, since such scalars occur only in its strings.
    package var escapingDisplayControls: String {
        // Only these bytes begin such a scalar.
        guard utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 || $0 == 0xE2 }) else { return self }
        var escaped = ""
        escaped.reserveCapacity(utf8.count)
        for scalar in unicodeScalars {
            if scalar.actsOnDisplay { escaped += scalar.escaped } else { escaped.unicodeScalars.append(scalar) }
        }
        return escaped
    }
}
