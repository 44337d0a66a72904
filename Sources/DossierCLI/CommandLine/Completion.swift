/// The scripts that complete the command line in a shell, made from the descriptions of the commands.
struct Completion {
    enum Shell: String, CaseIterable { case bash, zsh, fish }

    let commands: [Command]

    func script(for shell: Shell) -> String {
        switch shell {
        case .bash: bash
        case .zsh: zsh
        case .fish: fish
        }
    }

    /// The placeholders of values that are names of files.
    private static let files: Set<String> = ["FILE", "DIR", "FOLDER", "PATH"]

    private func takesFiles(_ command: Command) -> Bool { command.arguments.contains { Self.files.contains($0.name) } }

    private static func choices(_ command: Command) -> [String] { command.arguments.flatMap(\.choices) }

    /// What follows the words so far: the commands of `dossier`, or those of a group.
    private var groups: [(prefix: String, words: [(word: String, summary: String)])] {
        var first: [(String, String)] = []
        var second: [(prefix: String, words: [(word: String, summary: String)])] = []
        for command in commands {
            let word = command.path[0]
            guard command.path.count > 1 else {
                first.append((word, command.summary))
                continue
            }
            if let place = second.firstIndex(where: { $0.prefix == word }) {
                second[place].words.append((command.path[1], command.summary))
            } else {
                second.append((word, [(command.path[1], command.summary)]))
                first.append((word, "Commands of \(word)"))
            }
        }
        first.append(("help", "Describe a command"))
        return [("", first)] + second
    }

    // MARK: bash

    private var bash: String {
        var (cases, choices): ([String], [String]) = ([], [])
        for group in groups {
            cases.append("    '\(group.prefix)') words='\(group.words.map(\.word).joined(separator: " "))' ;;")
        }
        for command in commands {
            let flags = (command.options.map(\.name) + ["--help"] + Self.choices(command)).joined(separator: " ")
            let values = command.options.filter { $0.value != nil }.map(\.name).joined(separator: " ")
            let files = takesFiles(command) ? " files=1" : ""
            let path = command.path.joined(separator: " ")
            cases.append("    '\(path)') words='\(flags)' values=' \(values) '\(files) ;;")
            for option in command.options where !option.choices.isEmpty {
                choices.append(
                    "    '\(path) \(option.name)') words='\(option.choices.joined(separator: " "))' values=' ' ;;")
            }
            for option in command.options where option.value.map(Self.files.contains) == true {
                choices.append("    '\(path) \(option.name)') words='' values=' ' files=1 ;;")
            }
        }
        return """
            # Completes dossier in bash: source <(dossier completion bash)
            _dossier() {
              local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} place='' files='' words='' values=' ' word
              COMPREPLY=()
              for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
                case "$word" in -*) break ;; esac
                case " \(groups.dropFirst().map(\.prefix).joined(separator: " ")) " in
                *" $place "*) place="$place $word"; break ;;
                esac
                [ -z "$place" ] || break
                place=$word
              done
              case "$place" in
            \(cases.joined(separator: "\n"))
              esac
              case "$place $before" in
            \(choices.joined(separator: "\n"))
              esac
              # The value of a flag that may be anything.
              case "$values" in
              *" $before "*) return ;;
              esac
              COMPREPLY=($(compgen -W "$words" -- "$current"))
              [ -z "$files" ] || COMPREPLY+=($(compgen -f -- "$current"))
            }
            complete -o filenames -o bashdefault -F _dossier dossier
            """
    }

    // MARK: zsh

