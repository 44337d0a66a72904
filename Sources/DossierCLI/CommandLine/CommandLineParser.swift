import Prompts

/// Parses the command line. Unknown words and flags are errors, which name the word that was probably meant.
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
            let known = members.compactMap { $0.path.dropFirst().first }
            let list = known.joined(separator: ", ")
            let meant = Suggestion.closest(to: next ?? "", among: known).map { "did you mean '\(word) \($0)'? " } ?? ""
            throw .usage("'dossier \(word)' has no command '\(next ?? "")'; \(meant)its commands are \(list)")
        }
        // A command of a group may be known by its second word alone.
        let names = Set(commands.compactMap(\.path.first))
        let groups = commands.filter { $0.path.dropFirst().first == word }.map { $0.path.joined(separator: " ") }
        let meant = Suggestion.closest(to: word, among: names) ?? (groups.count == 1 ? groups[0] : nil)
        let question = meant.map { "did you mean '\($0)'? " } ?? ""
        throw .usage("unknown command '\(word)'; \(question)see 'dossier help'")
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
                throw .usage(unknownFlag(parts[0], of: command))
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

    private func unknownFlag(_ flag: String, of command: Command) -> String {
        let known = command.options.map(\.name)
        let problem = "'dossier \(command.path.joined(separator: " "))' has no flag \(flag)"
        if let meant = Suggestion.closest(to: flag, among: known) { return "\(problem); did you mean \(meant)?" }
        return known.isEmpty ? problem : "\(problem); its flags are \(known.joined(separator: ", "))"
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
