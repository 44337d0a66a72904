import JSON
import JobQueue
import Testing

@testable import Prompts

/// A change that breaks the sample, and the one line that must be reported for it.
struct Breakage: Sendable, CustomTestStringConvertible {
    var file: String
    var old: String
    var new: String
    var expected: String

    init(_ file: String, _ old: String, _ new: String, _ expected: String) {
        (self.file, self.old, self.new, self.expected) = (file, old, new, expected)
    }

    var testDescription: String { "\(file): \(new.prefix(60))" }
}

private let job = "jobs/report.yaml"
private let ann = "personas/ann.yaml"
private let prompt = "prompts/report.prompt"

@Suite struct BundleProblemsTests {
    @Test func theSampleHasNoProblems() throws {
        let bundle = try SampleFiles.bundle()
        #expect(bundle.kinds.keys.sorted() == ["report"])
        #expect(bundle.personas.keys.sorted() == ["ann"])
        #expect(bundle.prompts.keys.sorted() == ["report"])
    }

    @Test func limitsAndSchedulesOfAKindAreRead() throws {
        func kind(_ lines: String) throws -> JobKind {
            var files = SampleFiles.files
            files[job] = SampleFiles.job.replacing("tier: deep", with: "tier: deep\n" + lines)
            return try #require(try Bundle(files: files, rules: SampleFiles.rules).kinds["report"])
        }
        #expect(try kind("concurrency: 50").limits == ConcurrencyLimits(fleet: 50))
        #expect(try kind("concurrency: {per_user: 2}").limits == ConcurrencyLimits(perUser: 2))
        #expect(try kind("concurrency: {fleet: 5, per_user: 2}").limits == ConcurrencyLimits(fleet: 5, perUser: 2))
        #expect(try SampleFiles.bundle().kinds["report"]?.limits == ConcurrencyLimits.none)
        // A kind for which users wait leaves room for other users, unless its file says otherwise.
        var files = SampleFiles.files
        files[job] = SampleFiles.job.replacing("lane: background", with: "lane: interactive")
        let interactive = try Bundle(files: files, rules: SampleFiles.rules).kinds["report"]
        #expect(interactive?.limits == ConcurrencyLimits(perUser: 4))
        let one = try kind("schedule: {cron: \"0 7 * * *\", zone: UTC, input: {ticker: AAPL}}").schedules
        #expect(one.count == 1 && one.first?.input["ticker"] == "AAPL")
        let timestamp = Timestamp(milliseconds: 1_800_000_000_000)
        #expect(one.first?.times.next(after: timestamp) == Timestamp(milliseconds: 1_800_082_800_000))
        // The same schedule has the same id in any file; another time gives it another id.
        let two = try kind("schedule:\n  - {every: 15m}\n  - {zone: UTC, cron: \"0 7 * * *\", input: {ticker: AAPL}}")
            .schedules
        #expect(two.count == 2 && two.last?.id == one.first?.id && two.first?.id != one.first?.id)
    }

