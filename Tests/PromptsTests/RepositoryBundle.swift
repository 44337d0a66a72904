import Foundation
import JSON
import YAML

@testable import Prompts

/// The repository's own prompts, personas and kinds of jobs.
enum RepositoryBundle {
    private static let home = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        .joined(separator: "/")

    static func load() throws -> Prompts.Bundle { try BundleLoader.load(home: home, rules: rules()) }

    /// Rules that accept metrics and agents as the files name them; the tests of the agents compare them with the code.
    private static func rules() throws -> BundleRules {
        var metrics: [String: Set<String>] = [:]
        for persona in try content("personas") {
            for item in (persona["checklist"]?.array ?? []) + (persona["walk_aways"]?.array ?? []) {
                metrics[item["metric"]?.string ?? ""] = Set((item["needs"]?.array ?? []).compactMap(\.string))
            }
        }
        var agents: [String: BundleRules.Agent] = [:]
        for kind in try content("jobs") {
            agents[kind["agent"]?.string ?? ""] = BundleRules.Agent(
                prompts: Set((kind["prompts"]?.object ?? [:]).map(\.key)),
                stages: Set((kind["stages"]?.array ?? []).compactMap { $0["name"]?.string }),
                settings: kind["settings"].map { _ in [:] })
        }
        return BundleRules(metrics: metrics, agents: agents)
    }

    private static func content(_ folder: String) throws -> [JSON] {
        try FileManager.default.contentsOfDirectory(atPath: home + "/" + folder).filter { $0.hasSuffix(".yaml") }.map {
            let text = try String(contentsOfFile: home + "/" + folder + "/" + $0, encoding: .utf8)
            return try YAMLDocument(parsing: text).value
        }
    }
}
