/// The symbol of a share or of a crypto asset, in one spelling: `AAPL`, `BTC`, `BRK-B`.
///
/// One to five letters or digits, as the news document has it, and a class suffix of one or two letters.
package struct TickerSymbol: Sendable, Hashable, Comparable, CustomStringConvertible {
    package let text: String

    /// Reads any case, surrounding space, and `BRK.B`, `BRK-B` or `BRK/B`; `nil` for what is no symbol.
    package init?(_ text: String) {
        let trimmed = text.drop { $0.isWhitespace }
        var symbol: [UInt8] = []
        var classLength: Int?
        for byte in trimmed.prefix(while: { !$0.isWhitespace }).utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"):
                symbol.append(byte - 0x20)
            case UInt8(ascii: "A")...UInt8(ascii: "Z"):
                symbol.append(byte)
            case UInt8(ascii: "0")...UInt8(ascii: "9") where classLength == nil: symbol.append(byte)
            case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "/"):
                guard classLength == nil, (1...5).contains(symbol.count) else { return nil }
                symbol.append(UInt8(ascii: "-"))
                classLength = 0
                continue
            default: return nil
            }
            if let length = classLength {
                guard length < 2 else { return nil }
                classLength = length + 1
            } else if symbol.count > 5 {
                return nil
            }
        }
        guard !symbol.isEmpty, classLength != 0,
            trimmed.drop(while: { !$0.isWhitespace }).allSatisfy(\.isWhitespace)
        else { return nil }
        self.text = String(decoding: symbol, as: UTF8.self)
    }

    package var description: String { text }

    package static func < (left: TickerSymbol, right: TickerSymbol) -> Bool { left.text < right.text }
}
