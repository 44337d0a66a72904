import JobQueue
import Observability
import Worker

/// One command of `dossier`: its syntax and its action.
struct Command: Sendable {
    /// The words of the command: `["jobs", "list"]`.
    var path: [String]
    /// One line for the list of commands.
    var summary: String
    /// The arguments in order; optional ones come last.
    var arguments: [Argument] = []
    var options: [Option] = []
    /// Further help after the flags.
    var notes: String = ""
    var run: @Sendable (Invocation) async throws -> Void

    struct Argument: Sendable {
        var name: String
        var help: String
        var isRequired = true
        /// Whether it takes all further words; only for the last one.
        var isRepeated = false
        /// All words that it may be, for completion.
        var choices: [String] = []
    }

    struct Option: Sendable {
        /// The name with its hyphens: `--listen`.
        var name: String
        /// The placeholder of the value (`ADDRESS`); `nil` for a switch.
        var value: String?
        var help: String
        /// Whether it may come more than once; its values then have commas between them.
        var repeats: Bool
        /// The values that a shell offers; empty where they are not known before.
        var choices: [String]

        init(
            _ name: String, _ value: String? = nil, _ help: String, repeats: Bool = false, choices: [String] = []
        ) {
            self.name = name
            self.value = value
            self.help = help
            self.repeats = repeats
            self.choices = choices
        }
    }
}

/// A parsed call of a command.
struct Invocation: Sendable {
    var arguments: [String: String]
    var options: [String: String]
    var environment: [String: String]

    func has(_ option: String) -> Bool { options[option] != nil }

    /// A required argument.
    func argument(_ name: String) throws(CommandFailure) -> String {
        guard let value = arguments[name] else { throw .usage("\(name) is missing") }
        return value
    }

    /// The whole number of an option, within bounds; `nil` without the option.
    func optionalInteger(_ option: String, in range: ClosedRange<Int>) throws(CommandFailure) -> Int? {
        options[option] == nil ? nil : try integer(option, in: range, default: range.lowerBound)
    }

    /// The words of an argument that may be given several times.
    func words(_ name: String) -> [String] { (arguments[name] ?? "").split(separator: "\n").map(String.init) }

    /// The whole number of an option, within bounds.
    func integer(_ option: String, in range: ClosedRange<Int>, default fallback: Int) throws(CommandFailure) -> Int {
        guard let text = options[option] else { return fallback }
        guard let value = Int(text), range.contains(value) else {
            throw .usage(
                "\(option) must be a whole number from \(range.lowerBound) to \(range.upperBound), not '\(text)'")
        }
        return value
    }
}

/// The reason why a command failed.
enum CommandFailure: Error {
    /// Wrong usage: exit code 2.
    case usage(String)
    /// A failure despite correct usage: exit code 1.
    case failed(String)
    /// A failure that the command has already reported: exit code 1.
    case silent
    /// A person ended the command, and what it began goes on: exit code 130, as of a program that SIGINT ends.
    case interrupted(String)
}

extension Command.Option {
    static let database = Command.Option(
        "--database", "URL", "The database (DOSSIER_DATABASE_URL; default sqlite:var/dossier.db)")
    static let listen = Command.Option(
        "--listen", "HOST:PORT", "The address to listen on (DOSSIER_LISTEN; default 127.0.0.1:5001)")
    static let concurrency = Command.Option("--concurrency", "N", "The jobs that a worker runs at once (default 200)")
    static let verbose = Command.Option("--verbose", nil, "Also log every request")
    static let migrate = Command.Option("--migrate", nil, "Bring the database up to date first, as 'migrate' does")
    static let json = Command.Option("--json", nil, "Print JSON")
    static let server = Command.Option("--server", "URL", "The broker (default: the address in DOSSIER_LISTEN)")
    static let user = Command.Option("--user", "ID", "The user who sends the request (default 1)")
}

extension Invocation {
    /// The logger of a long-running command: JSON lines on standard error.
    var logger: Logger { .standardError(threshold: has("--verbose") ? .debug : .info) }

    /// What a process that serves does to a database that lacks migrations.
    var migrations: MigrationPolicy { has("--migrate") ? .apply : .create }

    func workerConfiguration(_ settings: Settings) throws(CommandFailure) -> WorkerConfiguration {
        var configuration = WorkerConfiguration()
        configuration.retention = settings.retention
        configuration.concurrency = try integer("--concurrency", in: 1...10_000, default: configuration.concurrency)
        configuration.interactiveReserve = min(configuration.interactiveReserve, configuration.concurrency / 4)
        return configuration
    }
}

extension CommandFailure: CustomStringConvertible {
    /// A sentence, also where an error is printed whose type is not known.
    var description: String { text }

    var text: String {
        switch self {
        case .usage(let problem), .failed(let problem), .interrupted(let problem): problem
        case .silent: "failed"
        }
    }
}

extension Command {
    /// Calls the body with the database that the flags and variables name, then closes it.
    static func withStore<Value>(
        _ invocation: Invocation, migrations: MigrationPolicy = .refuse,
        _ body: (any Store, Settings) async throws -> Value
    ) async throws -> Value {
        let settings = try Settings(environment: invocation.environment, flags: invocation.options)
        let store = try await Composition(settings: settings, logger: .silent).openStore(migrations: migrations)
        let value: Value
        do {
            value = try await body(store, settings)
        } catch {
            await store.close()
            throw error
        }
        await store.close()
        return value
    }
}
