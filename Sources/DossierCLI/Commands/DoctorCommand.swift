import DataSources
import Foundation
import Glibc
import JobQueue
import JSON
import LanguageModels
import Observability
import Prompts

extension Command {
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

/// Checks each precondition of a start, also after a failure.
struct Doctor {
    struct Finding {
        var subject: String
        var isGood: Bool
        var detail: String
        /// The measured number of the finding, if it has one.
        var value: Int64?

        var text: String { "\(subject): \(detail)" }

        var json: JSON {
            ["subject": JSON(subject), "ok": JSON(isGood), "detail": JSON(detail), "value": JSON(value)]
        }
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
        var findings = [Finding(subject: "settings", isGood: true, detail: "all variables are valid")]
        findings.append(content(settings))
        findings.append(models(settings))
        findings.append(plans(settings))
        findings += await databases(settings)
        findings.append(contentsOf: providers(settings))
        if let folder = settings.prices {
            let problem = PriceFolder(folder).problem
            findings.append(
                Finding(
                    subject: "prices", isGood: problem == nil,
                    detail: problem.map { "DOSSIER_PRICES: \($0)" } ?? "files in \(folder)"))
        }
        return findings
    }

    /// The database, and the others that a worker process would serve. With several, each finding names its own.
    private func databases(_ settings: Settings) async -> [Finding] {
        // A machine of workers alone names their databases, and has none of its own.
        let isNamed =
            invocation.options["--database"] != nil || invocation.environment["DOSSIER_DATABASE_URL"]?.isEmpty == false
        let own = isNamed ? [settings.database] : []
        let all = own + settings.workerDatabases.filter { !own.contains($0) }
        var findings: [Finding] = []
        for address in all {
            var settings = settings
            settings.database = address
            var found: [Finding] = []
            if case .sqlite(let path) = address {
                found += [Self.space(beside: path), FileSystem.finding(for: path)]
            }
            found += await database(settings)
            if all.count > 1 {
                for place in found.indices { found[place].subject += " of \(address.shown)" }
            }
            findings += found
        }
        return findings
    }

    private func content(_ settings: Settings) -> Finding {
        do {
            let bundle = try BundleLoader.load(home: settings.home, rules: Composition.rules)
            let problems = try Composition.routeProblems(bundle, settings)
            guard problems.isEmpty else {
                let lines = problems.map(\.description).joined(separator: "\n")
                return Finding(subject: "content", isGood: false, detail: lines)
            }
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
            let problem = (error as? CocoaError)?.localizedDescription ?? "\(error)"
            return Finding(subject: "models", isGood: false, detail: "\(file): \(problem)")
        }
    }

    private func plans(_ settings: Settings) -> Finding {
        do {
            let plans = try Composition(settings: settings, logger: .silent).loadPlans()
            return Finding(
                subject: "plans", isGood: true,
                detail: "\(plans.plans.count) plans; the plan of all users is \(plans.defaultName)")
        } catch {
            return Finding(subject: "plans", isGood: false, detail: error.text)
        }
    }

    private func database(_ settings: Settings) async -> [Finding] {
        do {
            let store = try await Composition(settings: settings, logger: .silent).openStore(migrations: .refuse)
            var findings: [Finding] = []
            do {
                findings.append(try await credits(store))
                findings.append(contentsOf: try await spend(store, settings))
                // A catalogue that cannot be read is a finding of its own.
                if let catalogue = try? Composition.catalogue(settings) {
                    findings.append(contentsOf: try await Self.findings(of: catalogue, in: store))
                }
                for reading in try await store.health(keeping: settings.retention) {
                    findings.append(
                        Finding(
                            subject: "database \(reading.name)", isGood: reading.isGood, detail: reading.text,
                            value: reading.value))
                }
            } catch {
                findings.append(Finding(subject: "database", isGood: false, detail: "\(error)"))
            }
            await store.close()
            return findings
        } catch {
            return [Finding(subject: "database", isGood: false, detail: error.text)]
        }
    }

    /// The free space from which on a database of one machine has room for days.
    private static let leastSpace: Int64 = 256 << 20

    /// The space that is left on the disk of a database file.
    static func space(beside path: String) -> Finding {
        var disk = statvfs()
        let folder = URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
        guard statvfs(folder, &disk) == 0 else {
            return Finding(subject: "disk", isGood: false, detail: "the space of \(folder) cannot be read")
        }
        return space(left: Int64(clamping: disk.f_bavail) * Int64(clamping: disk.f_frsize))
    }

    static func space(left free: Int64) -> Finding {
        let isGood = free >= leastSpace
        return Finding(
            subject: "disk", isGood: isGood,
            detail: "\(free >> 20) MiB are free for the database file"
                + (isGood ? "" : "; without space nothing is stored, and submits are refused"),
            value: free)
    }

    private func credits(_ store: any Store) async throws -> Finding {
        let differences = try await store.auditCredits()
        let workers = try await store.heartbeats().count
        return Finding(
            subject: "database", isGood: differences.isEmpty,
            detail: "\(workers) workers registered, "
                + (differences.isEmpty
                    ? "every balance agrees with the ledger" : "\(differences.count) balances are wrong"))
    }

    /// The day's model spend against the limits of the service.
    private func spend(_ store: any Store, _ settings: Settings) async throws -> [Finding] {
        let plans = (try? Composition(settings: settings, logger: .silent).loadPlans()) ?? Plans()
        let (spend, limits) = (try await store.spend(of: .system), SpendLimits(plans))
        return [(SpendLimit.service, "spend today"), (.free, "spend today without credits")].map { limit, subject in
            let highest = limits[limit] ?? 0
            let part = highest > 0 ? spend[limit] * 100 / highest : 100
            return Finding(
                subject: subject, isGood: Double(spend[limit]) < Double(highest) * SpendWarnings.share,
                detail: "\(part) % of the \(highest / 1_000_000) dollars that plans.yaml allows until midnight UTC",
                value: spend[limit])
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