    private var zsh: String {
        var lines: [String] = []
        for group in groups {
            let words = group.words.map { Self.quoted("\($0.word):\($0.summary)") }.joined(separator: " ")
            lines.append("  \(Self.quoted(group.prefix))) words=(\(words)); _describe command words ;;")
        }
        for command in commands {
            var specifications = command.options.map { option in
                let name = option.repeats ? "*\(option.name)" : option.name
                let help = Self.bracketed(option.help)
                guard let value = option.value else { return "\(name)[\(help)]" }
                let values =
                    !option.choices.isEmpty
                    ? "(\(option.choices.map(Self.escapingColons).joined(separator: " ")))"
                    : Self.files.contains(value) ? "_files" : " "
                return "\(name)=[\(help)]:\(Self.escapingColons(value)):\(values)"
            }
            specifications.append("--help[Describe the command]")
            // Without this nothing is offered after the words of the command themselves.
            let words = Self.choices(command)
            specifications.append(
                takesFiles(command)
                    ? "*:file:_files" : "*:argument:" + (words.isEmpty ? " " : "(\(words.joined(separator: " ")))"))
            let list = specifications.map(Self.quoted).joined(separator: " ")
            lines.append("  \(Self.quoted(command.path.joined(separator: " ")))) _arguments \(list) ;;")
        }
        return """
            #compdef dossier
            # Completes dossier in zsh: dossier completion zsh > "${fpath[1]}/_dossier", or source <(dossier completion zsh)
            _dossier() {
              local place='' word
              local -a words_before=("${(@)words[2,CURRENT-1]}") words_of_groups=(\(groups.dropFirst().map(\.prefix).joined(separator: " ")))
              for word in $words_before; do
                [[ $word == -* ]] && break
                if [[ -n $place ]]; then
                  (( ${words_of_groups[(Ie)$place]} )) && place="$place $word"
                  break
                fi
                place=$word
              done
              case $place in
            \(lines.joined(separator: "\n"))
              esac
            }
            if [ "$funcstack[1]" = _dossier ]; then _dossier "$@"; else compdef _dossier dossier; fi
            """
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.replacing("'", with: "'\\''") + "'"
    }

    private static func bracketed(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("[", with: "\\[").replacing("]", with: "\\]")
    }

    private static func escapingColons(_ text: String) -> String { text.replacing(":", with: "\\:") }

    // MARK: fish

    private var fish: String {
        var lines = [
            """
            # Completes dossier in fish: dossier completion fish > ~/.config/fish/completions/dossier.fish
            function __dossier_after
                set -l words (commandline -opc)
                set -e words[1]
                test "$words" = "$argv"
            end
            function __dossier_within
                set -l words (commandline -opc)
                set -e words[1]
                test "$words[1..$(count $argv)]" = "$argv"
            end
            complete -c dossier -f
            complete -c dossier -n __dossier_after -l version -d 'Print the version and the commit'
            """
        ]
        for group in groups {
            let condition = Self.fishQuoted("__dossier_after " + group.prefix)
            for (word, summary) in group.words {
                lines.append("complete -c dossier -n \(condition) -a \(word) -d \(Self.fishQuoted(summary))")
            }
        }
        for command in commands {
            let condition = Self.fishQuoted("__dossier_within \(command.path.joined(separator: " "))")
            for option in command.options {
                var line = "complete -c dossier -n \(condition) -l \(option.name.dropFirst(2))"
                if let value = option.value { line += Self.files.contains(value) ? " -r -F" : " -x" }
                if !option.choices.isEmpty { line += " -a '\(option.choices.joined(separator: " "))'" }
                lines.append(line + " -d \(Self.fishQuoted(option.help))")
            }
            for word in Self.choices(command) {
                lines.append("complete -c dossier -n \(condition) -a \(word)")
            }
            if takesFiles(command) { lines.append("complete -c dossier -n \(condition) -F") }
        }
        return lines.joined(separator: "\n")
    }

    private static func fishQuoted(_ text: String) -> String {
        "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }
}

extension Command {
    static let completion = Command(
        path: ["completion"], summary: "Print the script that completes 'dossier' in a shell",
        arguments: [
            Argument(name: "SHELL", help: "bash, zsh or fish", choices: Completion.Shell.allCases.map(\.rawValue))
        ],
        notes: """
            For this shell alone: source <(dossier completion bash), source <(dossier completion zsh), or
            dossier completion fish | source
            """
    ) { invocation in
        let name = try invocation.argument("SHELL")
        guard let shell = Completion.Shell(rawValue: name) else {
            throw CommandFailure.usage("SHELL must be bash, zsh or fish, not '\(name)'")
        }
        Terminal.print(Completion(commands: DossierCommand.commands).script(for: shell))
    }
}
