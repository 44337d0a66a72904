/// Parses the command line. Unknown words and flags are errors.
struct CommandLineParser {
    let commands: [Command]

    enum Outcome {
        case run(Command, arguments: [String: String], options: [String: String])
        case help(String)
    }

    func parse(_ words: [String]) throws(CommandFailure) -> Outcome {
        let help = Help(commands: commands)
        let words = words.first == "--version" ? ["version"] + words.dropFirst() : words
        guard let first = words.first, !["help", "--help", "-h"].contains(first) else {
            let path = Array(words.dropFirst().prefix { !$0.hasPrefix("-") })
            if !path.isEmpty, let command = command(at: path) { return .help(help.text(of: command)) }
            return .help(help.overview)
        }
        guard let command = command(at: words) else { return try group(words, help) }
        let rest = words.dropFirst(command.path.count)
        if rest.contains("--help") || rest.contains("-h") { return .help(help.text(of: command)) }
        let (arguments, options) = try parse(rest, for: command)
        return .run(command, arguments: arguments, options: options)
    }

    private func command(at words: [String]) -> Command? {
        commands.filter { words.starts(with: $0.path) }.max { $0.path.count < $1.path.count }
    }

    /// Handles `dossier jobs` without a further word, and unknown words.
    private func group(_ words: [String], _ help: Help) throws(CommandFailure) -> Outcome {
        let word = words[0]
        let members = commands.filter { $0.path.first == word }
        if !members.isEmpty {
            let next = words.dropFirst().first
            if next == nil || next == "--help" || next == "-h" { return .help(help.text(of: members)) }
            let known = members.compactMap { $0.path.dropFirst().first }.joined(separator: ", ")
            throw .usage("'dossier \(word)' has no command '\(next ?? "")'; its commands are \(known)")
        }
        throw .usage("unknown command '\(word)'; see 'dossier help'")
    }

    private func parse(
        _ words: ArraySlice<String>, for command: Command
    ) throws(CommandFailure) -> (arguments: [String: String], options: [String: String]) {
        var options: [String: String] = [:]
        var values: [String] = []
        var rest = words
        while let word = rest.popFirst() {
            guard word.hasPrefix("--"), word != "--" else {
                values.append(word)
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let option = command.options.first(where: { $0.name == parts[0] }) else {
                let known = command.options.map(\.name).joined(separator: ", ")
                throw .usage(
                    "'dossier \(command.path.joined(separator: " "))' has no flag \(parts[0])"
                        + (known.isEmpty ? "" : "; its flags are \(known)"))
            }
            switch (option.value, parts.count) {
            case (nil, 1): options[option.name] = ""
            case (nil, _): throw .usage("\(option.name) takes no value")
            case (_?, 2): options.set(option, parts[1])
            case (let value?, _):
                guard let next = rest.popFirst() else { throw .usage("\(option.name) needs a value: \(value)") }
                options.set(option, next)
            }
        }
        return (try name(values, for: command), options)
    }

    private func name(_ values: [String], for command: Command) throws(CommandFailure) -> [String: String] {
        var values = values
        if let last = command.arguments.last, last.isRepeated, values.count > command.arguments.count {
            let place = command.arguments.count - 1
            values = values[..<place] + [values[place...].joined(separator: "\n")]
        }
        guard values.count <= command.arguments.count else {
            throw .usage("unexpected argument '\(values[command.arguments.count])'")
        }
        if let missing = command.arguments.dropFirst(values.count).first(where: \.isRequired) {
            throw .usage("\(missing.name) is missing (\(missing.help))")
        }
        return Dictionary(zip(command.arguments.map(\.name), values)) { first, _ in first }
    }
}

/// The help texts.
struct Help {
    let commands: [Command]

    var overview: String {
        """
        dossier: a service that runs jobs of LLM agents

        Usage: dossier COMMAND [ARGUMENT…] [--FLAG…]

        \(table(commands.map { (invocation(of: $0), $0.summary) }))

        'dossier COMMAND --help' describes a command. Exit codes: 0 success, 1 failure, 2 wrong usage.
        docs/configuration.md describes the environment variables, such as DOSSIER_DATABASE_URL.
        """
    }

    func text(of members: [Command]) -> String {
        "Usage:\n\n" + table(members.map { (invocation(of: $0), $0.summary) })
    }

    func text(of command: Command) -> String {
        var text = "\(command.summary)\n\nUsage: dossier \(invocation(of: command))"
        if !command.options.isEmpty { text += " [--FLAG…]" }
        if !command.arguments.isEmpty {
            text += "\n\nArguments:\n" + table(command.arguments.map { ($0.name, $0.help) })
        }
        if !command.options.isEmpty {
            let rows = command.options.map { ($0.name + ($0.value.map { " " + $0 } ?? ""), $0.help) }
            text += "\n\nFlags:\n" + table(rows)
        }
        if !command.notes.isEmpty { text += "\n\n" + command.notes }
        return text
    }

    private func invocation(of command: Command) -> String {
        let arguments = command.arguments.map { argument in
            let name = argument.name + (argument.isRepeated ? "…" : "")
            return argument.isRequired ? name : "[\(name)]"
        }
        return (command.path + arguments).joined(separator: " ")
    }

    private func table(_ rows: [(String, String)]) -> String {
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { "  \($0.0)\(String(repeating: " ", count: width - $0.0.count))  \($0.1)" }
            .joined(separator: "\n")
    }
}

extension [String: String] {
    /// Sets the value of an option, or adds it to those that came before.
    fileprivate mutating func set(_ option: Command.Option, _ value: String) {
        if option.repeats, let before = self[option.name] {
            self[option.name] = before + "," + value
        } else {
            self[option.name] = value
        }
    }
}
