import CCurl
import Glibc

/// A checked and normalised `http` or `https` URL, in the form that libcurl reads: the host in ASCII, numeric hosts of
/// any notation as addresses, no trailing dot, no IPv6 zone (which is valid on one machine only).
struct AbsoluteURL: Sendable, Equatable {
    let text: String
    let scheme: String
    /// A name, or an address without brackets.
    let host: String
    let port: Int
    /// Whether it contains a user name or a password.
    let hasUser: Bool

    init(_ text: String) throws(HTTPClientError) { try self.init(text, relativeTo: nil) }

    /// Reads a `Location` header, absolute or relative.
    func resolving(_ location: String) throws(HTTPClientError) -> AbsoluteURL {
        try AbsoluteURL(location, relativeTo: text)
    }

    private init(_ text: String, relativeTo base: String?) throws(HTTPClientError) {
        let failure = HTTPClientError.invalidURL(text)
        // Spaces and non-ASCII characters in paths and queries are common in feeds; libcurl encodes them.
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

    /// The host in ASCII, as a plain name and in its URL form.
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

    /// Letters, digits, `-`, `.` and `_` only: parsers disagree about other characters.
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

    /// libidn2 takes its input in the encoding of the thread's locale, which is plain ASCII unless the program has set
    /// one.
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

/// libcurl's URL parser: the check of a URL and the connection must use the same parser.
struct URLHandle: ~Copyable {
    private let handle: OpaquePointer

    init?() {
        guard let handle = curl_url() else { return nil }
        self.handle = handle
    }

    deinit { curl_url_cleanup(handle) }

    /// Sets a part; the URL itself, when one is there already, is resolved against it.
    func set(_ part: CURLUPart, _ value: String?, flags: Int32 = 0) -> Bool {
        curl_url_set(handle, part, value, UInt32(flags)) == CURLUE_OK
    }

    func get(_ part: CURLUPart, flags: Int32 = 0) -> String? {
        var value: UnsafeMutablePointer<CChar>?
        guard curl_url_get(handle, part, &value, UInt32(flags)) == CURLUE_OK, let value else { return nil }
        defer { curl_free(value) }
        return String(cString: value)
    }
}
