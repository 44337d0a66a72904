internal import JSON

/// An event in the life of a job that its row does not tell, as a line of the column `history`.
///
/// A job that is ready at once and ends in its first attempt has none: its row tells all of it.
package struct JobEvent: Hashable, Sendable {
    package enum Name: String, Hashable, Sendable {
        /// It became ready, or entered another place of pending jobs.
        case ready, scheduled, waiting, blocked, shared
        /// A worker claimed it.
        case claimed
        /// A run ended, and the job goes on.
        case returned
        /// A person asked for it once more after it had ended.
        case restarted
    }

    package var at: Timestamp
    package var name: Name
    /// The end of the pause of a scheduled job.
    package var until: Timestamp?
    /// The reason of a pause, a `WhyCode`; the code of the error for an attempt that has ended.
    package var code: String?
    package var message: String?
    package var epoch: Int64?
    package var attempt: Int?
    package var worker: WorkerID?
    /// The begin of the job's first attempt.
    package var began: Timestamp?
    /// The end of a job that is restarted.
    package var ended: Timestamp?
    /// The way in which a run or a job has ended.
    package var outcome: JobAttempt.Outcome?
    /// The last sign of a worker that died.
    package var seen: Timestamp?
    /// The steps of earlier runs in the journal when it was claimed.
    package var steps: Int?

    /// The entry of a job into a place where it waits.
    package init(_ name: Name, at: Timestamp, until: Timestamp? = nil, code: WhyCode? = nil) {
        (self.at, self.name, self.until, self.code) = (at, name, until, code?.rawValue)
    }

    /// Reads a line; `nil` for one of another form.
    package init?(line: some StringProtocol) {
        guard let json = try? JSON(parsing: String(line)), let at = json["at"]?.integer,
            let name = json["event"]?.string.flatMap(Name.init(rawValue:))
        else { return nil }
        func time(_ name: String) -> Timestamp? { json[name]?.integer.map { Timestamp(milliseconds: $0) } }
        (self.at, self.name) = (Timestamp(milliseconds: at), name)
        (until, began, ended, seen) = (time("until"), time("began"), time("ended"), time("seen"))
        (code, message) = (json["code"]?.string, json["message"]?.string)
        epoch = json["epoch"]?.integer
        attempt = json["attempt"]?.integer.map { Int($0) }
        worker = json["worker"]?.string.map { WorkerID(rawValue: $0) }
        outcome = json["outcome"]?.string.flatMap(JobAttempt.Outcome.init(rawValue:))
        steps = json["steps"]?.integer.map { Int($0) }
    }

    /// The line of an entry into a place; stores write those of other events from their rows.
    package var line: String {
        var members: JSONObject = ["at": JSON(at.milliseconds), "event": JSON(name.rawValue)]
        if let until { members["until"] = JSON(until.milliseconds) }
        if let code { members["code"] = JSON(code) }
        return JSON.object(members).compact
    }
}

/// A run of a job by a worker. A run that goes on where an earlier one was interrupted or postponed has its number.
package struct JobAttempt: Hashable, Sendable {
    package enum Outcome: String, Hashable, Sendable, CaseIterable {
        case running, completed, failed
        /// A provider or a budget made it wait.
        case postponed
        /// Its worker died or stopped.
        case interrupted
        case cancelled
        /// The deadline passed.
        case expired
    }

    package var number: Int
    package var epoch: Int64
    /// `nil` when the worker is not known any more.
    package var worker: WorkerID?
    package var startedAt: Timestamp
    package var endedAt: Timestamp?
    package var outcome: Outcome
    /// The code and the message of its error.
    package var error: (code: String, message: String)? {
        get { errorCode.map { ($0, errorMessage ?? "") } }
        set { (errorCode, errorMessage) = (newValue?.code, newValue?.message) }
    }
    private var errorCode: String?
    private var errorMessage: String?
    /// The steps of earlier runs that it found in the journal.
    package var stepsReused: Int
    /// The last sign of its worker, for one that was interrupted.
    package var lastSeenAt: Timestamp?

    package init(
        number: Int, epoch: Int64, worker: WorkerID?, startedAt: Timestamp, stepsReused: Int
    ) {
        (self.number, self.epoch, self.worker, self.startedAt) = (number, epoch, worker, startedAt)
        (self.outcome, self.stepsReused) = (.running, stepsReused)
    }
}

/// A time in which a job did not move.
package struct JobWait: Hashable, Sendable {
    package enum Code: Hashable, Sendable {
        case why(WhyCode)
        /// From the last sign of a worker that died to the moment at which another process noticed.
        case death
    }

    package var code: Code
    package var from: Timestamp
    /// `nil` for the present one.
    package var until: Timestamp?
    /// The end of the pause, for a wait of a known length.
    package var planned: Timestamp?

    package init(_ code: Code, from: Timestamp, until: Timestamp? = nil, planned: Timestamp? = nil) {
        (self.code, self.from, self.until, self.planned) = (code, from, until, planned)
    }
}
