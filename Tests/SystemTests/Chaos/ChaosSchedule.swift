/// Draws what goes wrong when. A thing that is in trouble gets into no other before it is out again.
struct ChaosSchedule {
    private enum Thing: Hashable {
        case process(ChaosProcess)
        case clock(Int)
        case disk
        case database
        case network(Int)
    }

    private let shape: ChaosPlan.Shape
    private var busyUntil: [Thing: Int] = [:]
    private(set) var events: [ChaosPlan.Event] = []

    init(shape: ChaosPlan.Shape) { self.shape = shape }

    mutating func fill(using random: inout SeededRandom) {
        // Sets have no order that could be had again.
        let troubles = ChaosTrouble.allCases.filter(shape.troubles.contains)
        var now = Int.random(in: 500...2000, using: &random)
        while now < shape.window, let trouble = troubles.randomElement(using: &random) {
            add(trouble, at: now, using: &random)
            now += Int.random(in: 200...1500, using: &random)
        }
    }

    private mutating func add(_ trouble: ChaosTrouble, at now: Int, using random: inout SeededRandom) {
        let worker = ChaosProcess(role: .worker, number: Int.random(in: 0..<shape.workers, using: &random))
        let broker = ChaosProcess(role: .broker, number: Int.random(in: 0..<shape.brokers, using: &random))
        switch trouble {
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
            book(.database, from: now, for: pause, .stopDatabase(isCrash: trouble == .databaseDies), .startDatabase)
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

    /// Notes a trouble and its end, unless the thing is in trouble already.
    private mutating func book(
        _ thing: Thing, from start: Int, for pause: Int, _ begin: ChaosAction, _ end: ChaosAction
    ) {
        guard busyUntil[thing, default: -1] < start else { return }
        events += [.init(at: start, action: begin), .init(at: start + pause + 1, action: end)]
        busyUntil[thing] = start + pause + 1
    }
}
