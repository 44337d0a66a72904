/// What can go wrong.
enum ChaosTrouble: String, Sendable, Hashable, CaseIterable {
    /// `kill -9`, and a new process some time later.
    case workerDies, brokerDies
    /// SIGSTOP and SIGCONT: long enough to be declared dead, or not.
    case workerStalls, brokerStalls
    /// The clock of a worker jumps by ten minutes and back.
    case clockJumps
    /// No byte can be written to the database's disk.
    case diskFills
}

/// One thing that a chaos run does. Processes are numbered from 0.
enum ChaosAction: Sendable, Hashable {
    case kill(ChaosProcess)
    case start(ChaosProcess)
    case stop(ChaosProcess)
    case proceed(ChaosProcess)
    /// The worker's clock is so many seconds off.
    case setClock(worker: Int, seconds: Int)
    case fillDisk
    case freeDisk
}

struct ChaosProcess: Sendable, Hashable, CustomStringConvertible {
    enum Role: String, Sendable { case worker, broker }

    var role: Role
    var number: Int

    var description: String { "\(role.rawValue) \(number)" }
}

extension ChaosAction: CustomStringConvertible, Comparable {
    var description: String {
        switch self {
        case .kill(let process): "SIGKILL to \(process)"
        case .start(let process): "a new \(process)"
        case .stop(let process): "SIGSTOP to \(process)"
        case .proceed(let process): "SIGCONT to \(process)"
        case .setClock(let worker, let seconds): "the clock of worker \(worker) is off by \(seconds) s"
        case .fillDisk: "the database's disk is full"
        case .freeDisk: "the database's disk has room again"
        }
    }

    static func < (left: ChaosAction, right: ChaosAction) -> Bool { left.description < right.description }
}
