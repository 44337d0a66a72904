/// The help texts.
struct Help {
    let commands: [Command]

    var overview: String {
        """
        dossier: a service that runs jobs of LLM agents

        Usage: dossier COMMAND [ARGUMENT…] [--FLAG…]

        \(table(commands.map { (invocation(of: $0), $0.summary) }))

        'dossier COMMAND --help' describes a command, 'dossier --version' this program. Exit codes: 0 success, 1 failure,
        2 wrong usage, 130 interrupted while a job goes on.
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
