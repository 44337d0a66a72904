extension String {
    /// With every run of white space as one space, and none at the ends.
    var collapsed: String {
        var result: [UInt8] = []
        result.reserveCapacity(utf8.count)
        var pending = false
        for scalar in unicodeScalars {
            if scalar.properties.isWhitespace || scalar.value == 0xFEFF {
                pending = !result.isEmpty
            } else {
                if pending { result.append(0x20) }
                pending = false
                result += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// `nil` when there is nothing but white space.
    var nonBlank: String? {
        let text = collapsed
        return text.isEmpty ? nil : text
    }
}

extension StringProtocol {
    /// Without white space at the ends.
    var trimmed: String {
        var rest = self[...]
        while rest.first?.isWhitespace == true { rest = rest.dropFirst() }
        while rest.last?.isWhitespace == true { rest = rest.dropLast() }
        return String(rest)
    }
}
