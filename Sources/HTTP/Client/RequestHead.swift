/// What may stand in the head of a request. Anything else is refused, never repaired: a line break in a value would
/// begin a header of somebody else's choice.
enum RequestHead {
    /// - Throws: `HTTPClientError.invalidHeader` naming the method or the first header that cannot be sent.
    static func check(_ method: HTTPMethod, _ headers: HTTPHeaders) throws(HTTPClientError) {
        guard isToken(method.rawValue) else { throw .invalidHeader(name: "method") }
        for field in headers.fields {
            guard isToken(field.name) else { throw .invalidHeader(name: "(name)") }
            guard field.value.utf8.allSatisfy({ $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }) else {
                throw .invalidHeader(name: field.name)
            }
        }
    }

    /// `tchar` of RFC 9110, one or more.
    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }
}
