import PostgresStore

/// Where the database is.
enum DatabaseURL: Sendable, Equatable {
    case sqlite(path: String)
    case postgres(PostgresURL)

    static let standard = DatabaseURL.sqlite(path: "var/dossier.db")

    /// Reads `sqlite:PATH` or `postgres://user:password@host:port/database`.
    init(_ text: String) throws(ConfigurationError) {
        if text.hasPrefix("sqlite:") {
            let path = String(text.dropFirst("sqlite:".count))
            guard !path.isEmpty else { throw ConfigurationError("sqlite: needs a path, as in sqlite:var/dossier.db") }
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
}

/// A setting that cannot be used; `message` completes «VARIABLE …».
struct ConfigurationError: Error {
    var message: String

    init(_ message: String) { self.message = message }
}
