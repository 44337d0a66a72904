/// A limit of the data that one job may store, beside the limits of requests and of users.
///
/// A step or a result beyond a limit is refused with `StoreError.overLimit`, which ends the job: another attempt would
/// meet the same limit. Nothing of the refused write is stored.
package enum JobLimit: String, Sendable, CaseIterable {
    /// Bytes of a step's output as compact JSON.
    case stepOutput = "step_output_bytes"
    /// Steps in a job's journal.
    case steps
    /// Bytes of a result as compact JSON.
    case result = "result_bytes"
    /// Effects of a step or a completion: records, and model calls.
    case effects
    /// Bytes of the texts in the records of a step or a completion.
    case effectTexts = "effect_bytes"

    package var maximum: Int {
        switch self {
        case .stepOutput, .result: 8 << 20
        case .steps: 1000
        case .effects: 10_000
        case .effectTexts: 16 << 20
        }
    }

    /// The limit in words, for errors.
    package var text: String {
        switch self {
        case .stepOutput: "a step's output may have at most \(maximum) bytes"
        case .steps: "a job may have at most \(maximum) steps"
        case .result: "a result may have at most \(maximum) bytes"
        case .effects: "a step or a result may come with at most \(maximum) records"
        case .effectTexts: "the records of a step or a result may have at most \(maximum) bytes of text"
        }
    }

    /// - Throws: `overLimit` when the amount is more than the limit.
    package func check(_ amount: Int) throws(StoreError) {
        if amount > maximum { throw .overLimit(self) }
    }
}
