import TestSupport

/// Draws the faults and their times. One component has at most one fault at a time.
struct ChaosSchedule {
    private enum Component: Hashable {
        case process(ChaosProcess)
        case clock(Int)
        case disk
        case database
        case network(ChaosProcess)
    }

    private let shape: ChaosPlan.Shape
    private var busyUntil: [Component: Int] = [:]
    private(set) var events: [ChaosPlan.Event] = []

    init(shape: ChaosPlan.Shape) { self.shape = shape }

    mutating func fill(using random: inout SeededRandom) {
        // A set's order cannot be repeated.
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
        case .networkBreaks, .networkSwallows, .networkLags:
            let isWorker = Int.random(in: 0..<3, using: &random) > 0
            addNetwork(fault, of: isWorker ? worker : broker, at: now, using: &random)
        case .diskHangs, .standbyLeaves, .tableIsLocked, .serverClockSteps: addServer(fault, at: now, using: &random)
        }
    }

    private mutating func addNetwork(
        _ fault: ChaosFault, of process: ChaosProcess, at now: Int, using random: inout SeededRandom
    ) {
        let isReset = Bool.random(using: &random)
        let (longest, begin): (Int, ChaosAction) =
            switch fault {
            case .networkBreaks: (8000, .cutNetwork(process))
            case .networkLags: (8000, .slowNetwork(process, by: Int.random(in: 20...800, using: &random)))
            default: (20_000, .holdNetwork(process))
            }
        // A broker that is cut off for long is the clients' trouble alone.
        let limit = process.role == .broker ? min(longest, 8000) : longest
        let pause = Int.random(in: 300...limit, using: &random)
        let end = ChaosAction.healNetwork(process, isReset: fault == .networkSwallows && isReset)
        book(.network(process), from: now, for: pause, begin, end)
    }

    private mutating func addServer(_ fault: ChaosFault, at now: Int, using random: inout SeededRandom) {
        // Both sides of the eight seconds for which a client waits.
        let pause = Int.random(in: 2000...12_000, using: &random)
        switch fault {
        case .diskHangs: book(.database, from: now, for: pause, .hangDisk, .freeHungDisk)
        case .standbyLeaves: book(.database, from: now, for: pause, .loseStandby, .forgetStandby)
        case .tableIsLocked:
            let table = Self.tables.randomElement(using: &random) ?? "job"
            book(.database, from: now, for: pause, .lockTable(table), .unlockTable)
        default:
            // More than an urgent job has, and little enough that a pause that began meanwhile ends within the run.
            // Decision 0048 says why the clock is not set back.
            book(.database, from: now, for: pause / 2, .setServerClock(seconds: 40), .setServerClock(seconds: 0))
        }
    }

    private static let tables = ["job", "lease", "step", "ready", "ledger", "balance", "worker"]

    /// Notes a fault and its end, unless the component is in fault already.
    private mutating func book(
        _ component: Component, from start: Int, for pause: Int, _ begin: ChaosAction, _ end: ChaosAction
    ) {
        guard busyUntil[component, default: -1] < start else { return }
        events += [.init(at: start, action: begin), .init(at: start + pause + 1, action: end)]
        busyUntil[component] = start + pause + 1
    }
}
