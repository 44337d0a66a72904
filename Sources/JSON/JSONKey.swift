internal import Glibc

/// The name of a member, which is the same as another one only when their UTF-8 bytes are.
///
/// `String` takes canonically equivalent texts for equal: "é" in one scalar and in two, or "K" and the Kelvin sign. To
/// find that out it normalises both, in time quadratic in a run of combining marks.
public struct JSONKey: Sendable, Hashable {
    /// The name.
    public let text: String

    /// A key from its name.
    public init(_ text: String) { self.text = text }

    /// Whether both have the same bytes.
    public static func == (left: JSONKey, right: JSONKey) -> Bool { left.text.hasSameBytes(as: right.text) }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}

extension String {
    /// Whether both texts have the same UTF-8 bytes.
    func hasSameBytes(as other: String) -> Bool {
        let count = utf8.count
        guard count == other.utf8.count else { return false }
        let isSame = utf8.withContiguousStorageIfAvailable { left in
            other.utf8.withContiguousStorageIfAvailable { right in
                guard let one = left.baseAddress, let two = right.baseAddress else { return true }
                return memcmp(one, two, count) == 0
            }
        }
        return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
    }

    /// Hashes the UTF-8 bytes, with an end that no text contains.
    func hashBytes(into hasher: inout Hasher) {
        var text = self
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)
    }
}
