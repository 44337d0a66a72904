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
    /// The database server crashes, or is stopped in order, and comes back some time later.
    case databaseDies, databaseStops
    /// The server ends connections.
    case connectionsEnd
    /// The network between a worker and the database breaks connections, or lets nothing through.
    case networkBreaks, networkSwallows

    /// What can happen to a fleet on a database.
    static func possible(on engine: DatabaseEngine) -> Set<ChaosTrouble> {
        let common: Set<ChaosTrouble> = [.workerDies, .brokerDies, .workerStalls, .brokerStalls, .clockJumps]
        return switch engine {
        case .sqlite: common.union([.diskFills])
        case .postgres:
            common.union([.databaseDies, .databaseStops, .connectionsEnd, .networkBreaks, .networkSwallows])
        }
    }
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
    /// Like a crash, or in order.
    case stopDatabase(isCrash: Bool)
    case startDatabase
    /// The server ends so many of a hundred connections.
    case endConnections(percent: Int)
    /// Connections between a worker and the database break, and no new ones come about.
    case cutNetwork(worker: Int)
    /// Nothing comes through between a worker and the database.
    case holdNetwork(worker: Int)
    /// All is well again; what was held comes through late, or the connections break.
    case healNetwork(worker: Int, isReset: Bool)
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
        case .stopDatabase(let isCrash): isCrash ? "the database crashes" : "the database is stopped"
        case .startDatabase: "the database is started"
        case .endConnections(let percent): "the database ends \(percent) % of its connections"
        case .cutNetwork(let worker): "the network between worker \(worker) and the database is cut"
        case .holdNetwork(let worker): "the network between worker \(worker) and the database swallows everything"
        case .healNetwork(let worker, let isReset):
            "the network between worker \(worker) and the database is well again" + (isReset ? ", after a reset" : "")
        }
    }

    static func < (left: ChaosAction, right: ChaosAction) -> Bool { left.description < right.description }
}
