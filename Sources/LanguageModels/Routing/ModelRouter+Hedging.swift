internal import Basics

/// Calls that are made beside others whose first byte is late.
extension ModelRouter {
    /// Asks a model, and where it is allowed another candidate beside it when the first byte is late.
    ///
    /// - Returns: The end of the call, and that of the hedge if one was made.
    func ask(
        _ model: any LanguageModel, others: [any LanguageModel], _ request: ModelRequest, _ attempt: Attempt,
        _ relay: StreamRelay?
    ) async -> [HedgeRace.Finish] {
        guard !others.isEmpty, mayHedge(model, request, attempt) else {
            return [await finish(model, request, attempt, relay)]
        }
        let race = HedgeRace()
        var first = attempt
        first.race = race
        first.onLate = { [self] booking in
            let ready = others.filter(isReady)
            guard let other = ready.first else { return }
            var hedge = Attempt(
                tier: attempt.tier, caller: attempt.caller, isFallback: attempt.isFallback,
                deadline: attempt.deadline, candidates: ready.count - 1, next: ready.dropFirst().first)
            (hedge.race, hedge.hedgeOf) = (race, booking)
            race.begin(.hedge) { [self, hedge] in await finish(other, request, hedge, relay) }
        }
        race.begin(.first) { [self, first] in await finish(model, request, first, relay) }
        let finishes = await race.finishes()
        // A hedge that found no room, or lost before it was made, has no end.
        return finishes.filter { $0.wasSent || $0.model.description.id == model.description.id }
    }

    private func finish(
        _ model: any LanguageModel, _ request: ModelRequest, _ attempt: Attempt, _ relay: StreamRelay?
    ) async -> HedgeRace.Finish {
        var wasSent = false
        do throws(ModelError) {
            let response = try await self.attempt(model, request, attempt, relay, wasSent: &wasSent)
            return .init(model: model, result: .success(response), wasSent: true)
        } catch {
            return .init(model: model, result: .failure(error), wasSent: wasSent && !error.kind.isUnbooked)
        }
    }

    /// Whether a call may have a hedge: when a person waits for it, or the time is short for one call after the other.
    /// The budget of hedges is in the books, so that calls without books have none.
    private func mayHedge(_ model: any LanguageModel, _ request: ModelRequest, _ attempt: Attempt) -> Bool {
        guard catalogue.allowsHedges, attempt.caller.book != nil else { return false }
        if attempt.caller.isInteractive { return true }
        let (id, now) = (model.description.id, clock.uptime())
        let wholeCall = states[model.description.provider]?.wholeCall(of: id, effort: request.effort, at: now)
        return wholeCall.map { attempt.deadline - now < $0 * Self.shortTime } ?? false
    }

    /// The time that is short, in whole calls.
    private static let shortTime = 1.5
}
