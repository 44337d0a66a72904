/// Header fields in the order in which they stand in a message; names compare without case.
package struct HTTPHeaders: Sendable, Equatable {
    package typealias Field = (name: String, value: String)

    private(set) package var fields: [Field] = []

    package init() {}

    package init(_ fields: [(String, String)]) { self.fields = fields.map { (name: $0, value: $1) } }

    /// The first value of that name. Setting replaces every value of the name; setting `nil` removes them.
    package subscript(name: String) -> String? {
        get { fields.first { Self.same($0.name, name) }?.value }
        set {
            fields.removeAll { Self.same($0.name, name) }
            if let newValue { fields.append((name, newValue)) }
        }
    }

    package func values(of name: String) -> [String] { fields.filter { Self.same($0.name, name) }.map(\.value) }

    /// Adds a value without touching those that are there (`Set-Cookie`).
    package mutating func add(_ name: String, _ value: String) { fields.append((name, value)) }

    package static func == (left: HTTPHeaders, right: HTTPHeaders) -> Bool {
        left.fields.elementsEqual(right.fields) { same($0.name, $1.name) && $0.value == $1.value }
    }

    /// ASCII case folding only, as RFC 9110 asks; no allocation.
    private static func same(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count && left.utf8.elementsEqual(right.utf8) { lower($0) == lower($1) }
    }

    private static func lower(_ byte: UInt8) -> UInt8 {
        byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, String)...) { self.init(elements) }
}
