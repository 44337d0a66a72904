import JSON
import Simulator

/// A job that a user wants in a chaos run.
struct ChaosOrder: Sendable, Hashable {
    enum Work: Sendable, Hashable {
        /// A report; the model may do something wrong once.
        case research(flaw: FaultAction?)
        /// Steps that take so many milliseconds in all and ask nobody.
        case drill(steps: Int, pause: Int)
    }

    let user: Int
    /// Milliseconds from the start.
    let at: Int
    let work: Work
    /// When the user changes their mind, in milliseconds after the answer.
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
    var key: String { "order-\(user)" }

    /// How often the model may be asked the same although nobody died.
    var repeats: Int { if case .research(.status) = work { 1 } else { 0 } }
}

extension ChaosOrder: CustomStringConvertible {
    var description: String {
        let wish =
            switch work {
            case .research(let flaw): "research" + (flaw.map { ", whose model does \($0.name) once" } ?? "")
            case .drill(let steps, let pause): "a drill of \(steps) steps in \(pause) ms"
            }
        return "user \(user) wants \(wish)" + (cancelledAfter.map { ", and cancels after \($0) ms" } ?? "")
    }
}
