import Basics
import HTTP
import LanguageModels
import PostgresStore

/// Reads single settings. An error names the invalid one.
struct SettingReader {
    let environment: [String: String]
    let flags: [String: String]

    func text(_ variable: String) -> String? {
        guard let value = environment[variable], !value.isEmpty else { return nil }
        return value
    }

    func secret(_ variable: String) -> Secret? { text(variable).map { Secret($0) } }

    func read<Value>(
        _ variable: String, _ flag: String? = nil, default fallback: Value,
        _ parse: (String) throws(ConfigurationError) -> Value
    ) throws(CommandFailure) -> Value {
        let fromFlag = flag.flatMap { flags[$0] }
        guard let value = fromFlag ?? text(variable) else { return fallback }
        do {
            return try parse(value)
        } catch {
            throw .usage("\(fromFlag == nil ? variable : flag ?? variable): \(error.message)")
        }
    }

    func integer(_ variable: String, in range: ClosedRange<Int>) throws(CommandFailure) -> Int? {
        try read(variable, default: nil) { text throws(ConfigurationError) in
            guard let value = Int(text), range.contains(value) else {
                throw ConfigurationError("must be a whole number from \(range.lowerBound) to \(range.upperBound)")
            }
            return value
        }
    }

    /// A time such as `500 ms`, `15 s`, `10 min` or `5 d`.
    func duration(
        _ variable: String, in range: ClosedRange<Duration>, default fallback: Duration
    ) throws(CommandFailure) -> Duration {
        try read(variable, default: fallback) { text throws(ConfigurationError) in
            guard let value = Self.duration(text), range.contains(value) else {
                throw ConfigurationError(
                    "must be a time such as 500 ms, 15 s, 10 min or 5 d, "
                        + "from \(Self.text(range.lowerBound)) to \(Self.text(range.upperBound))")
            }
            return value
        }
    }

    /// Up to 50 times, separated by commas.
    func durations(
        _ variable: String, in range: ClosedRange<Duration>, default fallback: [Duration]
    ) throws(CommandFailure) -> [Duration] {
        try read(variable, default: fallback) { text throws(ConfigurationError) in
            let values = text.split(separator: ",", omittingEmptySubsequences: false).map {
                Self.duration(String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()))
            }
            let valid = values.compactMap(\.self).filter(range.contains)
            guard valid.count == values.count, valid.count <= 50 else {
                throw ConfigurationError(
                    "must be times such as 5 s, 5 min, 2 h, "
                        + "from \(Self.text(range.lowerBound)) to \(Self.text(range.upperBound))")
            }
            return valid
        }
    }

    /// A duration in the largest unit that it is a whole number of.
    private static func text(_ duration: Duration) -> String {
        let units: [(name: String, seconds: Int64)] = [("d", 86_400), ("h", 3_600), ("min", 60)]
        let (seconds, rest) = duration.components
        guard rest == 0, let unit = units.first(where: { seconds != 0 && seconds % $0.seconds == 0 }) else {
            return "\(duration / .seconds(1)) s"
        }
        return "\(seconds / unit.seconds) \(unit.name)"
    }

    private static func duration(_ text: String) -> Duration? {
        let units: [String: Int64] = ["ms": 1, "s": 1000, "min": 60_000, "h": 3_600_000, "d": 86_400_000]
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let unit = text.dropFirst(digits.count).drop { $0 == " " }
        guard let amount = Int64(digits), amount < 1_000_000, let factor = units[String(unit)] else { return nil }
        return .milliseconds(amount * factor)
    }

    func url(_ variable: String) throws(CommandFailure) -> String? {
        try read(variable, default: nil) { text throws(ConfigurationError) in try BaseURL.checked(text) }
    }
}

/// The base URL of a service.
enum BaseURL {
    /// Checks a base URL and removes a slash at its end.
    static func checked(_ text: String) throws(ConfigurationError) -> String {
        guard text.hasPrefix("http://") || text.hasPrefix("https://"), !text.contains(" ") else {
            throw ConfigurationError("must be a URL that begins with http:// or https://")
        }
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }
}

/// The address of a server.
enum ListenAddress {
    /// Checks `HOST:PORT` or `[IPv6]:PORT`.
    static func checked(_ text: String) throws(ConfigurationError) -> String {
        guard let colon = text.lastIndex(of: ":"), colon != text.startIndex,
            let port = Int(text[text.index(after: colon)...]), (0...65535).contains(port)
        else { throw ConfigurationError("must be HOST:PORT, as in 127.0.0.1:5001") }
        return text
    }