    @Test(arguments: [
        Breakage(job, "credits: 1", "credit: 1", "jobs/report.yaml:4: unknown key 'credit' (did you mean 'credits'?)"),
        Breakage(
            job, "credits: 1", "credits: one",
            "jobs/report.yaml:4: 'credits' must be a whole number, not a string (write a number from 0 to 1000)"),
        Breakage(
            job, "credits: 1", "credits: -1", "jobs/report.yaml:4: 'credits' is -1 (write a number from 0 to 1000)"),
        Breakage(
            job, "agent: research", "agent: reserch",
            "jobs/report.yaml:3: unknown agent 'reserch' (did you mean 'research'?)"),
        Breakage(
            job, "lane: background", "lane: fast",
            "jobs/report.yaml:5: unknown lane 'fast' (known: background, interactive)"),
        Breakage(
            job, "tier: deep", "tier: deep\nconcurrency: none",
            "jobs/report.yaml:10: 'concurrency' must be a whole number or {fleet: …, per_user: …} (write 'concurrency: 50' or 'concurrency: {fleet: 50, per_user: 2}')"
        ),
        Breakage(
            job, "tier: deep", "tier: deep\nconcurrency: 0",
            "jobs/report.yaml:10: 'concurrency' is 0 (write a number from 1 to 1000000)"),
        Breakage(
            job, "tier: deep", "tier: deep\nconcurrency: {fleet: 5, user: 2}",
            "jobs/report.yaml:10: unknown key 'concurrency.user' (known: fleet, per_user)"),
        Breakage(
            job, "tier: deep", "tier: deep\nconcurrency:\n  fleet: 5\n  per_user: 6",
            "jobs/report.yaml:12: one user's limit is above the fleet's (lower it, or remove it: it never holds)"),
        Breakage(
            job, "tier: deep", "tier: deep\nconcurrency: {}",
            "jobs/report.yaml:10: 'concurrency' names no limit (write 'fleet: 50' or 'per_user: 2', or remove it)"),
        Breakage(
            job, "tier: deep", "tier: deep\nschedule: {zone: UTC}",
            "jobs/report.yaml:10: a schedule needs 'cron' or 'every' (write 'cron: \"0 7 * * mon-fri\"' or 'every: 15 min')"
        ),
        Breakage(
            job, "tier: deep", "tier: deep\nschedule:\n  cron: \"0 7 * *\"",
            "jobs/report.yaml:11: a cron expression has five fields (minute, hour, day of month, month, day of week), not 4 (write, for example, \"0 7 * * mon-fri\")"
        ),
        Breakage(
            job, "tier: deep", "tier: deep\nschedule: {cron: \"0 7 * * *\", zone: Europe/Berlim}",
            "jobs/report.yaml:10: unknown time zone 'Europe/Berlim' (write a name such as 'Europe/Berlin' or 'UTC')"),
        Breakage(
            job, "tier: deep", "tier: deep\nschedule: {cron: \"0 7 * * *\", every: 5 min}",
            "jobs/report.yaml:10: a schedule has 'cron' or 'every', not both (remove one)"),
        Breakage(
            job, "tier: deep", "tier: deep\nschedule: {every: 5 min, zone: UTC}",
            "jobs/report.yaml:10: an interval has no time zone (remove 'zone', or write 'cron' instead of 'every')"),
        Breakage(
            job, "tier: deep", "tier: deep\nschedule: {every: 5 ms}",
            "jobs/report.yaml:10: the interval must be from a second to a year (write, for example, '15 min')"),
        Breakage(
            job, "tier: deep", "tier: deep\nschedule:\n  - every: 5 min\n  - every: 5m",
            "jobs/report.yaml:12: the schedule is listed twice (remove one)"),
        Breakage(
            job, "tier: deep", "tier: deep\nschedule:\n  every: 5 min\n  input: {ticker: 5}",
            "jobs/report.yaml:12: 'ticker' in the schedule's input must be a string, not a number (give what the kind's input schema asks for)"
        ),
        Breakage(
            job, "tier: deep", "tier: deep\nschedule: {every: 5 min, input: AAPL}",
            "jobs/report.yaml:10: 'schedule.input' must be keys with values (write the input that a request would give)"
        ),
        Breakage(
            job, "deadline: 170 s", "deadline: 170",
            "jobs/report.yaml:6: 'deadline' must be a time with its unit, not a number (write a number and a unit: ms, s, min, h or d, for example '30 s')"
        ),
        Breakage(
            job, "deadline: 170 s", "deadline: 170 s\nbatch: 30 min",
            "jobs/report.yaml:7: 'batch' is not from 1 h to 24 h (write 'batch: 24 h')"
        ),
        Breakage(
            job, "deadline: 170 s", "deadline: 170 s\nbatch: 24 h",
            "jobs/report.yaml:7: 'batch' has no effect: the kind has no 'schedule' (remove it)"
        ),
        Breakage(
            job, "deadline: 170 s", "deadline: 170 seconds",
            "jobs/report.yaml:6: '170 seconds' is no time (write a number and a unit: ms, s, min, h or d, for example '30 s')"
        ),
        Breakage(
            job, "deadline: 170 s", "deadline: 20 s",
            "jobs/report.yaml:7: the estimate is longer than the deadline (shorten it)"),
        Breakage(
            job, "longest: 20 s", "longest: 1 s",
            "jobs/report.yaml:8: the longest pause is shorter than the initial one (raise it)"),
        Breakage(job, "tier: deep", "tier: deeper", "jobs/report.yaml:9: unknown tier 'deeper' (did you mean 'deep'?)"),
        Breakage(
            job, "  draft: report", "  draft: reports",
            "jobs/report.yaml:11: unknown prompt 'reports' (did you mean 'report'?)"),
        Breakage(
            job, "  draft: report", "  draft: report\n  repiar: report",
            "jobs/report.yaml:12: the agent has no prompt role 'repiar' (known: draft)"),
        Breakage(
            job, "name: write,", "name: wirte,",
            "jobs/report.yaml:14: the agent has no stage 'wirte' (did you mean 'write'?)"),
        Breakage(
            job, "weight: 60", "weight: 50",
            "jobs/report.yaml:12: the weights of the stages add up to 90 (make them add up to 100)"),
        Breakage(
            job, "kind: report", "kind: essay",
            "jobs/report.yaml:1: the file defines 'essay' (name the file 'essay.yaml' or write 'kind: report')"),
        Breakage(
            job, "title: A report\n", "", "jobs/report.yaml:1: 'title' is missing (write 'title: One line for people')"),
        Breakage(
            job, "title: A report", "title:",
            "jobs/report.yaml:2: 'title' is empty (write 'title: One line for people')"),
        Breakage(
            job, "  type: object\n", "",
            "jobs/report.yaml:15: the input's schema must have 'type: object' (write 'type: object' and 'properties: …')"
        ),
        Breakage(
            ann, "metric: roic_median", "metric: roic_medain",
            "personas/ann.yaml:11: unknown metric 'roic_medain' (did you mean 'roic_median'?)"),
        Breakage(
            ann, "needs: [operating_income, equity]", "needs: [operating_income]",
            "personas/ann.yaml:12: the metric 'roic_median' is made of other figures than 'needs' says (write 'needs: [equity, operating_income]')"
        ),
        Breakage(
            ann, "weight: 40", "weight: 45",
            "personas/ann.yaml:8: the weights of the checklist add up to 105 (make them add up to 100)"),
        Breakage(
            ann, "{value: 6, score: 0}", "{value: 0.5, score: 0}",
            "personas/ann.yaml:24: the values of the points do not rise (order them by value, each above the one before)"
        ),
        Breakage(
            ann, "{value: 6, score: 0}", "{value: 6, score: 11}",
            "personas/ann.yaml:24: 'checklist[1].points[1].score' is 11 (write a number from 0 to 10)"),
        Breakage(
            ann, "      - {value: 6, score: 0}\n", "",
            "personas/ann.yaml:22: a rule needs at least two points (add one)"),
        Breakage(
            ann, "id: debt\n", "id: returns\n", "personas/ann.yaml:17: the id 'returns' is listed twice (rename one)"),
        Breakage(
            ann, "above: 10", "above: 10\n    below: 2",
            "personas/ann.yaml:26: exactly one of 'below' and 'above' is needed (write 'below: 2' or 'above: 2')"),
        Breakage(
            ann, "above: 10", "abuve: 10",
            "personas/ann.yaml:29: unknown key 'walk_aways[0].abuve' (did you mean 'above'?)"),
        Breakage(
            ann, "fits: 70", "fits: 40",
            "personas/ann.yaml:7: 'fits' must be above 'mixed' (the verdict 'fits' needs the higher score)"),
        Breakage(
            ann, "version: 3", "version: three",
            "personas/ann.yaml:2: 'version' must be a whole number, not a string (write a number from 1 to 1000000)"),
        Breakage(
            ann, "id: ann", "id: Ann Smith",
            "personas/ann.yaml:1: 'Ann Smith' is no name (use lower-case letters, digits, '-' and '_')"),
        Breakage(
            prompt, "model: deep", "model: claude",
            "prompts/report.prompt:2: unknown tier of models 'claude' (known: deep, fast)"),
        Breakage(
            prompt, "effort: low", "efort: low",
            "prompts/report.prompt:3: unknown key 'config.efort' (did you mean 'effort'?)"),
        Breakage(
            prompt, "company: string", "company: strng",
            "prompts/report.prompt:6: 'input.schema': 'company' has the type 'strng', which is neither a type nor a schema (types: string, number, integer, boolean, null, any; lists are written 'name(array): type')"
        ),
        Breakage(
            prompt, "  schema:\n    summary: string\n", "",
            "prompts/report.prompt:9: 'output.schema' is missing (write 'schema: …')"),
        Breakage(
            prompt, "type: sentence-count", "type: sentence-cuont",
            "prompts/report.prompt:14: unknown check 'sentence-cuont' (did you mean 'sentence-count'?)"),
        Breakage(
            prompt, "path: summary", "path: sumary",
            "prompts/report.prompt:14: the schema has no 'sumary' (did you mean 'summary'?)"),
        Breakage(
            prompt, "path: summary", "path: a..b",
            "prompts/report.prompt:14: 'a..b' is no path (write it like 'summary' or 'risks[].detail')"),
        Breakage(
            prompt, "{min: 1, max: 3}", "{min: 4, max: 3}", "prompts/report.prompt:14: 'min' is above 'max' (swap them)"
        ),
        Breakage(
            prompt, "about {{company}}", "about {{jsn company}}",
            "prompts/report.prompt:19: there is no helper 'jsn' (did you mean 'json'?)"),
        Breakage(
            prompt, "model: deep", "model: deep\nmodel: fast",
            "prompts/report.prompt:3: this is not valid YAML: the key 'model' occurs twice (remove one of the two)"),
        Breakage(
            prompt, "---\n{{role", "{{role",
            "prompts/report.prompt:1: the front matter that begins here has no end (put a line '---' between the settings and the template)"
        ),
        Breakage(
            prompt, "input:\n", "input:\n  default: {company: 3}\n",
            "prompts/report.prompt:5: the default of 'company' must be a string, not a number (write what 'input.schema' asks for)"
        ),
        Breakage(
            prompt, "input:\n", "input:\n  default: {compani: x}\n",
            "prompts/report.prompt:5: 'input.schema' has no 'compani' (did you mean 'company'?)"),
        Breakage(
            prompt, "about {{company}}", "about {{compny}}",
            "prompts/report.prompt:19: unknown variable 'compny' (did you mean 'company'?)"),
        Breakage(
            prompt, "{{fenced text ", "{{fenced txt ",
            "prompts/report.prompt:21: unknown variable 'txt' (did you mean 'text'?)"),
        Breakage(
            prompt, "about {{company}}", "about {{#if no}}x{{else}}{{company.name}}{{/if}}",
            "prompts/report.prompt:19: unknown variable 'name' in 'company.name' ('input.schema' says that there is nothing within it)"
        ),
        Breakage(
            "prompts/_style.prompt", "Write calmly.", "Write calmly of {{topic}}.",
            "prompts/_style.prompt:1: unknown variable 'topic' that prompts/report.prompt has no such input for (known: articles, company)"
        ),
        Breakage(
            prompt, "type: sentence-count, path: summary, value: {min: 1, max: 3}", "type: similar, path: summary",
            "prompts/report.prompt:14: a text to compare with is missing (write 'value: text', or 'input: draft' for a value of the input)"
        ),
        Breakage(
            prompt, "type: sentence-count, path: summary, value: {min: 1, max: 3}",
            "type: not-rouge-n, path: summary, input: 'artikles[].text', n: 3, threshold: 0.5",
            "prompts/report.prompt:14: the schema has no 'artikles' (did you mean 'articles'?)"),
        Breakage(
            prompt, "type: sentence-count, path: summary, value: {min: 1, max: 3}",
            "type: similar, path: summary, value: x, threshold: 75",
            "prompts/report.prompt:14: 'dossier.checks[0].threshold' is 75 (write a number from 0 to 1)"),
        Breakage(
            prompt, "type: sentence-count, path: summary, value: {min: 1, max: 3}", "type: cost, value: 3",
            "prompts/report.prompt:14: unknown key 'dossier.checks[0].value' (known: languages, name, threshold, type)"),
        Breakage(
            prompt, "type: sentence-count, path: summary, value: {min: 1, max: 3}", "type: latency",
            "prompts/report.prompt:14: 'dossier.checks[0].threshold' is missing (write 'threshold: 30000')"),
        Breakage(
            prompt, "type: sentence-count, path: summary, value: {min: 1, max: 3}",
            "type: llm-rubric, value: Is clear.",
            "prompts/report.prompt: nothing grades its check 'llm-rubric' (add prompts/llm-rubric.prompt, or remove the check)"
        ),
        Breakage(
            prompt, "effort: low", "topP: 0.5",
            "prompts/report.prompt:3: unknown key 'config.topP' (known: effort, maxInputTokens, maxOutputTokens, stopSequences, temperature)"
        ),
        Breakage(
            prompt, "{> style}", "{> stile}",
            "prompts/report.prompt:17: unknown partial 'stile' (did you mean 'style'?)"),
        Breakage(
            prompt, "{{role \"user\"}}\n", "{{role \"robot\"}}\n",
            "prompts/report.prompt:18: the prompt 'report' could not be rendered: there is no role 'robot' (roles: system, user, model)"
        ),
    ])
    func aProblemIsNamedWithItsLineAndItsFix(_ breakage: Breakage) {
        let problems = SampleFiles.problems(in: breakage.file, replacing: breakage.old, with: breakage.new)
        #expect(problems.map(\.description).contains(breakage.expected), "\(problems)")
    }

