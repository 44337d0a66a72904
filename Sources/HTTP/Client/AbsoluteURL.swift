import CCurl
import Glibc

/// A checked `http` or `https` URL, written the way libcurl will read it: the host in ASCII, a number in any notation
/// as the address that it means, no trailing dot, no IPv6 zone (which means something on one machine only).
struct AbsoluteURL: Sendable, Equatable {
    let text: String
    let scheme: String
    /// A name, or an address without brackets.
    let host: String
    let port: Int
    /// Whether a user name or a password stands in it.
    let hasUser: Bool

    init(_ text: String) throws(HTTPClientError) { try self.init(text, relativeTo: nil) }

    /// Reads a `Location` header, absolute or relative.
    func resolving(_ location: String) throws(HTTPClientError) -> AbsoluteURL {
        try AbsoluteURL(location, relativeTo: text)
    }

    private init(_ text: String, relativeTo base: String?) throws(HTTPClientError) {
        let failure = HTTPClientError.invalidURL(text)
        // Spaces and characters outside ASCII in paths and queries are common in feeds; libcurl encodes them.
        let lenient = Int32(CURLU_URLENCODE | CURLU_ALLOW_SPACE)
        guard !text.utf8.contains(0), let handle = URLHandle(),
            base.map({ handle.set(CURLUPART_URL, $0) }) ?? true,
            handle.set(CURLUPART_URL, text, flags: lenient),
            let scheme = handle.get(CURLUPART_SCHEME)?.lowercased(), scheme == "http" || scheme == "https",
            handle.get(CURLUPART_ZONEID) == nil,
            let host = Self.asciiHost(of: handle), handle.set(CURLUPART_HOST, host.inURL),
            let port = handle.get(CURLUPART_PORT, flags: CURLU_DEFAULT_PORT).flatMap({ Int($0) }),
            (1...65535).contains(port), handle.set(CURLUPART_FRAGMENT, nil),
            let normal = handle.get(CURLUPART_URL, flags: CURLU_NO_DEFAULT_PORT)
        else { throw failure }
        self.text = normal
        self.scheme = scheme
        self.host = host.name
        self.port = port
        hasUser = [CURLUPART_USER, CURLUPART_PASSWORD].contains { handle.get($0) != nil }
    }

    var origin: String { "\(scheme)://\(host):\(port)" }

    /// The host as an address, when it is one.
    var address: IPAddress? { IPAddress(host) }

    /// The host in ASCII, as a plain name and in the form that a URL has it.
    private static func asciiHost(of handle: borrowing URLHandle) -> (name: String, inURL: String)? {
        guard let written = handle.get(CURLUPART_HOST) else { return nil }
        if written.hasPrefix("[") {
            guard let address = IPAddress(String(written.dropFirst().dropLast())) else { return nil }
            return (address.description, address.inURL)
        }
        let isASCII = written.utf8.allSatisfy { $0 < 0x80 }
        let ascii: String? = isASCII ? written : withUTF8Locale { handle.get(CURLUPART_HOST, flags: CURLU_PUNYCODE) }
        guard var name = ascii?.lowercased() else { return nil }
        if name.hasSuffix(".") { name.removeLast() }
        if let address = IPAddress(looseIPv4: name) { name = address.description }
        return isHostName(name) ? (name, name) : nil
    }

    /// Letters, digits, `-`, `.` and `_` only: whatever else a host could hold would be read in different ways.
    private static func isHostName(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    /// libidn2 takes its input in the encoding of the thread's locale, which is plain ASCII unless somebody set one.
    private static func withUTF8Locale<Result>(_ body: () -> Result) -> Result {
        guard let locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil) else { return body() }
        let previous = uselocale(locale)
        defer {
            uselocale(previous)
            freelocale(locale)
        }
        return body()
    }
}
