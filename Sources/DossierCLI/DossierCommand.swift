import Foundation

/// The entry point: finds the command, runs it, and maps the outcome to an exit code.
@main
struct DossierCommand {
    static let commands: [Command] = {
        var commands: [Command] = [.serve, .worker, .demo, .simulate, .research, .compare, .submit]
        commands += Command.jobs + [.why]
        commands += Command.credits
        commands += Command.webhooks
        commands += Command.admin
        commands += [.costs, .fetch, .forecast]
        commands += Command.filings
        commands += Command.prompts
        commands += Command.promptTests + [.promptRoute]
        commands += Command.keys
        commands += [.tokenIssue]
        commands += Command.users
        commands += [.stories, .migrate, .backup, .doctor, .bench, .completion, .manual, .version]
        return commands
    }()

    static func main() async {
        // A closed connection or pipe is an error to handle and must not end the process.
        signal(SIGPIPE, SIG_IGN)
        exit(await run(Array(CommandLine.arguments.dropFirst()), environment: ProcessInfo.processInfo.environment))
    }

    /// Runs one invocation and returns the exit code.
    static func run(_ words: [String], environment: [String: String]) async -> Int32 {
        do {
            switch try CommandLineParser(commands: commands).parse(words) {
            case .help(let text): Terminal.print(text)
            case .run(let command, let arguments, let options):
                try await command.run(
                    Invocation(arguments: arguments, options: options, environment: environment))
            }
            try Terminal.checkOutput()
            return 0
        } catch CommandFailure.usage(let problem) {
            Terminal.printError("dossier: \(problem)")
            return 2
        } catch CommandFailure.failed(let problem) {
            Terminal.printError("dossier: \(problem)")
            return 1
        } catch CommandFailure.interrupted(let message) {
            Terminal.printError("dossier: \(message)")
            return 130
        } catch CommandFailure.silent {
            return 1
        } catch {
            Terminal.printError("dossier: \(error)")
            return 1
        }
    }
}
