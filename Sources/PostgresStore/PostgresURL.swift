import SQLSupport
internal import CPQ
internal import Synchronization

/// The address of a PostgreSQL database: `postgres://user:password@host:port/database?parameter=value&…`.
///
/// The parameters are libpq's (`sslmode`, `sslrootcert`, `connect_timeout`, …) and one of ours: `pooler=transaction`
/// means that the address is that of a pooler in transaction mode. The password appears in no description.
///
/// Of several servers, `host:port,host:port`, each connection uses the first that answers and takes writes, beginning with
/// the one that did last; `target_session_attrs` changes what is asked of it.
package struct PostgresURL: Sendable, Equatable {
    /// The reason why a text is no valid address. It repeats no part of the text, since any part may be the password.
    package struct Invalid: Error, Equatable, CustomStringConvertible {
        package let description: String
    }

    /// The address for libpq.
    let address: String
    /// Whether sessions last for one transaction only, so that there are no prepared statements and no LISTEN.
    package let isPooled: Bool
    /// The servers, in the order of the address.
    let hosts: [Host]
    /// The server that answered last, for all connections of this address.
    let lastHost = LastHost()
    /// Host, port and database, for display.
    private let shown: String

    /// A server, by libpq's keywords.
    struct Host: Sendable, Equatable {
        /// `nil` for libpq's default.
        var name: String?
        /// The IP address, where the address of the database has one.
        var hostaddr: String?
        var port: String

        /// The parameters that override those of the address.
        var parameters: [(String, String)] { [("host", name ?? ""), ("hostaddr", hostaddr ?? ""), ("port", port)] }
    }

    /// A number that connections of several threads share.
    final class LastHost: Sendable {
        private let number = Atomic<Int>(0)

        var value: Int {
            get { number.load(ordering: .relaxed) }
            set { number.store(newValue, ordering: .relaxed) }
        }
    }

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
        let values = try Self.parsed(address)
        // A character of the password that ends it would show the rest of it as a host or a database.
        let isCut = [values["host"], values["dbname"], values["port"]].contains { $0?.contains("@") == true }
        guard !isCut else {
            throw Invalid(
                description: "has an @ too many; in the password write @ as %40, / as %2F, : as %3A and ? as %3F")
        }
        if let limit = values["connect_timeout"], UInt16(limit) == nil {
            throw Invalid(description: "has a connect_timeout that is no number of seconds")
        }
        hosts = try Self.hosts(values)
        let names = hosts.map { "\($0.name ?? $0.hostaddr ?? "localhost"):\($0.port)" }.joined(separator: ",")
        shown = "postgres://\(names)/\(values["dbname"] ?? "")"
    }

    package static func == (left: PostgresURL, right: PostgresURL) -> Bool {
        left.address == right.address && left.isPooled == right.isPooled
    }

    private static func hosts(_ values: [String: String]) throws(Invalid) -> [Host] {
        func list(_ name: String) -> [String]? {
            values[name].map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
        }
        let (names, addresses, ports) = (list("host") ?? [], list("hostaddr") ?? [], list("port") ?? [])
        let count = max(names.count, addresses.count, 1)
        let isNumber = ports.allSatisfy { $0.isEmpty || UInt16($0) != nil }
        guard isNumber, [0, 1, count].contains(ports.count) else {
            throw Invalid(description: "has a port that is no number from 0 to 65535, or more ports than hosts")
        }
        func text(_ texts: [String], _ index: Int) -> String? {
            texts.indices.contains(index) && !texts[index].isEmpty ? texts[index] : nil
        }
        return (0..<count).map { index in
            Host(
                name: text(names, index), hostaddr: text(addresses, index),
                port: text(ports, ports.count == 1 ? 0 : index) ?? "5432")
        }
    }

    /// The parameters whose values libpq judges when it connects.
    static let parameters = [
        "sslmode", "target_session_attrs", "channel_binding", "gssencmode", "ssl_min_protocol_version",
        "ssl_max_protocol_version",
    ]

    /// Lets libpq parse the address, and returns its parts.
    private static func parsed(_ address: String) throws(Invalid) -> [String: String] {
        var problem: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(address, &problem) else {
            let message = problem.map { String(cString: $0) } ?? ""
            PQfreemem(problem)
            // The names of parameters are no secrets; other messages may quote the password.
            let names = address.split(separator: "?", maxSplits: 1).dropFirst().first?.split(separator: "&") ?? []
            let unknown = names.map { $0.prefix { $0 != "=" } }.first { name in
                name.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "_") }
                    && message.contains("URI query parameter: \"\(name)\"")
            }
            if let unknown { throw Invalid(description: "has a parameter that libpq does not know: \(unknown)") }
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
        return values
    }
}

extension PostgresURL: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { shown }
    package var debugDescription: String { shown }
    package var customMirror: Mirror { Mirror(self, children: ["shown": shown]) }
}
