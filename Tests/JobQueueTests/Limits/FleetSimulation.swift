import Foundation
import JobQueue
import TestSupport

/// A fleet of processes that use one budget against a simulated provider, event by event on a clock of its own.
struct FleetSimulation {
    struct Load {
        var processes = 4
        /// The most by which the clocks of two processes differ, in milliseconds.
        var skew = 250.0
        var input = 2000.0...14_000.0
        /// Tokens before it that the provider is expected to read from its cache.
        var prefix = 0.0
        /// The part of the calls for which the provider reads nothing.
        var misses = 0.0
        /// The time from which on it reads for no call, in milliseconds.
        var forgetsAt = Double.infinity
        var output = 400.0...2500.0
        /// From the request to the provider, in milliseconds.
        var transit = 2.0...120.0
        /// The part of the calls that are late within their process, and by how much, in milliseconds.
        var lateCalls = 0.0
        var lateness = 20.0...80.0
        var firstByte = 200.0...1500.0
        /// The part of the time to the first byte after which the provider reads its buckets for the head: 0 when the
        /// call is counted, 1 when the head is sent.
        var headIsMadeAt = 0.0
        var wholeCall = 4000.0...14_000.0
        /// The tokens that an answer gets in a second, instead of `wholeCall`.
        var speed: ClosedRange<Double>?
        /// By how much that and the time to the first byte differ between calls: the deviation of their logarithms.
        var spread = 0.0
        /// The parts in which an answer is written, at equal times from its first byte to its end.
        var parts = 1
        /// The estimate of a prompt, as a multiple of what the provider counts.
        var estimate = 0.98...1.25
        /// Background calls that wait in each process at any time.
        var waiting = 12
        /// The time from a claim to the job's first call, where calls come of jobs that a process claims as the replies let
        /// it; `nil` where calls wait at any time.
        var claim: ClosedRange<Double>?
        /// The output of interactive calls, instead of `output`.
        var interactiveOutput: ClosedRange<Double>?
        /// The pause between interactive calls; 0 for none.
        var interactivePause = 0.0
        /// The pause between deaths of processes; 0 for none.
        var deathPause = 0.0
    }

    private struct Call {
        var process: Int
        var need: CallNeed
        var expectedRead: Int64
        var mark: BudgetMark
        var input: Double
        var output: Double
        var isMiss: Bool
        var life: Int
        var beganAt: Double
        /// Output that has been written, and what of it was reported.
        var written = 0.0
        var reported: Int64 = 0
    }

    private struct Waiter {
        var whole: CallNeed
        var expectedRead: Int64 = 0
        /// What the provider will count.
        var input: Double
        var since: Double
    }

    private struct Process {
        var id: String
        var life = 0
        var skew: Double
        var waiting: [Waiter] = []
        var reads = ReadShare()
        var underWay: [Int: CallNeed] = [:]
        var reports: [BudgetReport] = []
        var pollAt = 0.0
        var usualTime = UsualTime()
        /// Jobs that were claimed and have made no call.
        var claimed = 0
        var usualOutput = 1200.0
        var ended = 0.0
        var writtenAt = 0.0
    }

    private enum Event {
        case poll(Int)
        case sent(Int, late: Double)
        case arrive(Int)
        case makeHead(Int, rest: Double)
        case head(Int, refusal: Double?, LimitReading)
        case counted(Int)
        case write(Int)
        case end(Int)
        case claim(Int)
        case interactive
        case death
    }

    private let load: Load
    private(set) var provider: SimulatedProvider
    private(set) var budget = SharedBudget()
    let limits: BudgetLimits
    private var random: SeededRandom
    private var processes: [Process]
    private var calls: [Int: Call] = [:]
    private var nextCall = 0
    private var events: [(at: Double, order: Int, event: Event)] = []
    private var order = 0
    private(set) var now = 0.0
    /// The longest time that an interactive call waited, in milliseconds.
    private(set) var longestInteractiveWait = 0.0
    private(set) var letIn: [Int]
    /// Problems found while it ran.
    private(set) var problems: [String] = []

