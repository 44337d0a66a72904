/// The manual page of the command in troff's `man` macros, made from the descriptions of the commands.
struct ManualPage {
    let commands: [Command]
    let version: String

    var text: String {
        var lines = [
            ".TH DOSSIER 1 \"\" \"dossier \(version)\" \"User Commands\"", ".SH NAME",
            "dossier \\- a service that runs jobs of LLM agents", ".SH SYNOPSIS",
            ".B dossier", ".I COMMAND", "[\\fIARGUMENT\\fR...] [\\fB\\-\\-FLAG\\fR...]", ".SH DESCRIPTION",
            "Dossier takes jobs from apps, runs agents against language models, and settles credits with the stored result.",
            ".B dossier serve", "runs a broker with a worker inside;", ".B dossier demo", "shows all of it.",
            ".SH COMMANDS",
        ]
        for command in commands { lines += Self.section(of: command) }
        lines += [
            ".SH EXIT STATUS", ".TP", "0", "Success.", ".TP", "1", "Failure.", ".TP", "2", "Wrong usage.", ".TP", "130",
            "Interrupted while a job goes on.", ".SH ENVIRONMENT",
            "The variables, such as DOSSIER_DATABASE_URL, are described in configuration.md of the documentation.",
            ".SH FILES", ".TP", "/etc/dossier/dossier.env", "The settings of the services.", ".TP",
            "/usr/share/dossier", "Prompts, personas and kinds of jobs.", ".TP", "/usr/share/doc/dossier",
            "The documentation.",
        ]
        return lines.joined(separator: "\n")
    }

    private static func section(of command: Command) -> [String] {
        let words = command.path.joined(separator: " ")
        let arguments = command.arguments.map { argument in
            let name = "\\fI\(escaped(argument.name))\\fR" + (argument.isRepeated ? "..." : "")
            return argument.isRequired ? name : "[\(name)]"
        }
        let flags = command.options.isEmpty ? [] : ["[\\fB\\-\\-FLAG\\fR...]"]
        var lines = [
            ".SS dossier \(escaped(words))",
            (["\\fBdossier \(escaped(words))\\fR"] + arguments + flags).joined(separator: " "),
            ".PP", line(command.summary + "."),
        ]
        for argument in command.arguments {
            lines += [".TP", "\\fI\(escaped(argument.name))\\fR", line(argument.help)]
        }
        for option in command.options {
            let value = option.value.map { " \\fI\(escaped($0))\\fR" } ?? ""
            lines += [".TP", "\\fB\(escaped(option.name))\\fR\(value)", line(option.help)]
        }
        if !command.notes.isEmpty {
            lines += [".PP"] + command.notes.split(separator: "\n").map { line(String($0)) }
        }
        return lines
    }

    /// A line of text: a dot or an apostrophe at its begin would be a request to troff.
    private static func line(_ text: String) -> String {
        let text = escaped(text.trimmingPrefix { $0 == " " })
        return [".", "'"].contains(text.first) ? "\\&" + text : text
    }

    private static func escaped(_ text: some StringProtocol) -> String {
        String(text).replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("…", with: "...")
    }
}

extension Command {
    static let manual = Command(
        path: ["manual"], summary: "Print the manual page of 'dossier'",
        notes: "To read it: dossier manual | man -l -"
    ) { _ in
        Terminal.print(ManualPage(commands: DossierCommand.commands, version: BuildInfo.version).text)
    }
}
