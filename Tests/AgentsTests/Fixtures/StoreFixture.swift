import DataSources
import Foundation
import JobQueue
import JSON
import Prompts
import SQLiteStore
import Testing

@testable import Agents

/// A database for one test, with the operations of a worker.
struct StoreFixture: Sendable {
    let store: SQLiteStore

    static func run(_ body: (StoreFixture) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "dossier-agents-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try await SQLiteStore.open(path: folder.appending(path: "dossier.db").path)
        do {
            try await body(StoreFixture(store: store))
        } catch {
            await store.close()
            throw error
        }
        await store.close()
    }

    @discardableResult
    func submit(_ input: JSON = ["ticker": "AAPL", "persona": "buffett"], bundle: String = "b") async throws -> JobID {
        let now = try await store.now()
        var generator = SystemRandomNumberGenerator()
        let id = JobID(at: now, using: &generator)
        let job = NewJob(
            id: id, user: UserID(rawValue: 1), kind: "research", input: input, bundle: bundle, cost: 1,
            deadline: now + .seconds(600), startingCredits: 10)
        guard case .accepted = try await store.submit(job) else { throw Unexpected() }
        return id
    }

    /// Registers a worker and claims the one ready job with it.
    func claim(by name: String = "w1") async throws -> ClaimedJob {
        let worker = WorkerID(rawValue: name)
        try await store.register(WorkerRegistration(id: worker, host: "here", processID: 7, concurrency: 4))
        let jobs = try await store.claim(for: worker, upTo: [.background: 1]).jobs
        return try #require(jobs.first)
    }

    /// Rescues the jobs of a worker, as after its death.
    func rescue(_ name: String = "w1") async throws {
        let beats = try await store.heartbeats()
        let beat = try #require(beats.first { $0.worker.rawValue == name })
        _ = try await store.rescue(beat)
    }

    /// The names of the journalled steps.
    func steps(of job: JobID) async throws -> [String] { try await store.journal(of: job).map(\.name) }

    func spent() async throws -> Int64 {
        try await store.modelSpend(of: UserID(rawValue: 1), since: Timestamp(milliseconds: 0))
    }

    private struct Unexpected: Error {}
}

/// The content files of the checkout.
enum ContentFiles {
    static let path = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
        .joined(separator: "/")
    static let rules = BundleRules(
        metrics: Metric.all.mapValues { Set($0.needs.map(\.rawValue)) },
        agents: AgentRegistry.requirements)
    static let bundle = Result { try BundleLoader.load(home: path, rules: rules) }

    /// The bundle with one text of a file replaced, and the same text in the prompt of its repair, since some settings
    /// of both have to be the same.
    static func bundle(_ file: String, _ old: String, _ new: String) throws -> Prompts.Bundle {
        let archive = try bundle.get().archive
        var files = try JSON(parsing: archive)
        let text = files[file]?.string ?? ""
        guard text.contains(old) else { throw NotFound(text: old) }
        for name in [file, file.replacing(".prompt", with: "-repair.prompt")] {
            if let text = files[name]?.string { files[name] = JSON(text.replacing(old, with: new)) }
        }
        return try Prompts.Bundle(archive: files.compact, rules: rules)
    }

    struct NotFound: Error { let text: String }

    static func persona(_ id: String) throws -> Persona? { try bundle.get().personas[id] }
}

/// Expects `AgentError.interrupted`.
func expectInterrupted(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
) async {
    do {
        try await body()
        Issue.record("nothing was thrown", sourceLocation: sourceLocation)
    } catch AgentError.interrupted {
    } catch {
        Issue.record("\(error) was thrown", sourceLocation: sourceLocation)
    }
}
