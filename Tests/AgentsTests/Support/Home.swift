import Agents
import DataSources
import Foundation
import JSON
import Prompts

/// The checkout's own content files and the real documents beside it.
enum Home {
    static let path = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
        .joined(separator: "/")
    static let rules = BundleRules(
        metrics: Metric.all.mapValues { Set($0.needs.map(\.rawValue)) },
        agents: AgentRequirements.all)
    static let bundle = Result { try BundleLoader.load(home: path, rules: rules) }

    /// The bundle with one text of its files replaced.
    static func bundle(_ file: String, _ old: String, _ new: String) throws -> Prompts.Bundle {
        let archive = try bundle.get().archive
        var files = try JSON(parsing: archive)
        let text = files[file]?.string ?? ""
        guard text.contains(old) else { throw NotFound(text: old) }
        files[file] = JSON(text.replacing(old, with: new))
        return try Prompts.Bundle(archive: files.compact, rules: rules)
    }

    struct NotFound: Error { let text: String }

    static func persona(_ id: String) throws -> Persona? { try bundle.get().personas[id] }
}