    @Test(arguments: [
        Breakage(job, "title: A report", "title: [", "jobs/report.yaml"),
        Breakage(prompt, "{{/each}}", "", "prompts/report.prompt"),
        Breakage(prompt, "{{company}}", "{{company", "prompts/report.prompt"),
        Breakage(prompt, "{{company}}", "{{shout company}}", "prompts/report.prompt"),
        Breakage("prompts/_style.prompt", "Write calmly.", "{{#if x}}", "prompts/_style.prompt"),
        Breakage("prompts/_style.prompt", "Write calmly.", "{{> style}}", "prompts/_style.prompt"),
        Breakage(ann, "checklist:", "checklist: none\nlist:", "personas/ann.yaml"),
        Breakage(ann, "id: ann", "- id: ann", "personas/ann.yaml"),
        Breakage(prompt, "---\nmodel: deep", "model: deep", "prompts/report.prompt"),
        Breakage(prompt, "format: json", "format: xml", "prompts/report.prompt"),
    ])
    func brokenSyntaxIsReportedInItsFile(_ breakage: Breakage) throws {
        let problems = SampleFiles.problems(in: breakage.file, replacing: breakage.old, with: breakage.new)
        let first = try #require(problems.first { $0.file == breakage.expected }, "\(problems)")
        #expect(first.line != nil && !first.message.isEmpty && !first.fix.isEmpty, "\(first)")
    }

