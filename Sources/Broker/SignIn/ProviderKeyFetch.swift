internal import Basics
internal import HTTP
internal import JSON

/// Fetches the key set of an identity provider.
struct ProviderKeyFetch {
    struct Failure: Error {
        var reason: String

        init(_ reason: String) { self.reason = reason }
    }

    let transport: any HTTPTransport

    /// The keys, and the seconds for which the answer may be kept, when it says so.
    func keys(at location: ProviderKeys.Location) async throws(Failure) -> (ProviderKeySet, lifetime: Int64?) {
        let response = try await document(at: try await address(of: location))
        guard let set = ProviderKeySet(response.body) else { throw Failure("the answer is no set of at most 100 keys") }
        return (set, Self.lifetime(response.headers.values(of: "Cache-Control")))
    }

    private func address(of location: ProviderKeys.Location) async throws(Failure) -> String {
        switch location {
        case .keySet(let url): return url
        case .discovery(let issuer):
            let base = issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
            let response = try await document(at: base + "/.well-known/openid-configuration")
            guard let document = try? JSON(parsing: response.body), document["issuer"] == JSON(issuer) else {
                throw Failure("the discovery document has another issuer")
            }
            guard let url = document["jwks_uri"]?.string, ProviderAddress.isSafe(url) else {
                throw Failure("the discovery document has no https address of keys")
            }
            return url
        }
    }

    private func document(at url: String) async throws(Failure) -> HTTPResponse {
        var limits = HTTPLimits()
        limits.total = .seconds(5)
        limits.body = 256 << 10
        let response: HTTPResponse
        do {
            response = try await transport.send(HTTPRequest(.get, url, limits: limits))
        } catch {
            throw Failure("\(error)")
        }
        guard response.status == 200 else { throw Failure("the answer has status \(response.status)") }
        return response
    }

    /// The `max-age` of an answer (RFC 9111); 0 when it may not be kept.
    static func lifetime(_ fields: [String]) -> Int64? {
        var lifetime: Int64?
        for directive in fields.joined(separator: ",").lowercased().split(separator: ",") {
            let words = directive.split(separator: "=", maxSplits: 1).map { $0.trimmingSpaces }
            switch words.first {
            case "no-store", "no-cache": return 0
            case "max-age" where words.count == 2:
                let digits = words[1].utf8.allSatisfy { (0x30...0x39).contains($0) } ? words[1] : ""
                // A number that is too large is a long time.
                if !digits.isEmpty { lifetime = Int64(digits) ?? .max }
            default: break
            }
        }
        return lifetime
    }
}

/// Addresses of identity providers.
package enum ProviderAddress {
    /// Whether an address is `https`, or `http` on this machine.
    package static func isSafe(_ url: String) -> Bool {
        let hasBadBytes = url.utf8.contains { $0 <= 0x20 || $0 >= 0x7F }
        if hasBadBytes { return false }
        if url.hasPrefix("https://") { return url.utf8.count > "https://".utf8.count }
        return ["127.0.0.1", "localhost", "[::1]"].contains { host in
            guard url.hasPrefix("http://" + host) else { return false }
            let rest = url.dropFirst("http://\(host)".count)
            return rest.isEmpty || rest.hasPrefix(":") && !rest.contains("@") || rest.hasPrefix("/")
        }
    }
}

extension Substring {
    fileprivate var trimmingSpaces: String {
        String(drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
}
