import TestSupport
import JSON
import Simulator

/// The requests to a fleet and the faults meanwhile: a pure function of a seed, so that a run can be repeated.
struct ChaosPlan: Sendable {
    /// The shape of the fleet that a plan is drawn for.
    struct Shape: Sendable {
        var workers = 3
        var brokers = 2
        var requests = 24
        /// Milliseconds in which things go wrong. A death is noticed after 9 s at the earliest, so
        /// within 17 s no job loses three workers, which could make it count as poison.
        var window = 16_000
        var faults: Set<ChaosFault>
    }

    struct Event: Sendable, Hashable {
        /// Milliseconds from the start.
        var at: Int
        var action: ChaosAction
    }

    let seed: UInt64
    let shape: Shape
    /// In the request of their times. Every fault is undone again.
    let events: [Event]
    /// The requests of clients; each comes from a user of its own, numbered from 1.
    let requests: [ChaosRequest]

    init(seed: UInt64, shape: Shape) {
        var random = SeededRandom(seed: seed)
        self.seed = seed
        self.shape = shape
        requests = (1...shape.requests).map { ChaosRequest(user: $0, window: shape.window, using: &random) }
        var schedule = ChaosSchedule(shape: shape)
        schedule.fill(using: &random)
        events = schedule.events.sorted { ($0.at, $0.action) < ($1.at, $1.action) }
    }
}

extension ChaosPlan: CustomStringConvertible {
    var description: String {
        func line(_ at: Int, _ text: String) -> String {
            let seconds = "\(at / 1000).\(String(at % 1000 + 1000).dropFirst())"
            return String(repeating: " ", count: max(0, 8 - seconds.count)) + seconds + " s  " + text
        }
        let asked = requests.map { (at: $0.at, text: "\($0)") }
        let wrong = events.map { (at: $0.at, text: "\($0.action)") }
        return (asked + wrong).sorted { ($0.at, $0.text) < ($1.at, $1.text) }.map { line($0.at, $0.text) }
            .joined(separator: "\n")
    }
}

/// A request of a user in a chaos run.
struct ChaosRequest: Sendable, Hashable {
    enum Work: Sendable, Hashable {
        /// A report; the model may fail once.
        case research(flaw: FaultAction?)
        /// Steps with a pause in milliseconds; they call no model.
        case drill(steps: Int, pause: Int)
    }

    let user: Int
    /// Milliseconds from the start.
    let at: Int
    let work: Work
    /// The time at which the user cancels, in milliseconds after the answer.
    let cancelledAfter: Int?

    init(user: Int, window: Int, using random: inout SeededRandom) {
        self.user = user
        at = Int.random(in: 0..<window * 3 / 4, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: work = .research(flaw: .inventedFigure)
        case 1: work = .research(flaw: .status(529))
        case 2, 3: work = .research(flaw: nil)
        default:
            let steps = Int.random(in: 1...8, using: &random)
            work = .drill(steps: steps, pause: Int.random(in: 0...6000, using: &random))
        }
        let changesMind = Int.random(in: 0..<8, using: &random) == 0
        cancelledAfter = changesMind ? Int.random(in: 0...4000, using: &random) : nil
    }

    var kind: String {
        switch work {
        case .research: "research"
        case .drill: "drill"
        }
    }

    var input: [String: String] {
        switch work {
        case .research: ["ticker": "AAPL", "persona": "buffett"]
        case .drill(let steps, let pause): ["steps": "\(steps)", "pause": "\(pause)"]
        }
    }

    /// The same in every try of the same submit.
    var key: String { "request-\(user)" }

    /// The number of times that an equal model call may be repeated without a death.
    var repeats: Int { if case .research(.status) = work { 1 } else { 0 } }
}

extension ChaosRequest: CustomStringConvertible {
    var description: String {
        let wish =
            switch work {
            case .research(let flaw): "research" + (flaw.map { ", whose model does \($0.name) once" } ?? "")
            case .drill(let steps, let pause): "a drill of \(steps) steps in \(pause) ms"
            }
        return "user \(user) wants \(wish)" + (cancelledAfter.map { ", and cancels after \($0) ms" } ?? "")
    }
}

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
    /// The network between a worker and the database breaks connections, or lets nothing through.
    case networkBreaks, networkSwallows

    /// The faults that are possible on a database.
    static func possible(on engine: DatabaseEngine) -> Set<ChaosFault> {
        let common: Set<ChaosFault> = [.workerDies, .brokerDies, .workerStalls, .brokerStalls, .clockJumps]
        return switch engine {
        case .sqlite: common.union([.diskFills])
        case .postgres:
            common.union([.databaseDies, .databaseStops, .connectionsEnd, .networkBreaks, .networkSwallows])
        }
    }
}

