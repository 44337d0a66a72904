public import Foundation

/// Which versions of prompts made a result and what the models cost.
public struct Provenance: Codable, Hashable, Sendable {
    /// A persona as it was.
    public struct PersonaVersion: Codable, Hashable, Sendable {
        /// The persona.
        public let id: Persona.ID
        /// Grows with each change.
        public let version: Int
    }

    /// A question to a model.
    public struct ModelCall: Codable, Hashable, Sendable {
        /// The step of the work.
        public let step: String
        /// Who runs the model.
        public let provider: String
        /// The model's name at its provider.
        public let model: String
        /// The provider's name of the answer.
        public let responseID: String?
        /// The provider's name of the request.
        public let requestID: String?
        /// The call beside which this one was made, since its first byte was late.
        public let hedgeOf: String?
        /// Tokens by type: `input`, `output`, `cache_read`, …
        public let usage: [String: Int]?
        /// What it cost, in millionths of a dollar.
        public let costMicroDollars: Int?
    }

    /// An item of an annual report, read once for all reports on the company.
    public struct FilingReading: Codable, Hashable, Sendable {
        /// The number of the filing.
        public let accessionNumber: String
        /// The number of the item.
        public let item: String
        /// How many passages with a quote it found.
        public let findings: Int
        /// The job that read it.
        public let jobID: Job.ID?
        /// What it cost once, in millionths of a dollar.
        public let costMicroDollars: Int
    }

    /// The job that did the work: the own one, or one shared with other users.
    public let jobID: Job.ID
    /// Hash of the prompts, personas and kinds that were used.
    public let bundle: String
    /// The persona, where there is one.
    public let persona: PersonaVersion?
    /// The versions of prompts by their names.
    public let prompts: [String: String]
    /// When the data was read.
    public let gatheredAt: Date?
    /// Where prices come from.
    public let marketData: String?
    /// The readings that a report used; `nil` in older reports.
    public let filingReadings: [FilingReading]?
    /// The questions to models, in order.
    public let modelCalls: [ModelCall]
    /// True when an answer was sent back once because it broke a rule.
    public let repaired: Bool
    /// What all of them cost, in millionths of a dollar.
    public let costMicroDollars: Int
}
