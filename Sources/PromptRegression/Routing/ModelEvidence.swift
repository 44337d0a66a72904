internal import Basics

/// What the fresh answers of one model to one prompt show.
package struct ModelEvidence: Sendable {
    /// A model whose answers are counted. Simulated answers are never counted with real ones.
    struct Source: Hashable, Sendable {
        /// The id in the catalogue.
        var model: String
        var isSimulated: Bool
    }

    let source: Source
    /// Drafts.
    private(set) var asked = 0
    /// Drafts that are as their case expects them.
    private(set) var passed = 0
    /// Rejected drafts that were asked for again.
    private(set) var repairs = 0
    /// Repairs that are as their case expects them.
    private(set) var repaired = 0
    /// Rejected drafts that production would ask for again and nobody has.
    private(set) var unrepaired = 0
    /// Micro-dollars of all drafts, and of all repairs.
    private(set) var draftCost: Int64 = 0
    private(set) var repairCost: Int64 = 0
    private(set) var oldest: CalendarDate?

    init(_ source: Source) { self.source = source }

    /// The end of a rejected draft.
    enum Rejection {
        case repair(passes: Bool, cost: Int64)
        /// Production would ask again, and the run did not.
        case notAskedAgain
        /// Production gives up.
        case final
    }

    /// Counts a draft; `rejection` is `nil` when it passed.
    mutating func add(cost: Int64, on day: CalendarDate, rejection: Rejection?) {
        asked += 1
        draftCost += cost
        oldest = oldest.map { min($0, day) } ?? day
        switch rejection {
        case nil: passed += 1
        case .repair(let passes, let cost)?:
            repairs += 1
            repaired += passes ? 1 : 0
            repairCost += cost
        case .notAskedAgain?: unrepaired += 1
        case .final?: break
        }
    }

    /// Answers that reach the user: passed at once or after the repair.
    var accepted: Int { passed + repaired }
    var lowerBound: Double { WilsonInterval.lowerBound(accepted, of: asked) }
    /// Micro-dollars.
    var costPerDraft: Double { asked == 0 ? 0 : Double(draftCost) / Double(asked) }

    /// Micro-dollars of an accepted answer; `nil` when none was.
    ///
    /// Cost and pass rate of a repair are those of a rejected draft whose end is known: a draft that production gives
    /// up has a repair that costs nothing and never passes.
    var price: Double? {
        guard asked > 0 else { return nil }
        let ended = asked - passed - unrepaired
        let repair = ended == 0 ? (0, 0) : (Double(repairCost) / Double(ended), Double(repaired) / Double(ended))
        return AcceptedAnswer.price(
            draft: (costPerDraft, Double(passed) / Double(asked)), repair: (cost: repair.0, rate: repair.1))
    }
}

extension ModelEvidence {
    /// Whether a prompt may be routed to the model.
    enum Verdict: Hashable, Sendable {
        case eligible
        /// Too few answers to know; so many further passes would do.
        case tooFew(furtherPasses: Int)
        /// Not even the upper bound reaches the floor.
        case belowFloor
        /// Unknown to `models.yaml`, or without prices there.
        case notUsable
    }

    func verdict(floor: Double, isUsable: Bool) -> Verdict {
        guard isUsable else { return .notUsable }
        guard lowerBound < floor else { return .eligible }
        // Drafts that were never asked for again may still turn out well.
        let highest = 1 - WilsonInterval.lowerBound(asked - accepted - unrepaired, of: asked)
        guard highest >= floor, let further = WilsonInterval.furtherPasses(after: accepted, of: asked, toReach: floor)
        else { return .belowFloor }
        return .tooFew(furtherPasses: further)
    }
}