    /// Reads addresses and blocks of them, separated by commas or spaces.
    static func blocks(_ text: String) throws(ConfigurationError) -> [CIDRBlock] {
        var blocks: [CIDRBlock] = []
        for entry in text.split(whereSeparator: { $0 == "," || $0 == " " }) {
            guard let block = CIDRBlock(String(entry)) else {
                throw ConfigurationError("must be addresses or CIDR blocks; '\(entry)' is none")
            }
            blocks.append(block)
        }
        return blocks
    }

    /// Whether only this machine can reach it.
    static func isLoopback(_ text: String) -> Bool {
        ["127.0.0.1:", "localhost:", "[::1]:"].contains { text.hasPrefix($0) }
    }
}

/// The address of the database.
enum DatabaseURL: Sendable, Equatable {
    case sqlite(path: String)
    case postgres(PostgresURL)

    static let standard = DatabaseURL.sqlite(path: "var/dossier.db")

    /// Reads `sqlite:PATH` or `postgres://user:password@host:port/database`.
    init(_ text: String) throws(ConfigurationError) {
        if text.hasPrefix("sqlite:") {
            let path = String(text.dropFirst("sqlite:".count))
            guard !path.isEmpty else {
                throw ConfigurationError("must have a path after sqlite:, as in sqlite:var/dossier.db")
            }
            self = .sqlite(path: path)
        } else if text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") {
            do throws(PostgresURL.Invalid) {
                self = .postgres(try PostgresURL(text))
            } catch {
                throw ConfigurationError(error.description)
            }
        } else {
            throw ConfigurationError("must be sqlite:PATH or postgres://user:password@host:port/database")
        }
    }

    private static let most = 32

    /// Reads several addresses, separated by spaces: one of PostgreSQL may have commas.
    static func list(_ text: String) throws(ConfigurationError) -> [DatabaseURL] {
        var found: [DatabaseURL] = []
        for word in text.split(whereSeparator: \.isWhitespace) {
            let url = try DatabaseURL(String(word))
            guard !found.contains(url) else { throw ConfigurationError("names \(url.shown) twice") }
            found.append(url)
        }
        guard (1...most).contains(found.count) else {
            throw ConfigurationError("must be 1 to \(most) addresses of databases, separated by spaces")
        }
        return found
    }

    /// The address without its password.
    var shown: String {
        switch self {
        case .sqlite(let path): "sqlite:" + path
        case .postgres(let url): url.description
        }
    }
}

/// An invalid setting. The message completes a sentence that begins with the variable or flag.
struct ConfigurationError: Error {
    var message: String

    init(_ message: String) { self.message = message }
}

/// Origins of web pages, as browsers send them.
enum WebOrigin {
    /// Reads `https://app.example.com` and the like, separated by commas or spaces. Browsers send lower case, no path and
    /// no default port, and an origin is compared by its bytes; so nothing else is taken.
    static func checked(_ text: String) throws(ConfigurationError) -> [String] {
        let entries = text.split { $0 == "," || $0 == " " }.map(String.init)
        for entry in entries where !isOrigin(entry) {
            throw ConfigurationError(
                "must be origins such as https://app.example.com, without a path, in lower case; '\(entry)' is none")
        }
        return entries
    }

    private static func isOrigin(_ text: String) -> Bool {
        let scheme = ["https://", "http://"].first { text.hasPrefix($0) }
        guard let scheme else { return false }
        let authority = text.utf8.dropFirst(scheme.utf8.count)
        let isDefaultPort = text.hasSuffix(scheme == "https://" ? ":443" : ":80")
        return !authority.isEmpty && !isDefaultPort
            && authority.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "-.:[]".utf8.contains(byte)
            }
    }
}

/// The private hosts that may be fetched.
enum FetchAllowance {
    /// Reads hosts, addresses and CIDR blocks, separated by commas or spaces.
    static func checked(_ text: String) throws(ConfigurationError) -> [String] {
        let entries = text.split { $0 == "," || $0 == " " }.map(String.init)
        for entry in entries where CIDRBlock(entry) == nil && !isHostName(entry) {
            throw ConfigurationError(
                "must be hosts, addresses or CIDR blocks, separated by commas; '\(entry)' is none of these")
        }
        return entries
    }

    /// A name whose last label is a number would be an address, and it is not a valid one.
    private static func isHostName(_ text: String) -> Bool {
        let labels = text.split(separator: ".")
        guard let last = labels.last, last.contains(where: { !$0.isNumber }) else { return false }
        return text.utf8.count <= 253 && text.first != "-"
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "." || $0 == "_") }
    }
}
