import LanguageModels
import Basics

/// Reads single settings and names the one that cannot be used.
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

    func integer(_ variable: String, in range: ClosedRange<Int>, default fallback: Int) throws(CommandFailure) -> Int {
        try read(variable, default: fallback) { text throws(ConfigurationError) in
            guard let value = Int(text), range.contains(value) else {
                throw ConfigurationError("must be a whole number from \(range.lowerBound) to \(range.upperBound)")
            }
            return value
        }
    }

    func url(_ variable: String) throws(CommandFailure) -> String? {
        try read(variable, default: nil) { text throws(ConfigurationError) in try BaseURL.checked(text) }
    }
}

/// Where a service is.
enum BaseURL {
    /// Checks a base URL and takes a slash off its end.
    static func checked(_ text: String) throws(ConfigurationError) -> String {
        guard text.hasPrefix("http://") || text.hasPrefix("https://"), !text.contains(" ") else {
            throw ConfigurationError("must be a URL that begins with http:// or https://")
        }
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }
}

/// Where a server listens.
enum ListenAddress {
    /// Checks `HOST:PORT` or `[IPv6]:PORT`.
    static func checked(_ text: String) throws(ConfigurationError) -> String {
        guard let colon = text.lastIndex(of: ":"), colon != text.startIndex,
            let port = Int(text[text.index(after: colon)...]), (0...65535).contains(port)
        else { throw ConfigurationError("must be HOST:PORT, as in 127.0.0.1:5001") }
        return text
    }

    /// Whether nobody outside this machine can reach it.
    static func isLoopback(_ text: String) -> Bool {
        ["127.0.0.1:", "localhost:", "[::1]:"].contains { text.hasPrefix($0) }
    }
}
