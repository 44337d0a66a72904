package import LanguageModels
internal import Prompts

/// The result of a live run, beside the baseline.
package struct LiveReport: Sendable {
    /// Differences that chance makes less often than this count.
    static let significance = 0.05

    /// One case, or one prompt, with one provider.
    package struct Row: Sendable {
        package enum Change: String, Sendable {
            case new, same, better, worse
            /// It always passed, and now it fails sometimes or always: reported even if the difference is not
            /// significant.
            case flaky
        }

        package var key: Baseline.Key
        package var now: Baseline.Entry
        package var before: Baseline.Entry?
        /// The probability of such a difference by chance; `nil` without a baseline.
        package var pValue: Double?
        package var change: Change
        /// The reasons for which runs failed, with their numbers.
        package var reasons: [String: Int]
        package var repairs: Repairs
    }

    /// The rejected drafts that were asked for again.
    package struct Repairs: Sendable, Hashable {
        package var asked = 0
        package var passed = 0
        /// Micro-dollars of all repairs.
        package var cost: Int64 = 0

        static func + (left: Repairs, right: Repairs) -> Repairs {
            Repairs(
                asked: left.asked + right.asked, passed: left.passed + right.passed, cost: left.cost + right.cost)
        }
    }

    package var cases: [Row]
    /// All cases of a prompt together.
    package var prompts: [Row]
    /// Calls that brought no answer, with the reason.
    package var unanswered: [String]
    /// Cases that only the simulator can answer.
    package var skipped: [PromptCase.ID]
    package var problems: [String]
    /// Calls that an earlier, unfinished run had made.
    package var reused: Int
    /// Cases whose baseline is not of the same kind: one comes from the simulator, the other from a real service.
    package var incomparable: Int
    /// The cost of grading by rubrics.
    package var gradingCost: MicroDollars
    /// The folder of the answers.
    package var folder: String

    /// Cases and prompts that became worse.
    package var regressions: [Row] { (cases + prompts).filter { $0.change == .worse || $0.change == .flaky } }
    package var isSuccess: Bool { regressions.isEmpty && unanswered.isEmpty && problems.isEmpty }

    /// The results as a baseline.
    var results: Baseline {
        Baseline(entries: Dictionary(cases.map { ($0.key, $0.now) }, uniquingKeysWith: { first, _ in first }))
    }

    init(
        results: [(call: LiveCall, result: LiveRunner.CallResult)], bundle: Bundle, baseline: Baseline,
        skipped: [PromptCase.ID],
        problems: [String], reused: Int, folder: String
    ) {
        var tallies: [Baseline.Key: Tally] = [:]
        var unanswered: [String] = []
        var counted: Set<String> = []
        gradingCost = .zero
        for (call, result) in results {
            switch result {
            case .answered(let answer):
                tallies[call.key, default: Tally()].add(answer, of: call, in: bundle)
                for grade in answer.allGrades where counted.insert(grade.requestHash).inserted {
                    gradingCost = gradingCost + grade.response.cost
                }
            case .failed(let reason):
                unanswered.append("\(call.promptCase.id) with \(call.side.name), \(call.repetition): \(reason)")
            }
        }
        cases = tallies.sorted { $0.key < $1.key }.map { key, tally in
            Row(
                key: key, now: tally.entry, before: Self.comparable(tally, baseline.entries[key]),
                reasons: tally.reasons, repairs: tally.repairs)
        }
        prompts = Self.prompts(tallies, baseline)
        incomparable = tallies.count { key, tally in
            baseline.entries[key].map { $0.isSimulated != tally.entry.isSimulated } ?? false
        }
        self.unanswered = unanswered.sorted()
        self.skipped = skipped
        self.problems = problems
        self.reused = reused
        self.folder = folder
    }

    /// A baseline of the same kind of answers.
    private static func comparable(_ tally: Tally, _ entry: Baseline.Entry?) -> Baseline.Entry? {
        entry?.isSimulated == tally.entry.isSimulated ? entry : nil
    }

    /// Sums up by prompt, over the cases that both the run and the baseline have.
    private static func prompts(_ tallies: [Baseline.Key: Tally], _ baseline: Baseline) -> [Row] {
        var sums: [Baseline.Key: (now: Tally, before: Baseline.Entry?)] = [:]
        for (key, tally) in tallies {
            let prompt = String(key.promptCase.prefix { $0 != "/" })
            let place = Baseline.Key(promptCase: prompt, provider: key.provider)
            var sum = sums[place] ?? (Tally(), nil)
            sum.now.add(tally)
            if let entry = comparable(tally, baseline.entries[key]) {
                var before = sum.before ?? entry
                if sum.before != nil {
                    before.runs += entry.runs
                    before.passed += entry.passed
                }
                sum.before = before
            }
            sums[place] = sum
        }
        return sums.sorted { $0.key < $1.key }.map { key, sum in
            Row(key: key, now: sum.now.entry, before: sum.before, reasons: [:], repairs: sum.now.repairs, isSum: true)
        }
    }
}

