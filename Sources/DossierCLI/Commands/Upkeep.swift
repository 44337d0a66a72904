import Foundation
import HTTP
import JSON
import JobQueue
import LanguageModels
import Logging
import Prompts

extension Command {
    static let migrate = Command(
        path: ["migrate"], summary: "Bring the database up to date and say what was done", options: [.database, .json]
    ) { invocation in
        try await withStore(invocation) { store, _ in
            let migrations = try await store.migrations()
            if invocation.has("--json") {
                for migration in migrations { Terminal.print(migration.json.compact) }
            } else {
                for migration in migrations { Terminal.print(migration.text) }
                Terminal.print("the database is up to date")
            }
        }
    }

    static let doctor = Command(
        path: ["doctor"], summary: "Check settings, content files, database and providers", options: [.database, .json]
    ) { invocation in
        let findings = await Doctor(invocation).examine()
        for finding in findings {
            Terminal.print(
                invocation.has("--json") ? finding.json.compact : "\(finding.isGood ? "ok  " : "FAIL") \(finding.text)")
        }
        if findings.contains(where: { !$0.isGood }) { throw CommandFailure.silent }
    }
}

/// Looks at everything that a start would need, one thing after the other, and goes on after a failure.
struct Doctor {
    struct Finding {
        var subject: String
        var isGood: Bool
        var detail: String

        var text: String { "\(subject): \(detail)" }

        var json: JSON { ["subject": JSON(subject), "ok": JSON(isGood), "detail": JSON(detail)] }
    }

    private let invocation: Invocation

    init(_ invocation: Invocation) { self.invocation = invocation }

    func examine() async -> [Finding] {
        let settings: Settings
        do {
            settings = try Settings(environment: invocation.environment, flags: invocation.options)
        } catch {
            return [Finding(subject: "settings", isGood: false, detail: "\(error.text)")]
        }
        var findings = [Finding(subject: "settings", isGood: true, detail: "every variable can be read")]
        findings.append(content(settings))
        findings.append(models(settings))
        findings.append(await database(settings))
        findings.append(contentsOf: providers(settings))
        return findings
    }

    private func content(_ settings: Settings) -> Finding {
        do {
            let bundle = try BundleLoader.load(home: settings.home, rules: Composition.rules)
            return Finding(
                subject: "content", isGood: true,
                detail:
                    "\(bundle.prompts.count) prompts, \(bundle.personas.count) personas, \(bundle.kinds.count) kinds")
        } catch {
            return Finding(subject: "content", isGood: false, detail: "\(error)")
        }
    }

    private func models(_ settings: Settings) -> Finding {
        let file = settings.home + "/models.yaml"
        do {
            let catalogue = try ModelCatalogue(parsing: try String(contentsOfFile: file, encoding: .utf8))
            return Finding(subject: "models", isGood: true, detail: "\(catalogue.models.count) models in \(file)")
        } catch {
            return Finding(subject: "models", isGood: false, detail: "\(file): \(error)")
        }
    }

    private func database(_ settings: Settings) async -> Finding {
        do {
            let store = try await Composition(settings: settings, logger: .silent).openStore()
            defer { Task { await store.close() } }
            let differences = try await store.auditCredits()
            let workers = try await store.beats().count
            return Finding(
                subject: "database", isGood: differences.isEmpty,
                detail: "\(workers) workers registered, "
                    + (differences.isEmpty
                        ? "every balance agrees with the ledger" : "\(differences.count) balances are wrong"))
        } catch {
            return Finding(subject: "database", isGood: false, detail: "\(error)")
        }
    }

    private func providers(_ settings: Settings) -> [Finding] {
        let names = [
            ("Claude", settings.anthropic.key != nil || settings.anthropic.baseURL != nil),
            ("Gemini", settings.gemini.key != nil || settings.gemini.baseURL != nil),
            ("an OpenAI-compatible server", settings.openAI.baseURL != nil),
        ].filter(\.1).map(\.0)
        return [
            Finding(
                subject: "model providers", isGood: !names.isEmpty,
                detail: names.isEmpty
                    ? "none; set ANTHROPIC_API_KEY, GEMINI_API_KEY or OPENAI_BASE_URL" : names.joined(separator: ", ")),
            Finding(
                subject: "SEC EDGAR", isGood: settings.secUserAgent != nil,
                detail: settings.secUserAgent == nil
                    ? "set SEC_USER_AGENT to a name and a contact address" : "a contact is set"),
        ]
    }
}

extension AppliedMigration {
    private var moment: String { ISO8601.text(milliseconds: appliedAt.milliseconds) }

    fileprivate var text: String { "\(version)  \(name), applied \(moment)" }

    fileprivate var json: JSON {
        ["version": JSON(version), "name": JSON(name), "applied_at": JSON(moment)]
    }
}

extension CommandFailure {
    var text: String {
        switch self {
        case .usage(let problem), .failed(let problem): problem
        case .silent: "failed"
        }
    }
}
