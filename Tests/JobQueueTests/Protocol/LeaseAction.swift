/// A step of `LeaseProtocol`, in words. Workers are places of processes, jobs are bits or numbers.
enum LeaseAction: Sendable, CustomStringConvertible {
    case claim(worker: Int, jobs: Int, repeated: Int)
    case claimComesLate(worker: Int)
    case lateStart(jobs: Int)
    case commit(Transaction.Verb, jobs: Int, isAwaited: Bool)
    case giveUp(Transaction.Verb)
    case abort(Transaction.Verb)
    case complete(worker: Int, job: Int)
    case repeatCompletion(worker: Int, job: Int)
    case stop(worker: Int, job: Int)
    case refuse(worker: Int, job: Int)
    case handBack(worker: Int, job: Int)
    case crash(worker: Int)
    case start(worker: Int)
    case startOver(worker: Int)
    case suspect(worker: Int, jobs: Int)
    case rescue(jobs: Int)
    case replicaFallsBehind
    case failover

    var description: String {
        switch self {
        case .claim(let worker, 0, 0):
            "\(name(worker)) claims again, is answered with nothing, and forgets its lost claims."
        case .claim(let worker, let jobs, 0): "\(name(worker)) claims \(names(jobs)); the transaction is in flight."
        case .claim(let worker, 0, let repeated):
            "\(name(worker)) claims again, is answered with \(names(repeated)), and forgets its lost claims."
        case .claim(let worker, let jobs, let repeated):
            "\(name(worker)) claims \(names(jobs)), and \(names(repeated)) again; the transaction is in flight."
        case .claimComesLate(let worker):
            "\(name(worker)) sends a claim and gives it up before the database begins with it."
        case .lateStart(0): "The claim that came late finds nothing."
        case .lateStart(let jobs): "The claim that came late takes \(names(jobs)); its transaction is in flight."
        case .commit(let verb, let jobs, let isAwaited):
            "The \(verb.name) of \(names(jobs)) commits"
                + (isAwaited ? ", and its answer arrives." : "; nobody waits for the answer.")
        case .giveUp(let verb): "The worker gives up waiting for the \(verb.name), whose transaction stays in flight."
        case .abort(let verb): "The connection breaks, and the \(verb.name) is rolled back."
        case .complete(let worker, let job): "\(name(worker)) writes the result of \(names(1 << job)); in flight."
        case .repeatCompletion(let worker, let job):
            "\(name(worker)) writes the result of \(names(1 << job)) again and hears that it is stored."
        case .stop(let worker, let job): "\(name(worker)) hears that \(names(1 << job)) is not its own, and stops it."
        case .refuse(let worker, let job):
            "The database refuses the result of \(names(1 << job)) from \(name(worker)), for a reason that passes."
        case .handBack(let worker, let job):
            "\(name(worker)) finds that it holds \(names(1 << job)) without running it."
        case .crash(let worker): "\(name(worker)) dies."
        case .start(let worker): "\(name(worker)) is started again, under a new id."
        case .startOver(let worker): "\(name(worker)) hears that it is not registered, and stops all its jobs."
        case .suspect(let worker, let jobs):
            "\(name(worker)) is silent and declared dead; the rescue reads that it holds \(names(jobs))."
        case .rescue(let jobs): "A dead worker's rescue reads that it holds \(names(jobs))."
        case .replicaFallsBehind: "The replica falls behind."
        case .failover: "The replica takes over; everything since it fell behind is lost, and all connections break."
        }
    }

    private func name(_ worker: Int) -> String { "Worker \(worker + 1)" }

    private func names(_ jobs: Int) -> String {
        let names = ["A", "B", "C"].enumerated().filter { jobs.flag($0.offset) }.map { "job \($0.element)" }
        return names.isEmpty ? "nothing" : names.joined(separator: " and ")
    }
}

extension Transaction.Verb {
    var name: String {
        switch self {
        case .none: "nothing"
        case .claim: "claim"
        case .complete: "completion"
        case .handBack: "return"
        case .fail: "failure"
        case .rescue: "rescue"
        }
    }
}
