import Agents
import DataSources
import Foundation
import Prompts

/// The checkout's own content files and the real documents beside it.
enum Home {
    static let path = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
        .joined(separator: "/")
    static let rules = BundleRules(
        metrics: Metric.all.mapValues { Set($0.needs.map(\.rawValue)) },
        agents: AgentRequirements.all)
    static let bundle = Result { try BundleLoader.load(home: path, rules: rules) }

    static func persona(_ id: String) throws -> Persona? { try bundle.get().personas[id] }
}
