internal import Basics

/// An address in parts, read and resolved as RFC 3986 says. It is neither checked nor encoded: the client that fetches
/// it does both.
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
        if host.hasPrefix("[") {
            // An IPv6 address has colons of its own.
            guard let end = host.firstIndex(of: "]") else { return nil }
            host = host[...end]
        } else {
            host = host.prefix { $0 != ":" }
        }
        while host.utf8.last == UInt8(ascii: ".") { host.removeLast() }
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

/// The one address of an article, the same for all links to it.
package enum CanonicalURL {
    /// Parameters that track the reader and do not select content.
    private static let tracking: Set<String> = [
        "fbclid", "gclid", "gclsrc", "dclid", "gbraid", "wbraid", "msclkid", "yclid", "twclid", "ttclid", "igshid",
        "igsh", "mc_cid", "mc_eid", "mkt_tok", "_hsenc", "_hsmi", "_ga", "_gl", "vero_id", "vero_conv", "oly_anon_id",
        "oly_enc_id", "rb_clickid", "s_cid", "cmpid", "ncid", "ocid", "sref", "smid", "partner", "feedtype", "ftag",
        "guccounter", "guce_referrer", "guce_referrer_sig", "__twitter_impression", "spm", "share", "xtor", "at_medium",
        "at_campaign", "at_custom1", "at_format", "wt_mc", "wt.mc_id", "ito", "sr_share", "taid", "srnd", "mod",
    ]
    private static let trackingPrefixes = ["utm_", "hsa_", "pk_", "piwik_", "mtm_", "trk_"]

    /// A normal form to compare and keep, which need not be the form to fetch: `https` on the default ports, host in
    /// lower case, no user, no fragment, no slash at the end, no tracking parameters, the others in order of name. A video
    /// has one form for all addresses that lead to it.
    ///
    /// `nil` when the text is not a web address. The normal form of a normal form is the same.
    package static func normalized(_ text: String) -> String? {
        if WebAddress(text).isWeb, let video = VideoAddress(text) { return VideoAddress.page(of: video.id) }
        // Odd texts need several rounds: what one takes away may bare white space or a slash.
        var form = simplified(text)
        for _ in 0..<longestChain {
            guard let last = form, let next = simplified(last), !next.hasSameBytes(as: last) else { return form }
            form = next
        }
        return nil
    }

    private static let longestChain = 8

    private static func simplified(_ text: String) -> String? {
        var address = WebAddress(text)
        guard address.isWeb, let host = address.host else { return nil }
        let port = port(of: address)
        address.authority = host + (port.map { ":\($0)" } ?? "")
        address.fragment = nil
        if port == nil { address.scheme = "https" }
        address.path = WebAddress.withoutDots(address.path)
        if address.path.isEmpty { address.path = "/" }
        while address.path.utf8.count > 1, address.path.utf8.last == UInt8(ascii: "/") { address.path.removeLast() }
        let items = (address.query ?? "").split(separator: "&").map(\.trimmed).filter { !$0.isEmpty && !isTracking($0) }
        // Stable: the order of equal names may mean something.
        let sorted = items.enumerated().sorted { (name($0.element), $0.offset) < (name($1.element), $1.offset) }
        address.query = sorted.isEmpty ? nil : sorted.map(\.element).joined(separator: "&")
        return address.description.trimmed
    }

    /// The address of an article: the page's canonical one, when that is believable, or else the address it came from.
    ///
    /// A page's own statement counts only within the same site and when it is no front page: templates forget to fill
    /// it in, and another site's address would let a page replace that site's article.
    package static func of(_ article: Article, foundAt text: String) -> String? {
        guard let found = normalized(text) else { return nil }
        guard let stated = article.statedURL,
            let candidate = normalized(WebAddress(text).resolving(stated).description)
        else { return found }
        let (here, there) = (WebAddress(found), WebAddress(candidate))
        guard let host = here.host, let other = there.host, site(host) == site(other) else { return found }
        let isFrontPage = there.path == "/" && there.query == nil
        return isFrontPage && (here.path != "/" || here.query != nil) ? found : candidate
    }

    /// The host without the first names of mobile and accelerated pages.
    private static func site(_ host: String) -> String {
        for prefix in ["www.", "m.", "mobile.", "amp.", "edition."] where host.hasPrefix(prefix) {
            return String(host.dropFirst(prefix.count))
        }
        return host
    }

    private static func port(of address: WebAddress) -> Int? {
        guard let authority = address.authority, let colon = authority.lastIndex(of: ":"),
            let port = Int(authority[authority.index(after: colon)...])
        else { return nil }
        return port == (address.scheme == "https" ? 443 : 80) ? nil : port
    }

    private static func name(_ item: String) -> Substring { item.prefix { $0 != "=" } }

    private static func isTracking(_ item: String) -> Bool {
        let name = name(item).lowercased()
        return tracking.contains(name) || trackingPrefixes.contains { name.hasPrefix($0) }
    }
}
