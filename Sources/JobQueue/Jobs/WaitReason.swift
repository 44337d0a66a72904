package import JSON

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
    /// Other jobs make what it shares with them.
    case sharedWork = "shared"

    /// The code by which operators know it.
    package var whyCode: WhyCode {
        switch self {
        case .providerBudget: .providerBudget
        case .providerBlocked: .providerBlocked
        case .breakerOpen: .breakerOpen
        case .paused: .paused
        case .noCapableWorker: .noCapableWorker
        case .noWorker: .noWorker
        case .sharedWork: .shared
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
        case .sharedWork: "It waited for another job whose work it shares."
        }
    }
}

/// What a postponed job waits for, with what operators hear of it.
package struct WaitCause: Hashable, Sendable {
    package var reason: WaitReason
    /// The provider that takes no calls.
    package var provider: String?
    /// The service's own budget that is used up.
    package var budget: String?
    /// The status by which the provider turned a call away.
    package var status: Int?
    /// How often the provider failed in a row.
    package var failures: Int?
    /// The name of the work that other jobs do for several.
    package var work: String?

    package init(
        _ reason: WaitReason, provider: String? = nil, budget: String? = nil, status: Int? = nil, failures: Int? = nil,
        work: String? = nil
    ) {
        (self.reason, self.provider, self.budget) = (reason, provider, budget)
        (self.status, self.failures, self.work) = (status, failures, work)
    }

    /// Reads the text that stores keep: the reason, and a JSON object with the rest where there is any.
    package init?(stored text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: " "), maxSplits: 1)
        guard let reason = parts.first.map({ String(Substring($0)) }).flatMap(WaitReason.init(rawValue:)) else {
            return nil
        }
        self.init(reason)
        guard parts.count == 2, let rest = try? JSON(parsing: String(Substring(parts[1]))).object else { return }
        (provider, budget, work) = (rest["provider"]?.string, rest["budget"]?.string, rest["work"]?.string)
        (status, failures) = (
            rest["status"]?.integer.flatMap(Int.init(exactly:)), rest["failures"]?.integer.flatMap(Int.init(exactly:))
        )
    }

    /// The text that stores keep.
    package var stored: String {
        let json = details
        return json.isEmpty ? reason.rawValue : "\(reason.rawValue) \(JSON.object(json))"
    }

    /// What is known beside the reason.
    package var details: JSONObject {
        var json = JSONObject()
        if let provider { json["provider"] = JSON(provider) }
        if let budget { json["budget"] = JSON(budget) }
        if let status { json["status"] = JSON(status) }
        if let failures { json["failures"] = JSON(failures) }
        if let work { json["work"] = JSON(work) }
        return json
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
