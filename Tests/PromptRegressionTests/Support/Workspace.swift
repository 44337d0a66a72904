import Agents
import DataSources
import Foundation
import LanguageModels
import Prompts

@testable import PromptRegression

/// A copy of the repository's content that a test may edit.
struct Workspace: ~Copyable {
    static let repository = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
        .joined(separator: "/")

    static let rules = BundleRules(
        metrics: Metric.all.mapValues { Set($0.needs.map(\.rawValue)) },
        agents: AgentRegistry.requirements)

    static func catalogue() throws -> ModelCatalogue {
        try ModelCatalogue(parsing: String(contentsOfFile: repository + "/models.yaml", encoding: .utf8))
    }

    let home: String

    /// A copy with some of the cases, or with all. Of some, the answers that are written by hand are left out where a test
    /// does not need them: they are most of a run's work.
    init(cases: [String]? = nil, answers: Bool = false) throws {
        let manager = FileManager.default
        home = manager.temporaryDirectory.appending(path: "dossier-prompts-\(UUID().uuidString)").path
        try manager.createDirectory(atPath: home + "/prompts", withIntermediateDirectories: true)
        for name in try manager.contentsOfDirectory(atPath: Self.repository + "/prompts")
        where cases == nil || name != "cases" {
            try manager.copyItem(atPath: "\(Self.repository)/prompts/\(name)", toPath: "\(home)/prompts/\(name)")
        }
        for folder in ["personas", "jobs"] {
            try manager.copyItem(atPath: "\(Self.repository)/\(folder)", toPath: "\(home)/\(folder)")
        }
        guard let cases else { return }
        for name in cases {
            let target = "\(home)/prompts/cases/\(name)"
            try manager.createDirectory(
                atPath: String(target.prefix(upTo: target.lastIndex(of: "/") ?? target.endIndex)),
                withIntermediateDirectories: true)
            try manager.copyItem(atPath: "\(Self.repository)/prompts/cases/\(name)", toPath: target)
            if !answers { try? manager.removeItem(atPath: "\(target)/answers.yaml") }
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: home) }

    func bundle() throws -> Prompts.Bundle { try BundleLoader.load(home: home, rules: Self.rules) }

    func runner() throws -> OfflineRunner { OfflineRunner(home: home, bundle: try bundle()) }

    func run(_ filter: String? = nil) throws -> SuiteReport { try runner().run(CaseFilter(filter)) }

    func path(_ file: String) -> String { "\(home)/\(file)" }

    func text(_ file: String) throws -> String { try String(contentsOfFile: path(file), encoding: .utf8) }

    func write(_ text: String, to file: String) throws {
        let url = URL(filePath: path(file))
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: url, atomically: true, encoding: .utf8)
    }

    /// Replaces the first occurrence of a text.
    func edit(_ file: String, _ old: String, _ new: String) throws {
        let text = try text(file)
        guard let range = text.range(of: old) else { throw NotFound(text: old) }
        try write(text.replacingCharacters(in: range, with: new), to: file)
    }

    struct NotFound: Error { let text: String }

    /// The names of a case's recordings.
    func recordings(of name: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path("prompts/cases/\(name)"))
            .filter { $0.hasPrefix("recording.") }.sorted().map { "prompts/cases/\(name)/\($0)" }
    }

    /// A recorded answer of the repository.
    func recording(of name: String) throws -> Recording {
        guard let file = try recordings(of: name).first else { throw NotFound(text: name) }
        return try Recording(parsing: text(file))
    }
}

extension SuiteReport {
    func kinds(of name: String) -> [Finding.Kind] {
        cases.first { "\($0.id)" == name }?.findings.map(\.kind) ?? []
    }
}
