import Foundation
import Prompts

/// Kinds of jobs (one that costs a credit, one free with any input, one that runs alone) and two personas.
enum SampleBundle {
    static let rules = BundleRules(
        metrics: ["roic_median": ["operating_income", "equity"]],
        agents: [
            "research": BundleRules.Agent(prompts: ["draft"], stages: ["write"]),
            "note": BundleRules.Agent(prompts: [], stages: ["write"]),
        ])

    static func bundle() throws -> Prompts.Bundle {
        var files = files
        for kind in [
            "analyze", "interpret", "chat", "education", "summary", "explanation", "recall", "training", "comparison",
        ] {
            files["jobs/\(kind).yaml"] = try awaited(kind)
        }
        return try Prompts.Bundle(files: files, rules: rules)
    }

    /// A kind whose request waits for the result, with the input schema of the product's own file.
    private static func awaited(_ name: String) throws -> String {
        let home = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(separator: "/")
        let file = try String(contentsOfFile: "\(home)/jobs/\(name).yaml", encoding: .utf8)
        let input = file.range(of: "\ninput:").map { String(file[$0.lowerBound...]) } ?? ""
        return """
            kind: \(name)
            title: A job with a waiting request
            agent: note
            credits: \(["analyze", "explanation", "comparison"].contains(name) ? 1 : 0)
            lane: interactive
            concurrency: {fleet: 100}
            deadline: 60 s
            estimate: 5 s
            retries: {attempts: 1, initial: 1 s, longest: 1 s}
            tier: fast
            prompts: {}
            stages:
              - {name: write, weight: 100, says: Reading}

            """
                + file.split(separator: "\n").filter { line in
                    line.hasPrefix("serial:") || line.hasPrefix("subject:") || line.hasPrefix("  - \"{{")
                }
                .map { $0 + "\n" }.joined() + input
    }

    private static let files = [
        "jobs/research.yaml": research, "jobs/note.yaml": note, "jobs/solo.yaml": solo,
        "jobs/chore.yaml": chore, "jobs/export.yaml": export,
        "personas/ann.yaml": persona("ann", "Ann"),
        "personas/bob.yaml": persona("bob", "Bob"), "prompts/report.prompt": prompt,
    ]

    private static let research = """
        kind: research
        title: A report
        subject: "{{ticker}} as {{persona.name}}"
        agent: research
        credits: 1
        lane: background
        deadline: 170 s
        estimate: 30 s
        retries: {attempts: 3, initial: 2 s, longest: 20 s}
        tier: deep
        prompts: {draft: report}
        stages:
          - {name: write, weight: 100, says: Writing}
        input:
          type: object
          properties:
            ticker: {type: string, minLength: 1, maxLength: 12, pattern: "^[A-Za-z0-9]{1,6}([.-][A-Za-z0-9]{1,4})?$"}
            persona: {type: string, minLength: 1, maxLength: 64}
          required: [ticker, persona]
          additionalProperties: false

        """

    private static let note = """
        kind: note
        title: A note
        agent: note
        credits: 0
        lane: interactive
        deadline: 60 s
        estimate: 5 s
        retries: {attempts: 1, initial: 1 s, longest: 1 s}
        tier: fast
        prompts: {}
        stages:
          - {name: write, weight: 100, says: Noting}
        input:
          type: object

        """

    private static let solo =
        note.replacing("kind: note", with: "kind: solo") + "concurrency: {fleet: 5, per_user: 1}\n"

    private static let chore = note.replacing("kind: note", with: "kind: chore") + "submitted_by: operators\n"

    private static let export = note.replacing("kind: note", with: "kind: export") + "submitted_by: operators\n"

    private static func persona(_ id: String, _ name: String) -> String {
        """
        id: \(id)
        version: 3
        name: \(name)
        summary: Reads slowly.
        says: \(name) reads first.
        approach: One page at a time.
        voice: Soft.
        verdicts: {fits: 70, mixed: 45}
        checklist:
          - id: returns
            question: Does it earn?
            metric: roic_median
            needs: [operating_income, equity]
            weight: 100
            points:
              - {value: 5%, score: 0}
              - {value: 0.2, score: 10}
        walk_aways: []

        """
    }

    private static let prompt = """
        ---
        model: deep
        input:
          schema:
            company: string
        output:
          format: json
          schema:
            summary: string
        ---
        Tell me about {{company}}.

        """
}
