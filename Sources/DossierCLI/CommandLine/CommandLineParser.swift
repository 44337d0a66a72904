/// Finds the command that is called and takes its arguments apart. Strict: what is not known is refused by name.
struct CommandLineParser {
    let commands: [Command]

    enum Outcome {
        case run(Command, arguments: [String: String], options: [String: String])
        case help(String)
    }

    func parse(_ words: [String]) throws(CommandFailure) -> Outcome {
        let help = Help(commands: commands)
        guard let first = words.first, !["help", "--help", "-h"].contains(first) else {
            let path = Array(words.dropFirst().prefix { !$0.hasPrefix("-") })
            if !path.isEmpty, let command = command(at: path) { return .help(help.text(of: command)) }
            return .help(help.overview)
        }
        guard let command = command(at: words) else { return try group(words, help) }
        let rest = words.dropFirst(command.path.count)
        if rest.contains("--help") || rest.contains("-h") { return .help(help.text(of: command)) }
        let (arguments, options) = try takeApart(rest, for: command)
        return .run(command, arguments: arguments, options: options)
    }

    private func command(at words: [String]) -> Command? {
        commands.filter { words.starts(with: $0.path) }.max { $0.path.count < $1.path.count }
    }

    /// `dossier jobs` without a further word, or a word that no command has.
    private func group(_ words: [String], _ help: Help) throws(CommandFailure) -> Outcome {
        let word = words[0]
        let members = commands.filter { $0.path.first == word }
        if !members.isEmpty {
            let next = words.dropFirst().first
            if next == nil || next == "--help" || next == "-h" { return .help(help.text(of: members)) }
            let known = members.compactMap { $0.path.dropFirst().first }.joined(separator: ", ")
            throw .usage("'dossier \(word)' has no '\(next ?? "")'; it has \(known)")
        }
        throw .usage("there is no command '\(word)'; see 'dossier help'")
    }

    private func takeApart(
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
                        + (known.isEmpty ? "" : "; it has \(known)"))
            }
            switch (option.value, parts.count) {
            case (nil, 1): options[option.name] = ""
            case (nil, _): throw .usage("\(option.name) takes no value")
            case (_?, 2): options[option.name] = parts[1]
            case (let value?, _):
                guard let next = rest.popFirst() else { throw .usage("\(option.name) needs \(value)") }
                options[option.name] = next
            }
        }
        return (try name(values, for: command), options)
    }

    private func name(_ values: [String], for command: Command) throws(CommandFailure) -> [String: String] {
        guard values.count <= command.arguments.count else {
            throw .usage("'\(values[command.arguments.count])' is one argument too many")
        }
        if let missing = command.arguments.dropFirst(values.count).first(where: \.isRequired) {
            throw .usage("\(missing.name) is missing (\(missing.help))")
        }
        return Dictionary(zip(command.arguments.map(\.name), values)) { first, _ in first }
    }
}
