import Basics
import HTTP

/// Compresses answers for clients that take gzip (RFC 9110, section 8.4).
package enum GzipEncoding {
    /// Shorter bodies gain nothing: with their headers they fit into one packet.
    package static let shortestBody = 1024

    /// A handler whose answers are compressed when their client takes that.
    package static func encoding(_ handler: @escaping RequestHandler) -> RequestHandler {
        { request in encoded(await handler(request), acceptedBy: request.headers.values(of: "Accept-Encoding")) }
    }

    /// The answer, compressed when that is worth it. `Vary` is set even when it is not compressed, since a cache must
    /// not give it to a client that accepts something else.
    static func encoded(_ response: ServerResponse, acceptedBy accepted: [String]) -> ServerResponse {
        // What has not changed is kept for the same clients as before.
        if response.status == 304, !response.headers.values(of: "Vary").contains("Accept-Encoding") {
            var response = response
            response.headers.add("Vary", "Accept-Encoding")
            return response
        }
        guard case .bytes(let bytes) = response.body, bytes.count >= shortestBody,
            isText(response.headers["Content-Type"] ?? ""), response.headers["Content-Encoding"] == nil,
            // An answer that says so has been made for its client already.
            !response.headers.values(of: "Vary").contains("Accept-Encoding")
        else { return response }
        var response = response
        response.headers.add("Vary", "Accept-Encoding")
        guard isAccepted(by: accepted), let compressed = gzip(bytes) else { return response }
        response.headers["Content-Encoding"] = "gzip"
        response.body = .bytes(compressed)
        return response
    }

    /// The bytes in the form of gzip, or `nil` when they would not become fewer.
    private static func gzip(_ bytes: [UInt8]) -> [UInt8]? {
        bytes.withUnsafeBufferPointer { Deflate.compressed($0, as: .gzip, room: $0.count) }
    }

    private static func isText(_ type: String) -> Bool {
        let essence = type.prefix { $0 != ";" }.lowercased()
        return essence == "application/json" || essence.hasPrefix("text/")
    }

    // MARK: Accept-Encoding

    /// Whether a list of codings allows gzip: by name, or by `*` where the name does not appear.
    package static func isAccepted(by lists: [String]) -> Bool {
        var (named, others): (Bool?, Bool?) = (nil, nil)
        for entry in lists.flatMap({ $0.split(separator: ",") }) {
            let parts = entry.split(separator: ";", omittingEmptySubsequences: false).map {
                $0.filter { $0 != " " && $0 != "\t" }.lowercased()
            }
            let isAllowed = !parts.dropFirst().contains { weight in
                weight.hasPrefix("q=") && (Double(weight.dropFirst(2)) ?? 0) <= 0
            }
            switch parts[0] {
            case "gzip", "x-gzip": named = isAllowed
            case "*": others = isAllowed
            default: break
            }
        }
        return named ?? others ?? false
    }
}
