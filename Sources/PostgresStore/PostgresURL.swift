import SQLSupport
internal import CPQ

/// The address of a PostgreSQL database: `postgres://user:password@host:port/database?parameter=value&…`.
///
/// The parameters are libpq's (`sslmode`, `sslrootcert`, `connect_timeout`, …) and one of ours: `pooler=transaction`
/// means that the address is that of a pooler in transaction mode. The password appears in no description.
package struct PostgresURL: Sendable, Equatable {
    /// The reason why a text is no valid address. It repeats no part of the text, since any part may be the password.
    package struct Invalid: Error, Equatable, CustomStringConvertible {
        package let description: String
    }

    /// The address for libpq.
    let address: String
    /// Whether sessions last for one transaction only, so that there are no prepared statements and no LISTEN.
    package let isPooled: Bool
    /// Host, port and database, for display.
    private let shown: String

    /// - Throws: `Invalid` when libpq does not understand the text.
    package init(_ text: String) throws(Invalid) {
        guard text.hasPrefix("postgres://") || text.hasPrefix("postgresql://"), !text.utf8.contains(0) else {
            throw Invalid(description: "must be postgres://user:password@host:port/database")
        }
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var parameters: [Substring] = parts.count > 1 ? parts[1].split(separator: "&") : []
        let poolers = parameters.filter { $0.hasPrefix("pooler=") }
        guard poolers.allSatisfy({ $0 == "pooler=transaction" }) else {
            throw Invalid(description: "knows pooler=transaction and no other pooler")
        }
        parameters.removeAll { $0.hasPrefix("pooler=") }
        isPooled = !poolers.isEmpty
        address = String(parts[0]) + (parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&"))
        shown = try Self.shown(address)
    }

    /// Lets libpq parse the address, and returns the parts that may be shown.
    private static func shown(_ address: String) throws(Invalid) -> String {
        var problem: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(address, &problem) else {
            PQfreemem(problem)
            throw Invalid(
                description: "is malformed; postgres://user:password@host:port/database is the form, "
                    + "with special characters in the password as %XX and libpq's parameters behind a question mark")
        }
        defer { PQconninfoFree(options) }
        var values: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { values[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        guard values["port"].map({ UInt16($0) != nil }) ?? true else {
            throw Invalid(description: "has a port that is no number from 0 to 65535")
        }
        let host = values["host"] ?? values["hostaddr"] ?? "localhost"
        return "postgres://\(host):\(values["port"] ?? "5432")/\(values["dbname"] ?? "")"
    }
}

extension PostgresURL: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { shown }
    package var debugDescription: String { shown }
    package var customMirror: Mirror { Mirror(self, children: ["shown": shown]) }
}