extension LiveReport.Row {
    init(
        key: Baseline.Key, now: Baseline.Entry, before: Baseline.Entry?, reasons: [String: Int],
        repairs: LiveReport.Repairs, isSum: Bool = false
    ) {
        self.key = key
        self.now = now
        self.before = before
        self.reasons = reasons
        self.repairs = repairs
        guard let before, before.runs > 0 else {
            change = .new
            return
        }
        let chance = FisherExactTest.twoSided(
            before.passed, before.runs - before.passed, now.passed, now.runs - now.passed)
        pValue = chance
        let difference = now.rate - before.rate
        if !isSum, before.passed == before.runs, now.passed < now.runs {
            change = .flaky
        } else if chance < LiveReport.significance, difference != 0 {
            change = difference < 0 ? .worse : .better
        } else {
            change = .same
        }
    }
}

extension Baseline.Entry {
    /// The share of runs that passed.
    package var rate: Double { runs == 0 ? 0 : Double(passed) / Double(runs) }
}

/// The calls of one case with one provider, being counted.
struct Tally {
    private var model = ""
    private var isSimulated = false
    private var runs = 0
    private var passed = 0
    private var cost: Int64 = 0
    private var milliseconds: [Int] = []
    private(set) var reasons: [String: Int] = [:]
    private(set) var repairs = LiveReport.Repairs()

    mutating func add(_ answer: LiveAnswer, of call: LiveCall, in bundle: Bundle) {
        let recording = answer.draft
        let evaluation = Evaluation(
            of: recording, to: call.promptCase, by: call.prompt, in: bundle, grades: Grades(answer.grades))
        model = recording.response.model
        isSimulated = isSimulated || recording.isSimulated
        runs += 1
        cost += recording.response.cost.rawValue
        milliseconds.append(recording.response.timings.totalMilliseconds)
        if evaluation.meets(call.promptCase.expectation) {
            passed += 1
        } else {
            reasons[evaluation.summary, default: 0] += 1
        }
        if let repair = answer.repair {
            let evaluation = repair.evaluation(in: bundle)
            repairs.asked += 1
            repairs.cost += repair.answer.response.cost.rawValue
            if evaluation.meets(call.promptCase.expectation) {
                repairs.passed += 1
            } else {
                reasons["after the repair \(evaluation.summary)", default: 0] += 1
            }
        }
    }

    mutating func add(_ other: Tally) {
        model = other.model
        isSimulated = isSimulated || other.isSimulated
        runs += other.runs
        passed += other.passed
        cost += other.cost
        milliseconds += other.milliseconds
        repairs = repairs + other.repairs
    }

    var entry: Baseline.Entry {
        Baseline.Entry(
            model: model, isSimulated: isSimulated, runs: runs, passed: passed, p50: percentile(50),
            p95: percentile(95), cost: cost)
    }

    /// By nearest rank: a value that was measured.
    private func percentile(_ percent: Int) -> Int {
        guard !milliseconds.isEmpty else { return 0 }
        let rank = max(1, (milliseconds.count * percent + 99) / 100)
        return milliseconds.sorted()[rank - 1]
    }
}
