/// One command of `dossier`: how it is called and what it does.
struct Command: Sendable {
    /// `["jobs", "list"]`.
    var path: [String]
    /// One line for the list of commands.
    var summary: String
    /// In order; those that may be left out come last.
    var arguments: [Argument] = []
    var options: [Option] = []
    /// More help, after the options.
    var notes: String = ""
    var run: @Sendable (Invocation) async throws -> Void

    struct Argument: Sendable {
        var name: String
        var help: String
        var isRequired = true
    }

    struct Option: Sendable {
        /// With its hyphens: `--listen`.
        var name: String
        /// What the value stands for (`ADDRESS`); `nil` for a switch.
        var value: String?
        var help: String

        init(_ name: String, _ value: String? = nil, _ help: String) {
            self.name = name
            self.value = value
            self.help = help
        }
    }
}

/// A call of a command, taken apart.
struct Invocation: Sendable {
    var arguments: [String: String]
    var options: [String: String]
    var environment: [String: String]

    func has(_ option: String) -> Bool { options[option] != nil }

    /// An argument that the command requires.
    func argument(_ name: String) throws(CommandFailure) -> String {
        guard let value = arguments[name] else { throw .usage("\(name) is missing") }
        return value
    }

    /// A whole number within bounds.
    func integer(_ option: String, in range: ClosedRange<Int>, default fallback: Int) throws(CommandFailure) -> Int {
        guard let text = options[option] else { return fallback }
        guard let value = Int(text), range.contains(value) else {
            throw .usage(
                "\(option) must be a whole number from \(range.lowerBound) to \(range.upperBound), not '\(text)'")
        }
        return value
    }
}

/// Why a command ended without success.
enum CommandFailure: Error {
    /// Called wrongly: exit code 2.
    case usage(String)
    /// Called rightly, and it did not work: exit code 1.
    case failed(String)
    /// Like `failed`, after everything was said already.
    case silent
}
