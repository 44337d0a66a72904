@testable import Prompts

/// A small bundle without problems, for tests to break in one place.
enum SampleFiles {
    static let rules = BundleRules(
        metrics: ["roic_median": ["operating_income", "equity"], "debt_years": ["total_debt"]],
        agents: ["research": BundleRules.Agent(prompts: ["draft"], stages: ["gather", "write"])])

    static let job = """
        kind: report
        title: A report
        agent: research
        credits: 1
        lane: background
        deadline: 170 s
        estimate: 30 s
        retries: {attempts: 3, initial: 2 s, longest: 20 s}
        tier: deep
        prompts:
          draft: report
        stages:
          - {name: gather, weight: 40, says: Reading}
          - {name: write, weight: 60, says: Writing}
        input:
          type: object
          properties:
            ticker: {type: string}

        """

    static let persona = """
        id: ann
        version: 3
        name: Ann
        summary: Reads slowly.
        approach: One page at a time.
        voice: Soft.
        verdicts: {fits: 70, mixed: 45}
        checklist:
          - id: returns
            question: Does it earn?
            metric: roic_median
            needs: [operating_income, equity]
            weight: 60
            points:
              - {value: 5%, score: 0}
              - {value: 0.2, score: 10}
          - id: debt
            question: Does it owe?
            metric: debt_years
            needs: [total_debt]
            weight: 40
            points:
              - {value: 1, score: 10}
              - {value: 6, score: 0}
        walk_aways:
          - id: too_much_debt
            metric: debt_years
            needs: [total_debt]
            above: 10
            because: It owes too much.

        """

    static let prompt = """
        ---
        model: deep
        config: {maxOutputTokens: 500, effort: low}
        input:
          schema:
            company: string
            articles?(array):
              text: string
        output:
          format: json
          schema:
            summary: string
        dossier.checks:
          - {type: sentence-count, path: summary, value: {min: 1, max: 3}}
        ---
        {{role "system"}}
        {{> style}}
        {{role "user"}}
        Tell me about {{company}}.
        {{#each articles}}
        {{fenced text as="article"}}
        {{/each}}

        """

    static let partial = "Write calmly.\n"

    static let files = [
        "jobs/report.yaml": job, "personas/ann.yaml": persona, "prompts/report.prompt": prompt,
        "prompts/_style.prompt": partial,
    ]

    static func bundle(_ files: [String: String] = files, rules: BundleRules = rules) throws(BundleProblems) -> Bundle {
        try Bundle(files: files, rules: rules)
    }

    /// The problems after one text in one file was replaced.
    static func problems(in file: String, replacing old: String, with new: String) -> [BundleProblem] {
        guard let source = files[file], source.contains(old) else {
            return [BundleProblem(file: file, line: nil, message: "the test's text '\(old)' is not there", fix: "")]
        }
        var broken = files
        broken[file] = source.replacing(old, with: new)
        do {
            _ = try bundle(broken)
            return []
        } catch {
            return error.problems
        }
    }
}
