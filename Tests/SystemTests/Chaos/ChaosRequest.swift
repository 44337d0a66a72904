import Simulator
import TestSupport

/// A request of a user in a chaos run.
struct ChaosRequest: Sendable, Hashable {
    enum Work: Sendable, Hashable {
        /// A report; the model may fail once.
        case research(flaw: FaultAction?)
        /// Steps with a pause in milliseconds; they call no model.
        case drill(Drill, steps: Int, pause: Int)
        /// The explanation of the one story, which all who want it share.
        case explanation
    }

    /// The kinds of drills, which differ in what the queue does with them.
    enum Drill: String, Sendable, Hashable, CaseIterable {
        case plain = "drill"
        /// One after the other.
        case serial = "drill-serial"
        /// Two at once in the fleet.
        case limited = "drill-limited"
        /// In the interactive lane, with little time.
        case urgent = "drill-urgent"
    }

    /// The time that an urgent drill has, in seconds.
    static let urgentDeadline = 25

    /// The user of the batch.
    static let batchUser = 900

    let number: Int
    let user: Int
    /// Milliseconds from the start.
    let at: Int
    let work: Work
    /// The time at which the user cancels, in milliseconds after the answer.
    let cancelledAfter: Int?
    /// Whether the user tries a cancelled job again.
    let isRetried: Bool

    init(user: Int, window: Int, using random: inout SeededRandom) {
        number = user
        self.user = user
        at = Int.random(in: 0..<window * 3 / 4, using: &random)
        switch Int.random(in: 0..<9, using: &random) {
        case 0: work = .research(flaw: .inventedFigure)
        case 1: work = .research(flaw: .status(529))
        case 2, 3: work = .research(flaw: nil)
        case 4: work = .explanation
        default:
            let kind = Drill.allCases.randomElement(using: &random) ?? .plain
            let steps = Int.random(in: 1...8, using: &random)
            work = .drill(kind, steps: steps, pause: Int.random(in: 0...6000, using: &random))
        }
        let changesMind = Int.random(in: 0..<6, using: &random) == 0
        cancelledAfter = changesMind ? Int.random(in: 0...4000, using: &random) : nil
        let isRetried = Bool.random(using: &random)
        if case .drill = work { self.isRetried = isRetried && changesMind } else { self.isRetried = false }
    }

    /// One of many requests of one user, who wants them all at once.
    init(inBatch number: Int, from start: Int, using random: inout SeededRandom) {
        self.number = number
        user = Self.batchUser
        at = start + Int.random(in: 0...300, using: &random)
        let kind: Drill = Int.random(in: 0..<5, using: &random) == 0 ? .serial : .plain
        work = .drill(kind, steps: 2, pause: Int.random(in: 500...2500, using: &random))
        cancelledAfter = nil
        isRetried = false
    }

    var kind: String {
        switch work {
        case .research: "research"
        case .drill(let kind, _, _): kind.rawValue
        case .explanation: "explanation"
        }
    }

    /// The same in every try of the same submit.
    var key: String { "request-\(number)" }

    /// The number of times that an equal model call may be repeated without a death.
    var repeats: Int { if case .research(.status) = work { 1 } else { 0 } }

    var isUrgent: Bool { if case .drill(.urgent, _, _) = work { true } else { false } }

    /// Whether the job is in the line of all users' ordinary jobs from its submit to its first start.
    var waitsItsTurn: Bool { if case .drill(.plain, _, _) = work { cancelledAfter == nil } else { false } }
}

extension ChaosRequest: CustomStringConvertible {
    var description: String {
        let wish =
            switch work {
            case .research(let flaw): "research" + (flaw.map { ", whose model does \($0.name) once" } ?? "")
            case .drill(let kind, let steps, let pause): "a \(kind.rawValue) of \(steps) steps in \(pause) ms"
            case .explanation: "the explanation"
            }
        return "user \(user) wants \(wish)" + (cancelledAfter.map { ", and cancels after \($0) ms" } ?? "")
            + (isRetried ? ", and tries it again" : "")
    }
}