/// One component that a chaos run does. Processes are numbered from 0.
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
    /// Connections between a worker and the database break, and no new ones come about.
    case cutNetwork(worker: Int)
    /// Nothing comes through between a worker and the database.
    case holdNetwork(worker: Int)
    /// The fault ends; held data arrives late, or the connections break.
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

/// Draws the faults and their times. One component has at most one fault at a time.
struct ChaosSchedule {
    private enum Component: Hashable {
        case process(ChaosProcess)
        case clock(Int)
        case disk
        case database
        case network(Int)
    }

    private let shape: ChaosPlan.Shape
    private var busyUntil: [Component: Int] = [:]
    private(set) var events: [ChaosPlan.Event] = []

    init(shape: ChaosPlan.Shape) { self.shape = shape }

    mutating func fill(using random: inout SeededRandom) {
        // A set's request cannot be repeated.
        let faults = ChaosFault.allCases.filter(shape.faults.contains)
        var now = Int.random(in: 500...2000, using: &random)
        while now < shape.window, let fault = faults.randomElement(using: &random) {
            add(fault, at: now, using: &random)
            now += Int.random(in: 200...1500, using: &random)
        }
    }

    private mutating func add(_ fault: ChaosFault, at now: Int, using random: inout SeededRandom) {
        let worker = ChaosProcess(role: .worker, number: Int.random(in: 0..<shape.workers, using: &random))
        let broker = ChaosProcess(role: .broker, number: Int.random(in: 0..<shape.brokers, using: &random))
        switch fault {
        case .workerDies:
            let pause = Int.random(in: 0...4000, using: &random)
            book(.process(worker), from: now, for: pause, .kill(worker), .start(worker))
        case .brokerDies:
            let pause = Int.random(in: 0...2000, using: &random)
            book(.process(broker), from: now, for: pause, .kill(broker), .start(broker))
        case .workerStalls:
            let pause = Int.random(in: 300...20_000, using: &random)
            book(.process(worker), from: now, for: pause, .stop(worker), .proceed(worker))
        case .brokerStalls:
            let pause = Int.random(in: 300...4000, using: &random)
            book(.process(broker), from: now, for: pause, .stop(broker), .proceed(broker))
        case .clockJumps:
            let seconds = Bool.random(using: &random) ? 600 : -600
            let pause = Int.random(in: 1000...6000, using: &random)
            book(
                .clock(worker.number), from: now, for: pause, .setClock(worker: worker.number, seconds: seconds),
                .setClock(worker: worker.number, seconds: 0))
        case .diskFills:
            let pause = Int.random(in: 500...5000, using: &random)
            book(.disk, from: now, for: pause, .fillDisk, .freeDisk)
        case .databaseDies, .databaseStops:
            let pause = Int.random(in: 0...4000, using: &random)
            book(.database, from: now, for: pause, .stopDatabase(isCrash: fault == .databaseDies), .startDatabase)
        case .connectionsEnd:
            events.append(.init(at: now, action: .endConnections(percent: Int.random(in: 20...100, using: &random))))
        case .networkBreaks:
            let pause = Int.random(in: 0...8000, using: &random)
            book(
                .network(worker.number), from: now, for: pause, .cutNetwork(worker: worker.number),
                .healNetwork(worker: worker.number, isReset: false))
        case .networkSwallows:
            let pause = Int.random(in: 300...20_000, using: &random)
            let isReset = Bool.random(using: &random)
            book(
                .network(worker.number), from: now, for: pause, .holdNetwork(worker: worker.number),
                .healNetwork(worker: worker.number, isReset: isReset))
        }
    }

    /// Notes a fault and its end, unless the component is in fault already.
    private mutating func book(
        _ component: Component, from start: Int, for pause: Int, _ begin: ChaosAction, _ end: ChaosAction
    ) {
        guard busyUntil[component, default: -1] < start else { return }
        events += [.init(at: start, action: begin), .init(at: start + pause + 1, action: end)]
        busyUntil[component] = start + pause + 1
    }
}