    /// Editors on other systems write these.
    @Test func aByteOrderMarkAndOtherLineEndsAreAccepted() throws {
        let plain = try SampleFiles.bundle().prompts["report"]?.render(input: ["company": "X"])
        for edit in [{ "\u{FEFF}" + $0 }, { $0.replacing("\n", with: "\r\n") }] as [(String) -> String] {
            var files = SampleFiles.files
            files["prompts/report.prompt"] = edit(SampleFiles.prompt)
            let edited = try SampleFiles.bundle(files).prompts["report"]?.render(input: ["company": "X"])
            #expect(edited?.config == plain?.config)
            #expect(edited?.messages.first?.text.contains("Tell me about X.") == true)
        }
    }

    @Test func allProblemsAreReportedAtOnceInOrder() {
        var files = SampleFiles.files
        files["jobs/report.yaml"] = SampleFiles.job.replacing("credits: 1", with: "credits: -1")
            .replacing("tier: deep", with: "tier: x")
        files["personas/ann.yaml"] = SampleFiles.persona.replacing("weight: 60", with: "weight: heavy")
        files["prompts/report.prompt"] = SampleFiles.prompt.replacing("{> style}", with: "{> other}")
        let error = #expect(throws: BundleProblems.self) { try SampleFiles.bundle(files) }
        let places = error?.problems.map { "\($0.file):\($0.line ?? 0)" }
        #expect(
            places == ["jobs/report.yaml:4", "jobs/report.yaml:9", "personas/ann.yaml:13", "prompts/report.prompt:17"])
    }

    @Test func aBundleWithoutJobsIsRejected() {
        let error = #expect(throws: BundleProblems.self) { try SampleFiles.bundle([:]) }
        #expect(error?.description == "jobs: no kind of job is defined (add a file such as jobs/research.yaml)")
    }
}
