internal import JSON

/// Something about a case that is not as it has to be.
public struct Finding: Sendable, Hashable {
    public enum Kind: String, Sendable, CaseIterable {
        /// The case's own files cannot be used.
        case unreadable
        /// The prompt could not be filled in.
        case render
        /// The rendered request is not the golden one.
        case request
        /// No recording answers the rendered request.
        case recording
        /// A recording was changed by hand.
        case tampered
        /// The answer is not of the kind that the case expects.
        case outcome
        /// Other checks failed than the case expects.
        case checks
        /// The parsed answer is not the golden one.
        case output
        /// Files that nothing uses.
        case orphan
    }

    public var kind: Kind
    /// One sentence.
    public var message: String
    /// More lines, such as the checks that failed.
    public var details: [String]
    public var diff: LineDiff?
    /// What to run when the change is wanted, with what it does.
    public var commands: [Command]

    public struct Command: Sendable, Hashable {
        public var line: String
        public var does: String
    }

    public init(
        _ kind: Kind, _ message: String, details: [String] = [], diff: LineDiff? = nil, commands: [Command] = []
    ) {
        self.kind = kind
        self.message = message
        self.details = details
        self.diff = diff
        self.commands = commands
    }
}

/// What became of one case.
public struct CaseReport: Sendable {
    public var id: PromptCase.ID
    public var summary: String
    public var tags: [String]
    public var findings: [Finding]
    /// The filled-in prompt as people read it; empty when it could not be filled in.
    public var prompt: [(role: String, text: String)]
    /// The answers that were replayed.
    public var answers: [Answer]
    public var duration: Duration
    /// Checks that were passed over, each with the reason and what would run it.
    public var skipped: [String] = []

    public struct Answer: Sendable {
        /// The model that answered.
        public var model: String
        public var isSimulated: Bool
        public var recordedAt: String
        public var judgement: Judgement
        public var text: String
    }

    public var passed: Bool { findings.isEmpty }
}

/// What became of all cases.
public struct SuiteReport: Sendable {
    /// In the order of their ids.
    public var cases: [CaseReport]
    /// Files that no case uses.
    public var orphans: [Orphan]
    /// What could not even be read.
    public var problems: [CaseProblem]
    public var duration: Duration

    public var failed: [CaseReport] { cases.filter { !$0.passed } }
    public var passed: [CaseReport] { cases.filter(\.passed) }
    public var isSuccess: Bool { failed.isEmpty && orphans.isEmpty && problems.isEmpty }

    /// `12 cases: 11 passed, 1 failed; 1 orphaned file`
    public var headline: String {
        var text = "\(cases.count) \(cases.count == 1 ? "case" : "cases"): \(passed.count) passed"
        if !failed.isEmpty { text += ", \(failed.count) failed" }
        let skipped = cases.reduce(0) { $0 + $1.skipped.count }
        if skipped > 0 { text += "; \(skipped) \(skipped == 1 ? "check" : "checks") skipped" }
        if !orphans.isEmpty { text += "; \(orphans.count) \(orphans.count == 1 ? "file" : "files") that no case uses" }
        if !problems.isEmpty {
            text += "; \(problems.count) \(problems.count == 1 ? "case" : "cases") that cannot be read"
        }
        return text
    }
}
