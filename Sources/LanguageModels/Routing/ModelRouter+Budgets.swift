internal import Basics
package import JobQueue

/// The permits of calls from the budgets that all processes share.
extension ModelRouter {
    /// Waits for a permit of the model's budget; `nil` without a budget store. A hedge does not wait.
    func acquireBudget(
        _ prefix: PrefixCache.Ticket, _ model: ModelDescription, _ attempt: Attempt
    ) async throws(ModelError) -> CallPermit? {
        guard let limiter else { return nil }
        let caller = attempt.caller
        let need = estimates.need(of: prefix.request, by: model, isInteractive: caller.isInteractive)
        let expected = prefix.plan.read.map { ExpectedRead(model: model.id, tokens: $0.tokens) }
        do throws(ModelError) {
            let longest: Duration = attempt.hedgeOf == nil ? CallLine.timeout : .zero
            return try await limiter.acquire(
                need, reading: expected, from: model.budget, caller, waitingAtMost: longest)
        } catch {
            var error = error
            if error.kind == .rateLimited { (error.provider, error.model) = (model.provider, model.id) }
            throw error
        }
    }

    /// Returns the permit of a call that was not made.
    func returnUnused(_ permit: CallPermit?) { permit?.settle(.unused, at: clock.uptime()) }

    /// Reports the use of a call, and a 429 to all processes.
    func settle(_ permit: CallPermit?, _ outcome: Result<ModelResponse, ModelError>) {
        guard let permit else { return }
        let end: CallPermit.End =
            switch outcome {
            case .success(let response) where response.usage.isEstimated: .unknown
            case .success(let response): .answered(response.usage)
            case .failure(let error) where error.kind.isUnbooked || error.isUnsent: .unused
            case .failure(let error) where error.kind.policy.throttling == .shrink: .refused(after: error.retryAfter)
            case .failure(let error): error.usage.map { .answered($0) } ?? .unknown
            }
        permit.settle(end, at: clock.uptime())
    }

    // MARK: Claims

    /// The first calls of background jobs that may begin within two seconds.
    package struct CallRoom: Hashable, Sendable {
        /// `nil` for no limit.
        package var count: Int?
        /// Without any: the time after which there may be one.
        package var wait: Duration
        /// Without any: why, for operators.
        package var held: HeldKind?

        package init(count: Int?, wait: Duration = .zero, held: HeldKind? = nil) {
            self.count = count
            self.wait = wait
            self.held = held
        }
    }

    /// The room in the budget of the first model of a tier that may be asked now.
    package func room(for tier: String) async -> CallRoom {
        guard let limiter, let model = firstModel(of: tier), let room = await limiter.line(of: model.budget).room()
        else { return CallRoom(count: nil) }
        return CallRoom(count: room.count, wait: room.wait, held: room.held)
    }

    /// Counts the first call of a job that was claimed, until it waits for its budget or `forget` is called.
    package func expect(_ job: JobID, tier: String) {
        firstModel(of: tier).map { limiter?.line(of: $0.budget).expect(job) }
    }

    package func forget(_ job: JobID, tier: String) {
        for model in candidates(of: tier) { limiter?.line(of: model.budget).forget(job) }
    }

    /// The first model of a tier that may be asked now.
    private func firstModel(of tier: String) -> ModelDescription? {
        let now = clock.uptime()
        return candidates(of: tier).first { model in
            guard let state = states[model.provider] else { return false }
            return state.obstacle(to: model.id, at: now) == nil && !state.isProbeDue(of: model.id, at: now)
        }
    }
}
