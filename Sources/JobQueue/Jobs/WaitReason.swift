/// The reason why a pending job waited although it was due.
package enum WaitReason: String, Sendable, Hashable, CaseIterable {
    /// The service's own budget is used up.
    case providerBudget = "provider_budget"
    /// The provider said so.
    case providerBlocked = "provider_blocked"
    /// The provider failed too often in a row.
    case breakerOpen = "breaker_open"
    /// Its kind or its lane is paused.
    case paused
    /// The worker that claimed it could not run it.
    case noCapableWorker = "no_capable_worker"
    /// No worker has ever claimed it. Never stored.
    case noWorker = "no_worker"

    /// The code by which operators know it.
    package var whyCode: WhyCode {
        switch self {
        case .providerBudget: .providerBudget
        case .providerBlocked: .providerBlocked
        case .breakerOpen: .breakerOpen
        case .paused: .paused
        case .noCapableWorker: .noCapableWorker
        case .noWorker: .noWorker
        }
    }

    /// For developers and operators.
    var sentence: String {
        switch self {
        case .providerBudget: "It waited for the service's own budget of model calls."
        case .providerBlocked: "It waited for a provider of models that took no calls."
        case .breakerOpen: "It waited for a provider of models that had failed too often in a row."
        case .paused: "Its kind was paused."
        case .noCapableWorker: "It waited for a worker that can run its kind."
        case .noWorker: "No worker took it."
        }
    }
}

extension JobError {
    /// The job's deadline passed while it waited.
    package static func deadlinePassed(waitingFor reason: WaitReason?) -> JobError {
        guard let reason else { return .deadlinePassed }
        return JobError(
            code: deadlinePassed.code, message: "\(deadlinePassed.message) \(reason.sentence)",
            userMessage: deadlinePassed.userMessage)
    }
}
