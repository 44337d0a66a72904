// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
public import Foundation

/// Which versions of prompts made a result and what the models cost.
public struct Provenance: Codable, Hashable, Sendable {
    public struct PersonaVersion: Codable, Hashable, Sendable {
        public let id: Persona.ID
        public let version: Int
    }

    public struct ModelCall: Codable, Hashable, Sendable {
        public let step: String
        public let provider: String
        public let model: String
        public let responseID: String?
        public let requestID: String?
        /// Tokens by type: `input`, `output`, `cache_read`, …
        public let usage: [String: Int]?
        public let costMicroDollars: Int?
    }

    /// The job that did the work: the own one, or one shared with other users.
    public let jobID: Job.ID
    /// Hash of the prompts, personas and kinds that were used.
    public let bundle: String
    public let persona: PersonaVersion?
    public let prompts: [String: String]
    public let gatheredAt: Date?
    public let marketData: String?
    public let modelCalls: [ModelCall]
    /// True when an answer was sent back once because it broke a rule.
    public let repaired: Bool
    public let costMicroDollars: Int
}
