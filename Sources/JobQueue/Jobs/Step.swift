package import JSON

/// A journalled part of an attempt: a model call, a fetch, a reading of the clock.
///
/// The journal is keyed by (job, name, occurrence, input hash). A run that finds its step there uses the output and
/// does not repeat the work; a run with another input drops this step and every later one.
package struct Step: Sendable {
    package var name: String
    /// Counts the steps of one name within a run, from 0.
    package var occurrence: Int
    package var inputHash: String
    /// Setting it forgets the shared form.
    package var output: JSON {
        get { shared?.json ?? value }
        set { (value, shared) = (newValue, nil) }
    }

    private var value: JSON
    /// The output of a step whose first members other steps have, too; `nil` for others.
    package private(set) var shared: SharedOutput?
    /// The position in the journal, growing within a job; assigned by the store.
    package var sequence: Int64
    /// The time that its work took.
    package var took: Duration = .zero
    /// The run that made it and the time of its end, as the store knows them; `nil` for a step that is to be stored, or
    /// is from before these were kept.
    package var made: Made?

    package struct Made: Hashable, Sendable {
        package var epoch: Int64
        package var startedAt: Timestamp
        package var endedAt: Timestamp

        package init(epoch: Int64, startedAt: Timestamp, endedAt: Timestamp) {
            (self.epoch, self.startedAt, self.endedAt) = (epoch, startedAt, endedAt)
        }
    }

    package init(name: String, occurrence: Int, inputHash: String, output: JSON, sequence: Int64 = 0) {
        self.name = name
        self.occurrence = occurrence
        self.inputHash = inputHash
        value = output
        self.sequence = sequence
    }

    package init(name: String, occurrence: Int, inputHash: String, shared: SharedOutput) {
        self.init(name: name, occurrence: occurrence, inputHash: inputHash, output: .null)
        self.shared = shared
    }
}

/// A domain write that the store applies in the transaction of a step or a completion.
///
/// Each is an upsert by natural key, so that a repetition changes nothing.
package enum Effect: Sendable, Hashable {
    case recordModelCall(ModelCall)
    case record(RecordChange)
    /// The answer to the line of a batch is the output of the step.
    case journalBatchLine(id: String)
}
