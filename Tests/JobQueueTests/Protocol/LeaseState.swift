/// A state of `LeaseProtocol`, packed into integers: a search keeps hundreds of thousands of them.
struct LeaseState: Hashable, Sendable {
    /// The committed rows of jobs, and those of the replica that a failover promotes.
    var jobs = PackedValues()
    var replica = PackedValues()
    /// The processes; a place for a worker keeps its number when the process is replaced.
    var workers = PackedValues()
    /// The transactions in flight: executed with their locks held, but not committed; and statements that come late.
    var transactions = PackedValues()
    private var rest = 0

    /// The ids of workers that have a row, as bits.
    var registered: Int {
        get { rest.bits(0, 8) }
        set { rest.setBits(0, 8, newValue) }
    }
    var replicaRegistered: Int {
        get { rest.bits(8, 8) }
        set { rest.setBits(8, 8, newValue) }
    }
    /// The number of faults that may still happen.
    var faultsLeft: Int {
        get { rest.bits(16, 4) }
        set { rest.setBits(16, 4, newValue) }
    }
    /// Whether the replica has stopped to follow, so that a failover would lose what is committed from now on.
    var isReplicaBehind: Bool {
        get { rest.flag(20) }
        set { rest.setFlag(20, newValue) }
    }
    /// Whether a worker has written to a job that it did not hold.
    var hasForeignWrite: Bool {
        get { rest.flag(21) }
        set { rest.setFlag(21, newValue) }
    }

    func job(_ number: Int) -> JobRow { JobRow(bits: jobs[number]) }
    func worker(_ number: Int) -> WorkerProcess { WorkerProcess(bits: workers[number]) }
    func transaction(_ number: Int) -> Transaction { Transaction(bits: transactions[number]) }

    /// Any total order will do.
    func precedes(_ other: LeaseState) -> Bool {
        if jobs != other.jobs { return jobs.precedes(other.jobs) }
        if workers != other.workers { return workers.precedes(other.workers) }
        if transactions != other.transactions { return transactions.precedes(other.transactions) }
        if replica != other.replica { return replica.precedes(other.replica) }
        return rest < other.rest
    }
}

/// A job's row with its lease, its result and the entries of the ledger about it.
struct JobRow: Sendable {
    enum Status: Int { case ready, held, completed, failed }

    var bits = 0

    var status: Status {
        get { Status(rawValue: bits.bits(0, 3)) ?? .ready }
        set { bits.setBits(0, 3, newValue.rawValue) }
    }
    /// Grows with each claim.
    var epoch: Int {
        get { bits.bits(3, 3) }
        set { bits.setBits(3, 3, newValue) }
    }
    /// The id of the last worker that claimed the job, and the number of that claim.
    var worker: Int {
        get { bits.bits(6, 3) }
        set { bits.setBits(6, 3, newValue) }
    }
    var claim: Int {
        get { bits.bits(9, 3) }
        set { bits.setBits(9, 3, newValue) }
    }
    var results: Int {
        get { bits.bits(12, 2) }
        set { bits.setBits(12, 2, min(newValue, 3)) }
    }
    var settlements: Int {
        get { bits.bits(14, 2) }
        set { bits.setBits(14, 2, min(newValue, 3)) }
    }
}

/// A worker's process and its memory.
struct WorkerProcess: Sendable {
    var bits = 0

    var isUp: Bool {
        get { bits.flag(0) }
        set { bits.setFlag(0, newValue) }
    }
    var id: Int {
        get { bits.bits(1, 3) }
        set { bits.setBits(1, 3, newValue) }
    }
    /// The claims whose answers it gave up for lost, as bits.
    var lost: Int {
        get { bits.bits(4, 8) }
        set { bits.setBits(4, 8, newValue) }
    }

    /// The epoch and the claim under which it runs a job; the claim is 0 when it does not.
    func run(of job: Int) -> (epoch: Int, claim: Int) { (bits.bits(12 + 6 * job, 3), bits.bits(15 + 6 * job, 3)) }

    mutating func setRun(of job: Int, epoch: Int, claim: Int) {
        bits.setBits(12 + 6 * job, 3, epoch)
        bits.setBits(15 + 6 * job, 3, claim)
    }

    mutating func stop(_ job: Int) { setRun(of: job, epoch: 0, claim: 0) }

    func isRunning(_ job: Int) -> Bool { run(of: job).claim != 0 }

    /// Drops everything that it knows, as a new process does.
    mutating func forgetEverything() { bits = bits.bits(0, 4) }
}

struct Transaction: Sendable {
    enum Verb: Int { case none, claim, complete, handBack, fail, rescue }

    var bits = 0

    var verb: Verb {
        get { Verb(rawValue: bits.bits(0, 3)) ?? .none }
        set { bits.setBits(0, 3, newValue.rawValue) }
    }
    /// The id of the worker that sent it, or of the worker that a rescue declares dead.
    var worker: Int {
        get { bits.bits(3, 3) }
        set { bits.setBits(3, 3, newValue) }
    }
    var claim: Int {
        get { bits.bits(6, 3) }
        set { bits.setBits(6, 3, newValue) }
    }
    var epoch: Int {
        get { bits.bits(9, 3) }
        set { bits.setBits(9, 3, newValue) }
    }
    /// The jobs that it changes, as bits, and those of lost claims that it only returns.
    var jobs: Int {
        get { bits.bits(12, 3) }
        set { bits.setBits(12, 3, newValue) }
    }
    var repeated: Int {
        get { bits.bits(15, 3) }
        set { bits.setBits(15, 3, newValue) }
    }
    /// Whether the worker still waits for the answer.
    var isAwaited: Bool {
        get { bits.flag(18) }
        set { bits.setFlag(18, newValue) }
    }
    /// Whether the statement has not reached the database yet, although the worker has given it up.
    var isLate: Bool {
        get { bits.flag(19) }
        set { bits.setFlag(19, newValue) }
    }

    /// Whether it keeps others from changing a job. A rescue takes its locks in the moment in which it commits.
    func locks(_ job: Int) -> Bool { !isLate && verb != .rescue && jobs.flag(job) }
}

/// Up to four small values in two words.
struct PackedValues: Hashable, Sendable {
    private(set) var low = 0
    private(set) var high = 0

    func precedes(_ other: PackedValues) -> Bool { low == other.low ? high < other.high : low < other.low }

    subscript(index: Int) -> Int {
        get { (index < 2 ? low : high) >> (index & 1 * 31) & 0x7FFF_FFFF }
        set {
            let shift = index & 1 * 31
            if index < 2 {
                low = low & ~(0x7FFF_FFFF << shift) | newValue << shift
            } else {
                high = high & ~(0x7FFF_FFFF << shift) | newValue << shift
            }
        }
    }
}

/// Not generic, since the search runs in debug builds.
extension Int {
    func bits(_ at: Int, _ count: Int) -> Int { self >> at & (1 << count - 1) }
    mutating func setBits(_ at: Int, _ count: Int, _ value: Int) {
        self = self & ~((1 << count - 1) << at) | value << at
    }

    func flag(_ at: Int) -> Bool { self >> at & 1 == 1 }
    mutating func setFlag(_ at: Int, _ value: Bool) { setBits(at, 1, value ? 1 : 0) }
}