    init(
        _ provider: SimulatedProvider, limits: BudgetLimits = BudgetLimits(), load: Load = Load(), seed: UInt64
    ) {
        self.provider = provider
        self.limits = limits
        self.load = load
        random = SeededRandom(seed: seed)
        letIn = Array(repeating: 0, count: load.processes)
        processes = []
        for place in 0..<load.processes {
            processes.append(
                Process(id: "p\(place)", skew: Double.random(in: -load.skew / 2...load.skew / 2, using: &random)))
        }
        for place in processes.indices { schedule(.poll(place), at: Double(place)) }
        if load.interactivePause > 0 { schedule(.interactive, at: 10_000) }
        if load.deathPause > 0 { schedule(.death, at: load.deathPause) }
    }

    mutating func run(until end: Double) {
        while let first = events.first, first.at <= end {
            pop()
            now = first.at
            handle(first.event)
        }
        now = end
    }

    mutating func beginMeasure() {
        provider.beginMeasure()
        letIn = Array(repeating: 0, count: letIn.count)
        longestInteractiveWait = 0
    }

    // MARK: Events

    private mutating func schedule(_ event: Event, at time: Double) {
        order += 1
        events.append((time, order, event))
        var child = events.count - 1
        while child > 0, isBefore(child, (child - 1) / 2) {
            events.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    private mutating func pop() {
        events.swapAt(0, events.count - 1)
        events.removeLast()
        var parent = 0
        while true {
            var first = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < events.count && isBefore(child, first) {
                first = child
            }
            guard first != parent else { return }
            events.swapAt(parent, first)
            parent = first
        }
    }

    private func isBefore(_ left: Int, _ right: Int) -> Bool {
        (events[left].at, events[left].order) < (events[right].at, events[right].order)
    }

    private mutating func handle(_ event: Event) {
        switch event {
        case .poll(let place):
            // A later poll has replaced this one.
            if processes[place].pollAt <= now { poll(place) }
        case .sent(let id, let late):
            if let call = calls[id] { report(.late(.milliseconds(Int64(late))), of: call) }
        case .arrive(let id):
            guard let call = calls[id] else { return }
            let answer = provider.receive(input: call.input, at: now)
            guard answer.refusal == nil else {
                return schedule(.head(id, refusal: answer.refusal, answer.reading), at: now + 5)
            }
            let time = draw(load.firstByte) * drawFactor()
            schedule(
                .makeHead(id, rest: time * (1 - load.headIsMadeAt)), at: now + time * load.headIsMadeAt)
        case .makeHead(let id, let rest):
            schedule(.head(id, refusal: nil, provider.head(at: now)), at: now + rest)
        case .head(let id, let refusal, let reading):
            guard let call = calls[id] else { return }
            report(.head(reading, call.mark), of: call)
            if let refusal {
                report(.refused(after: .milliseconds(Int64(refusal)), reading), of: call)
                report(.returned(call.need.amount, call.mark), of: call)
                if call.expectedRead > 0 { learn(of: call) { $0.wasRefused() } }
                finish(id)
            } else {
                schedule(.counted(id), at: now + 2)
                let time =
                    load.speed.map { call.output / (draw($0) * drawFactor()) * 1000 } ?? draw(load.wholeCall)
                for part in 1..<max(1, load.parts) {
                    schedule(.write(id), at: now + time * Double(part) / Double(load.parts))
                }
                schedule(.end(id), at: now + time)
            }
        case .counted(let id):
            guard let call = calls[id] else { return }
            let difference = Int64(call.input) - call.need.input
            report(.corrected(BudgetAmount(input: difference), call.mark), of: call)
            learn(of: call) { $0.learn(read: call.isMiss ? 0 : call.expectedRead, of: call.expectedRead) }
        case .write(let id):
            if calls[id] != nil { write(id) }
        case .end(let id):
            guard let call = calls[id] else { return }
            write(id)
            report(.written(unreported(of: id)), of: call)
            noteEnd(of: call)
            finish(id)
        case .claim(let place):
            processes[place].claimed -= 1
            addWaiter(place)
            nudge(place, at: now)
        case .interactive:
            let place = Int.random(in: processes.indices, using: &random)
            let input = draw(1000...4000)
            let output = load.interactiveOutput.map { Int64($0.upperBound) } ?? 500
            let need = CallNeed(input: Int64(input * 1.1), output: output, isInteractive: true)
            processes[place].waiting.insert(Waiter(whole: need, input: input, since: now), at: 0)
            nudge(place, at: now)
            schedule(.interactive, at: now + load.interactivePause)
        case .death:
            let place = Int.random(in: processes.indices, using: &random)
            processes[place].life += 1
            processes[place].id = "p\(place).\(processes[place].life)"
            (processes[place].waiting, processes[place].underWay) = ([], [:])
            (processes[place].reports, processes[place].reads) = ([], ReadShare())
            processes[place].claimed = 0
            nudge(place, at: now + 500)
            schedule(.death, at: now + load.deathPause)
        }
    }

    private mutating func write(_ id: Int) {
        guard let call = calls[id] else { return }
        provider.write(call.output / Double(load.parts), at: now)
        calls[id]?.written += call.output / Double(load.parts)
    }

    /// The output of a call that its process has seen and not reported.
    private mutating func unreported(of id: Int) -> Int64 {
        guard let call = calls[id] else { return 0 }
        let written = Int64(call.written.rounded())
        calls[id]?.reported = written
        note(written - call.reported, of: call.process)
        return written - call.reported
    }

    /// Notes output of the calls of a process, for the usual time of a call.
    private mutating func note(_ output: Int64, of process: Int) {
        processes[process].usualTime.note(
            output, of: processes[process].underWay.count, at: .milliseconds(Int64(now)))
    }

    private mutating func report(_ report: BudgetReport, of call: Call) {
        guard processes[call.process].life == call.life else { return }
        processes[call.process].reports.append(report)
        nudge(call.process, at: now + 100)
    }

    private mutating func learn(of call: Call, _ change: (inout ReadShare) -> Void) {
        if processes[call.process].life == call.life { change(&processes[call.process].reads) }
    }

    /// Each process learns the usual output and time of a call.
    private mutating func noteEnd(of call: Call) {
        guard processes[call.process].life == call.life else { return }
        processes[call.process].ended += 1
        let weight = 1 / min(processes[call.process].ended, 20)
        processes[call.process].usualTime.end(
            after: .milliseconds(Int64(now - call.beganAt)), output: Int64(call.output))
        if call.need.isInteractive, load.interactiveOutput != nil { return }
        processes[call.process].usualOutput += (call.output - processes[call.process].usualOutput) * weight
    }

    private mutating func finish(_ id: Int) {
        guard let call = calls.removeValue(forKey: id), processes[call.process].life == call.life else { return }
        processes[call.process].underWay[id] = nil
        nudge(call.process, at: now + 100)
    }

    private mutating func nudge(_ place: Int, at time: Double) {
        guard processes[place].pollAt > time || processes[place].pollAt <= now else { return }
        processes[place].pollAt = time
        schedule(.poll(place), at: time)
    }

    private mutating func addWaiter(_ place: Int) {
        let input = draw(load.input)
        let whole = CallNeed(
            input: Int64((load.prefix + input) * draw(load.estimate)), output: Int64(processes[place].usualOutput))
        processes[place].waiting.append(
            Waiter(whole: whole, expectedRead: Int64(load.prefix), input: input, since: now))
    }

    /// Claims as many jobs as may begin soon, beside those that wait.
    private mutating func claim(_ place: Int, _ startable: Int?, in time: ClosedRange<Double>) {
        let background = processes[place].waiting.count { !$0.whole.isInteractive }
        let count = min(startable ?? 16, 16) - background - processes[place].claimed
        for _ in 0..<max(0, count) {
            processes[place].claimed += 1
            schedule(.claim(place), at: now + draw(time))
        }
    }

    private mutating func poll(_ place: Int) {
        while load.claim == nil, processes[place].waiting.count(where: { !$0.whole.isInteractive }) < load.waiting {
            addWaiter(place)
        }
        let isDue = now - processes[place].writtenAt >= 100 || processes[place].reports.contains(where: \.tellsOutput)
        if isDue, !processes[place].underWay.isEmpty {
            processes[place].writtenAt = now
            let written = processes[place].underWay.keys.reduce(0) { $0 + unreported(of: $1) }
            processes[place].reports.append(.written(written))
        }
        var process = processes[place]
        var request = BudgetRequest(budget: "b", limits: limits)
        let expected = process.underWay.values.reduce(0) { $0 + $1.output }
        request.holder = BudgetHolder(
            id: process.id, calls: Int64(process.underWay.count), expectedOutput: expected,
            usualTime: process.usualTime.value(expecting: expected, of: process.underWay.count))
        if load.claim != nil { request.usual = CallNeed(input: 5000, output: Int64(process.usualOutput)) }
        request.calls = process.waiting.map { process.reads.need($0.whole, reading: $0.expectedRead) }
        request.reports = process.reports
        process.reports = []
        let timestamp = Timestamp(milliseconds: 1_800_000_000_000 + Int64(now + process.skew))
        let reply = budget.apply(request, at: timestamp)
        // Every budget passes through its text in a store.
        if nextCall % 50 == 0, SharedBudget(encoded: budget.encoded) != budget {
            problems.append("the encoded text loses something")
        }
        for (number, waiter) in process.waiting.prefix(reply.granted).enumerated() {
            guard let mark = reply.mark else { break }
            nextCall += 1
            let later = request.calls[(number + 1)..<reply.granted]
            let isMiss = waiter.expectedRead > 0 && (now >= load.forgetsAt || draw(0...1) < load.misses)
            calls[nextCall] = Call(
                process: place, need: request.calls[number], expectedRead: waiter.expectedRead,
                mark: mark.before(later), input: waiter.input + (isMiss ? Double(waiter.expectedRead) : 0),
                output: draw(waiter.whole.isInteractive ? load.interactiveOutput ?? load.output : load.output),
                isMiss: isMiss, life: process.life, beganAt: now)
            process.usualTime.note(0, of: process.underWay.count, at: .milliseconds(Int64(now)))
            process.underWay[nextCall] = request.calls[number]
            let late = load.lateCalls > 0 && draw(0...1) < load.lateCalls ? draw(load.lateness) : 0
            if late > 0 { schedule(.sent(nextCall, late: late), at: now + late) }
            schedule(.arrive(nextCall), at: now + late + draw(load.transit))
            if waiter.whole.isInteractive { longestInteractiveWait = max(longestInteractiveWait, now - waiter.since) }
            if !waiter.whole.isInteractive { letIn[place] += 1 }
        }
        process.waiting.removeFirst(reply.granted)
        // A worker that claims asks for its room four times a second.
        let idle = load.claim == nil ? 10.0 : 250
        let pause = process.waiting.isEmpty ? idle : max(Double(reply.wait.wholeMilliseconds), 5)
        process.pollAt = now + min(pause, load.claim == nil ? 2000 : 250) + Double.random(in: 0...10, using: &random)
        processes[place] = process
        if let time = load.claim { claim(place, reply.startable, in: time) }
        schedule(.poll(place), at: process.pollAt)
    }

    private mutating func drawFactor() -> Double {
        guard load.spread > 0 else { return 1 }
        let radius = (-2 * log(1 - draw(0...1).nextDown)).squareRoot()
        return exp(load.spread * radius * cos(2 * Double.pi * draw(0...1)))
    }

    private mutating func draw(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }
}
