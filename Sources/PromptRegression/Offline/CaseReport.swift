internal import JSON
package import Prompts

/// Something about a case that is not as it has to be.
package struct Finding: Sendable, Hashable {
    package enum Kind: String, Sendable, CaseIterable {
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
        /// A hand-written answer is judged otherwise than it says.
        case handWritten = "hand-written"
        /// Files that nothing uses.
        case orphan
    }

    package var kind: Kind
    /// One sentence.
    package var message: String
    /// More lines, such as the checks that failed.
    package var details: [String]
    package var diff: LineDiff?
    /// The commands that approve a wanted change.
    package var commands: [Command]

    package struct Command: Sendable, Hashable {
        package var line: String
        package var does: String
    }

    package init(
        _ kind: Kind, _ message: String, details: [String] = [], diff: LineDiff? = nil, commands: [Command] = []
    ) {
        self.kind = kind
        self.message = message
        self.details = details
        self.diff = diff
        self.commands = commands
    }
}

/// The result of one case.
package struct CaseReport: Sendable {
    package var id: PromptCase.ID
    package var summary: String
    package var tags: [String]
    package var findings: [Finding]
    /// The filled-in prompt as people read it; empty when it could not be filled in.
    package var prompt: [(role: String, text: String)]
    /// The answers that were replayed.
    package var answers: [Answer]
    package var duration: Duration
    /// Skipped checks, each with the reason and the command that would run it.
    package var skipped: [String] = []
    /// The number of hand-written answers, each of which is judged in the format of each provider.
    package var handWritten = 0

    package struct Answer: Sendable {
        /// The model that answered.
        package var model: String
        package var isSimulated: Bool
        package var recordedAt: String
        package var evaluation: Evaluation
        package var text: String
    }

    package var passed: Bool { findings.isEmpty }
}

/// The results of all cases.
package struct SuiteReport: Sendable {
    /// In the order of their ids.
    package var cases: [CaseReport]
    /// Files that no case uses.
    package var orphans: [Orphan]
    /// Cases that cannot be read.
    package var problems: [CaseProblem]
    package var duration: Duration

    package var failed: [CaseReport] { cases.filter { !$0.passed } }
    package var passed: [CaseReport] { cases.filter(\.passed) }
    package var isSuccess: Bool { failed.isEmpty && orphans.isEmpty && problems.isEmpty }

    /// `12 cases: 11 passed, 1 failed; 1 orphaned file`
    package var headline: String {
        var text = "\(cases.count) \(cases.count == 1 ? "case" : "cases"): \(passed.count) passed"
        if !failed.isEmpty { text += ", \(failed.count) failed" }
        let handWritten = cases.reduce(0) { $0 + $1.handWritten }
        if handWritten > 0 { text += "; \(handWritten) hand-written answers judged" }
        let skipped = cases.reduce(0) { $0 + $1.skipped.count }
        if skipped > 0 { text += "; \(skipped) \(skipped == 1 ? "check" : "checks") skipped" }
        if !orphans.isEmpty { text += "; \(orphans.count) \(orphans.count == 1 ? "file" : "files") that no case uses" }
        if !problems.isEmpty {
            text += "; \(problems.count) \(problems.count == 1 ? "case" : "cases") that cannot be read"
        }
        return text
    }
}
