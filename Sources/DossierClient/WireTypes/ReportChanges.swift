/// The differences between two reports on one company, figure by figure.
public struct ReportChanges: Codable, Hashable, Sendable {
    /// A value in both reports.
    public struct Change<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
        /// In the earlier report.
        public let before: Value?
        /// In the later report.
        public let now: Value?
        /// Whether they differ.
        public let changed: Bool
    }

    /// A figure as one of the reports has it.
    public struct ChangedFigure: Codable, Hashable, Sendable {
        /// A figure of the earlier report.
        public struct Earlier: Codable, Hashable, Sendable {
            /// Such as `revenue.FY2025`.
            public let id: String?
            /// For people.
            public let label: String?
            /// What it measures.
            public let concept: String?
            /// On today's shares.
            public let value: Double?
            /// `USD`, `USD/shares`, `shares`, `ratio`.
            public let unit: String?
            /// The form of the filing.
            public let form: String?
            /// The number of the filing.
            public let accessionNumber: String?
            /// `YYYY-MM-DD`.
            public let filingDate: String?
            /// The label of the period.
            public let period: String?
        }

        /// Such as `revenue.FY2025`.
        public let id: String?
        /// For people.
        public let label: String?
        /// What it measures.
        public let concept: String?
        /// On today's shares.
        public let value: Double?
        /// `USD`, `USD/shares`, `shares`, `ratio`.
        public let unit: String?
        /// The form of the filing.
        public let form: String?
        /// The number of the filing.
        public let accessionNumber: String?
        /// `YYYY-MM-DD`.
        public let filingDate: String?
        /// The label of the period.
        public let period: String?
        /// The figure as the earlier report has it, in ``ReportChanges/changed`` only.
        public let before: Earlier?
    }

    /// A question of the checklist whose score differs.
    public struct ChecklistItem: Codable, Hashable, Sendable, Identifiable {
        /// Names the question.
        public let id: String
        /// The question.
        public let question: String?
        /// In the later report.
        public let score: Double?
        /// In the earlier report.
        public let scoreBefore: Double?
        /// What the later score rests on.
        public let value: Double?
        /// What the earlier score rests on.
        public let valueBefore: Double?
    }

    /// The earlier report.
    public let since: Job.ID
    /// The later report.
    public let reportID: Job.ID
    /// The company.
    public let ticker: String?
    /// What the persona says.
    public let verdict: Change<ResearchReport.Verdict>
    /// 0 to 100; `nil` when the persona abstains.
    public let score: Change<Double>
    /// In whose voice.
    public let investorPersona: Change<Persona.ID>
    /// Figures of the later report only.
    public let added: [ChangedFigure]
    /// Figures of the earlier report only.
    public let removed: [ChangedFigure]
    /// Figures whose value differs.
    public let changed: [ChangedFigure]
    /// The number of figures that are the same in both.
    public let unchanged: Int
    /// The questions whose score differs.
    public let checklist: [ChecklistItem]
}
