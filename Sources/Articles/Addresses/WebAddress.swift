/// An address in parts, read and resolved as RFC 3986 says. Nothing is checked or encoded: whoever fetches it does that.
package struct WebAddress: Sendable, Hashable {
    package var scheme: String?
    /// Host with port and user, as written; `nil` when there is none.
    package var authority: String?
    package var path: String
    /// Without `?`.
    package var query: String?
    /// Without `#`.
    package var fragment: String?

    /// Takes any text apart. White space at the ends, and line breaks and tabulators within, are dropped.
    package init(_ text: String) {
        var rest = text.trimmed.filter { $0 != "\n" && $0 != "\r" && $0 != "\t" && $0 != "\r\n" }[...]
        if let place = rest.firstIndex(of: "#") {
            fragment = String(rest[rest.index(after: place)...])
            rest = rest[..<place]
        }
        if let place = rest.firstIndex(of: "?") {
            query = String(rest[rest.index(after: place)...])
            rest = rest[..<place]
        }
        if let colon = rest.firstIndex(of: ":"), Self.isScheme(rest[..<colon]) {
            scheme = rest[..<colon].lowercased()
            rest = rest[rest.index(after: colon)...]
        }
        if rest.hasPrefix("//") {
            rest = rest.dropFirst(2)
            let end = rest.firstIndex(of: "/") ?? rest.endIndex
            authority = String(rest[..<end])
            rest = rest[end...]
        }
        path = String(rest)
    }

    /// The host in lower case, without user, port and a final dot.
    package var host: String? {
        guard var host = authority.map({ $0[...] }) else { return nil }
        if let at = host.lastIndex(of: "@") { host = host[host.index(after: at)...] }
        if !host.hasPrefix("[") { host = host.prefix { $0 != ":" } }
        if host.hasSuffix(".") { host = host.dropLast() }
        return host.isEmpty ? nil : host.lowercased()
    }

    /// Whether it can be fetched: `http` or `https` with a host.
    package var isWeb: Bool { (scheme == "http" || scheme == "https") && host != nil }

    /// The address that a reference on a page of this address means.
    package func resolving(_ reference: String) -> WebAddress {
        var target = WebAddress(reference)
        guard target.scheme == nil else { return target }
        target.scheme = scheme
        guard target.authority == nil else { return target }
        target.authority = authority
        if target.path.isEmpty {
            target.path = path
            if target.query == nil { target.query = query }
        } else {
            if !target.path.hasPrefix("/") {
                let folder = path.lastIndex(of: "/").map { path[...$0] } ?? (authority == nil ? "" : "/")
                target.path = folder + target.path
            }
            target.path = Self.withoutDots(target.path)
        }
        return target
    }

    private static func isScheme(_ text: Substring) -> Bool {
        text.first?.isLetter == true
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "+" || $0 == "-" || $0 == ".") }
    }

    /// Takes `.` and `..` out of a path.
    static func withoutDots(_ path: String) -> String {
        guard path.contains("/.") || path.hasPrefix(".") else { return path }
        var kept: [Substring] = []
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch segment {
            case ".": if isLast { kept.append("") }
            case "..":
                if kept.count > 1 { kept.removeLast() }
                if isLast { kept.append("") }
            default: kept.append(segment)
            }
        }
        return kept.joined(separator: "/")
    }
}

extension WebAddress: CustomStringConvertible {
    package var description: String {
        (scheme.map { $0 + ":" } ?? "") + (authority.map { "//" + $0 } ?? "") + path + (query.map { "?" + $0 } ?? "")
            + (fragment.map { "#" + $0 } ?? "")
    }
}
