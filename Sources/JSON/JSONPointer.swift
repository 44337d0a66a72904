/// The way from the root of a value to a part of it (RFC 6901), for example `/holdings/2/ticker`.
public struct JSONPointer: Sendable, Hashable, CustomStringConvertible {
    /// The keys of objects and the indices of arrays, in their order and without escapes.
    public private(set) var steps: [String]

    /// A pointer from its steps; without steps it leads to the root.
    public init(_ steps: [String] = []) { self.steps = steps }

    /// A pointer from its text: empty, or with a slash before each step.
    ///
    /// - Returns: `nil` for any other text, also for a `~` that is followed by neither `0` nor `1`.
    public init?(parsing text: some StringProtocol) {
        guard !text.isEmpty else {
            steps = []
            return
        }
        guard text.utf8.first == UInt8(ascii: "/") else { return nil }
        steps = []
        // By scalars: a combining mark after a slash makes another character of it.
        let scalars = text.unicodeScalars.dropFirst()
        for step in scalars.split(separator: "/", omittingEmptySubsequences: false) {
            guard let step = Self.unescaped(String(String.UnicodeScalarView(step))) else { return nil }
            steps.append(step)
        }
    }

    /// A pointer from a reference within the same document, as the `$ref` of a schema has it: `#/$defs/node`.
    ///
    /// - Returns: `nil` for a reference to another document and for a named anchor.
    public init?(reference: String) {
        guard reference.utf8.first == UInt8(ascii: "#"),
            let text = Self.percentDecoded(String(reference.unicodeScalars.dropFirst()))
        else { return nil }
        self.init(parsing: text)
    }

    /// The text of the pointer, with `/` in a step written as `~1` and `~` as `~0`.
    public var description: String { steps.reduce(into: "") { $0 += "/" + Self.escaped($1) } }

    /// The pointer as a reference within the same document: `#/$defs/node`.
    public var reference: String { "#\(self)" }

    /// The pointer to a member or an element of the part that this one leads to.
    public func appending(_ step: String) -> JSONPointer { JSONPointer(steps + [step]) }

    private static func escaped(_ step: String) -> String {
        guard step.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else { return step }
        return step.unicodeScalars.reduce(into: "") { $0 += $1 == "~" ? "~0" : $1 == "/" ? "~1" : String($1) }
    }

    private static func unescaped(_ step: String) -> String? {
        guard step.utf8.contains(UInt8(ascii: "~")) else { return step }
        var text = ""
        var scalars = step.unicodeScalars.makeIterator()
        while let scalar = scalars.next() {
            guard scalar == "~" else {
                text.unicodeScalars.append(scalar)
                continue
            }
            switch scalars.next() {
            case "0": text += "~"
            case "1": text += "/"
            default: return nil
            }
        }
        return text
    }

    private static func percentDecoded(_ text: String) -> String? {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let code = UInt8(String(Substring(rest.prefix(2))), radix: 16) else { return nil }
            bytes.append(code)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension JSON {
    /// The part of this value that a pointer leads to; `nil` when there is none.
    public subscript(pointer: JSONPointer) -> JSON? {
        var part = self
        for step in pointer.steps {
            guard let next = part[step] ?? JSON.index(step).flatMap({ part[$0] }) else { return nil }
            part = next
        }
        return part
    }

    /// The part that a reference within this value leads to, such as the `$ref` of a schema (`#/$defs/node`).
    public func resolving(reference: String) -> JSON? { JSONPointer(reference: reference).flatMap { self[$0] } }

    /// An index as RFC 6901 writes it: digits without leading zeros.
    private static func index(_ step: String) -> Int? {
        guard step.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
        return step == "0" || step.utf8.first != UInt8(ascii: "0") ? Int(step) : nil
    }
}
