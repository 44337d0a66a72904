/// The kinds of faults.
enum ChaosFault: String, Sendable, Hashable, CaseIterable {
    /// `kill -9`, and a new process some time later.
    case workerDies, brokerDies
    /// SIGSTOP and SIGCONT: long enough to be declared dead, or not.
    case workerStalls, brokerStalls
    /// The clock of a worker jumps by ten minutes and back.
    case clockJumps
    /// No byte can be written to the database's disk.
    case diskFills
    /// The database server crashes, or is shut down, and comes back some time later.
    case databaseDies, databaseStops
    /// The server ends connections.
    case connectionsEnd
    /// The network between a process and the database breaks connections, lets nothing through, or is slow.
    case networkBreaks, networkSwallows, networkLags
    /// The server's disk hangs when it commits, for longer than clients wait; or a synchronous standby is away.
    case diskHangs, standbyLeaves
    /// A table is locked against writes.
    case tableIsLocked
    /// The server's clock is set forward, and right again.
    case serverClockSteps

    /// The faults that are possible on a database.
    static func possible(on engine: DatabaseEngine) -> Set<ChaosFault> {
        let common: Set<ChaosFault> = [.workerDies, .brokerDies, .workerStalls, .brokerStalls, .clockJumps]
        return switch engine {
        case .sqlite: common.union([.diskFills])
        case .postgres:
            common.union([
                .databaseDies, .databaseStops, .connectionsEnd, .networkBreaks, .networkSwallows, .networkLags,
                .diskHangs,
                .standbyLeaves, .tableIsLocked, .serverClockSteps,
            ])
        }
    }
}

/// One thing that a chaos run does. Processes are numbered from 0.
enum ChaosAction: Sendable, Hashable {
    case kill(ChaosProcess)
    case start(ChaosProcess)
    case stop(ChaosProcess)
    case proceed(ChaosProcess)
    /// The error of the worker's clock in seconds.
    case setClock(worker: Int, seconds: Int)
    case fillDisk
    case freeDisk
    /// A crash or a shutdown.
    case stopDatabase(isCrash: Bool)
    case startDatabase
    /// The server ends this percentage of connections.
    case endConnections(percent: Int)
    /// Connections between a process and the database break, and no new ones come about.
    case cutNetwork(ChaosProcess)
    /// Nothing comes through between a process and the database.
    case holdNetwork(ChaosProcess)
    /// Data between a process and the database arrives late by this many milliseconds.
    case slowNetwork(ChaosProcess, by: Int)
    /// The fault ends; held data arrives late, or the connections break.
    case healNetwork(ChaosProcess, isReset: Bool)
    /// No commit ends: the disk hangs, or the server waits for a standby that is away.
    case hangDisk
    case freeHungDisk
    case loseStandby
    case forgetStandby
    /// A table can be read and not written.
    case lockTable(String)
    case unlockTable
    /// The error of the server's clock in seconds.
    case setServerClock(seconds: Int)
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
        case .cutNetwork(let process): "the network between \(process) and the database is cut"
        case .holdNetwork(let process): "the network between \(process) and the database swallows everything"
        case .slowNetwork(let process, let delay):
            "the network between \(process) and the database is late by \(delay) ms"
        case .healNetwork(let process, let isReset):
            "the network between \(process) and the database is well again" + (isReset ? ", after a reset" : "")
        case .hangDisk: "the database's disk hangs"
        case .freeHungDisk: "the database's disk writes again"
        case .loseStandby: "commits wait for a standby that is away"
        case .forgetStandby: "commits wait for no standby"
        case .lockTable(let table): "the table \(table) is locked against writes"
        case .unlockTable: "the table is free again"
        case .setServerClock(let seconds): "the database's clock is off by \(seconds) s"
        }
    }

    static func < (left: ChaosAction, right: ChaosAction) -> Bool { left.description < right.description }
}

/// The part of a fleet that has a fault.
struct ChaosFaultPlace: Sendable, Hashable {
    private let name: String

    /// The part in which an action begins or ends a fault; `nil` for an instantaneous fault.
    static func of(_ action: ChaosAction) -> (place: ChaosFaultPlace, begins: Bool)? {
        let (name, begins): (String, Bool) =
            switch action {
            case .kill(let process), .stop(let process): ("\(process)", true)
            case .start(let process), .proceed(let process): ("\(process)", false)
            case .setClock(let worker, let seconds): ("clock \(worker)", seconds != 0)
            case .fillDisk: ("disk", true)
            case .freeDisk: ("disk", false)
            case .stopDatabase, .hangDisk, .loseStandby, .lockTable: ("database", true)
            case .startDatabase, .freeHungDisk, .forgetStandby, .unlockTable: ("database", false)
            case .setServerClock(let seconds): ("database", seconds != 0)
            case .endConnections: ("", false)
            case .cutNetwork(let process), .holdNetwork(let process), .slowNetwork(let process, _):
                ("network of \(process)", true)
            case .healNetwork(let process, _): ("network of \(process)", false)
            }
        return name.isEmpty ? nil : (ChaosFaultPlace(name: name), begins)
    }
}
