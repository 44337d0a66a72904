/// The types of events that endpoints may hear of.
package struct WebhookEvents: OptionSet, Hashable, Sendable {
    package let rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }

    package static let completed = WebhookEvents(rawValue: 1)
    package static let failed = WebhookEvents(rawValue: 2)
    package static let cancelled = WebhookEvents(rawValue: 4)
    package static let test = WebhookEvents(rawValue: 8)
    package static let all: WebhookEvents = [.completed, .failed, .cancelled, .test]

    /// The types in the order in which they are shown.
    package static let names: [(name: String, events: WebhookEvents)] = [
        ("job.completed", .completed), ("job.failed", .failed), ("job.cancelled", .cancelled), ("webhook.test", .test),
    ]

    package var names: [String] { Self.names.filter { contains($0.events) }.map(\.name) }
}

/// A secret that signs deliveries.
package struct WebhookSecret: Hashable, Sendable {
    /// The key in base64. It is kept as it is, since each try needs it.
    package var base64: String
    package var createdAt: Timestamp
    /// The time from which on it signs no more; `nil` for the present one.
    package var expiresAt: Timestamp?

    package init(base64: String, createdAt: Timestamp, expiresAt: Timestamp? = nil) {
        (self.base64, self.createdAt, self.expiresAt) = (base64, createdAt, expiresAt)
    }
}

/// An address that hears of the ends of jobs.
package struct WebhookEndpoint: Hashable, Sendable {
    /// The owner of the endpoints of operators, which hear of every user's jobs.
    package static let operators = UserID(rawValue: -2)
    /// The secrets that an endpoint may have at once.
    package static let mostSecrets = 5

    package enum DisabledReason: String, Sendable {
        /// The owner disabled it.
        case user
        /// It answered 410.
        case gone
        /// It only failed for longer than `DOSSIER_WEBHOOK_DISABLE_AFTER`.
        case failing
    }

    package struct Failure: Hashable, Sendable {
        package var at: Timestamp
        package var status: Int?
        package var error: String?

        package init(at: Timestamp, status: Int?, error: String?) {
            (self.at, self.status, self.error) = (at, status, error)
        }
    }

    package var id: String
    package var owner: UserID
    package var url: String
    package var events: WebhookEvents
    package var description: String?
    /// Newest first.
    package var secrets: [WebhookSecret]
    /// `nil` while it is enabled.
    package var disabledBecause: DisabledReason?
    package var createdAt: Timestamp
    /// The first failure since the last success.
    package var failingSince: Timestamp?
    package var lastSuccessAt: Timestamp?
    package var lastFailure: Failure?

    package init(
        id: String, owner: UserID, url: String, events: WebhookEvents = .all, description: String? = nil,
        secrets: [WebhookSecret], createdAt: Timestamp
    ) {
        (self.id, self.owner, self.url, self.events) = (id, owner, url, events)
        (self.description, self.secrets, self.createdAt) = (description, secrets, createdAt)
    }
}

/// What an owner changes; `nil` leaves a member as it is.
package struct WebhookEndpointChange: Sendable {
    package var url: String?
    package var events: WebhookEvents?
    /// Empty for none.
    package var description: String?
    package var isEnabled: Bool?

    package init(
        url: String? = nil, events: WebhookEvents? = nil, description: String? = nil, isEnabled: Bool? = nil
    ) {
        (self.url, self.events, self.description, self.isEnabled) = (url, events, description, isEnabled)
    }
}

/// What became of a new endpoint.
package enum WebhookEndpointCreation: Hashable, Sendable {
    case created(WebhookEndpoint)
    /// The idempotency key made this endpoint before.
    case existing(WebhookEndpoint)
    /// The idempotency key came before with another request.
    case conflict
    /// The owner has as many endpoints as allowed.
    case full
}

/// One try to deliver an event.
package struct WebhookTry: Hashable, Sendable {
    /// The tries that a delivery keeps.
    package static let mostKept = 20

    package var at: Timestamp
    /// The status of the answer; `nil` without one.
    package var status: Int?
    /// A short code such as `timeout`; `nil` for a success.
    package var error: String?
    package var duration: Duration

    package init(at: Timestamp, status: Int?, error: String?, duration: Duration) {
        (self.at, self.status, self.error, self.duration) = (at, status, error, duration)
    }
}

/// One event for one endpoint.
package struct WebhookDelivery: Hashable, Sendable {
    package enum Status: String, Sendable, CaseIterable {
        case pending, delivered, failed
        /// The endpoint is disabled.
        case held
    }

    /// The place in lists; grows with time.
    package var number: Int64
    /// The `webhook-id`, the same at every endpoint.
    package var event: String
    package var endpoint: String
    package var type: String
    package var job: JobID?
    package var status: Status
    package var nextAt: Timestamp?
    package var tries: [WebhookTry]
    package var at: Timestamp

    package init(
        number: Int64, event: String, endpoint: String, type: String, job: JobID?, status: Status, nextAt: Timestamp?,
        tries: [WebhookTry], at: Timestamp
    ) {
        (self.number, self.event, self.endpoint, self.type, self.job) = (number, event, endpoint, type, job)
        (self.status, self.nextAt, self.tries, self.at) = (status, nextAt, tries, at)
    }
}

/// A delivery that a worker has leased.
package struct ClaimedWebhook: Sendable {
    /// The end of a job, as the body tells it.
    package struct JobEnd: Hashable, Sendable {
        package var job: JobID
        package var kind: String
        package var user: UserID
        package var subject: String
        package var errorCode: String?
        package var credits: Int
        package var createdAt: Timestamp

        package init(
            job: JobID, kind: String, user: UserID, subject: String, errorCode: String?, credits: Int,
            createdAt: Timestamp
        ) {
            (self.job, self.kind, self.user, self.subject) = (job, kind, user, subject)
            (self.errorCode, self.credits, self.createdAt) = (errorCode, credits, createdAt)
        }
    }

    package var number: Int64
    package var event: String
    /// The number of the endpoint, by which claims take turns.
    package var endpointNumber: Int64
    package var endpoint: String
    package var url: String
    package var secrets: [WebhookSecret]
    package var type: String
    /// `nil` for a test.
    package var end: JobEnd?
    /// The time of the event.
    package var at: Timestamp
    /// The tries before this one, since the delivery was stored or replayed.
    package var attempts: Int
    package var tries: [WebhookTry]

    package init(
        number: Int64, event: String, endpointNumber: Int64, endpoint: String, url: String, secrets: [WebhookSecret],
        type: String, end: JobEnd?, at: Timestamp, attempts: Int, tries: [WebhookTry]
    ) {
        (self.number, self.event, self.endpointNumber, self.endpoint) = (number, event, endpointNumber, endpoint)
        (self.url, self.secrets, self.type, self.end) = (url, secrets, type, end)
        (self.at, self.attempts, self.tries) = (at, attempts, tries)
    }
}

/// What follows from a try.
package enum WebhookOutcome: Hashable, Sendable {
    case delivered
    /// Another try after a pause.
    case retry(after: Duration)
    /// It was the last try.
    case failed
    /// The endpoint says that it is gone.
    case gone
}

/// A filter of deliveries.
package struct WebhookDeliveryFilter: Sendable {
    package var endpoint: String?
    package var status: WebhookDelivery.Status?
    package var type: String?
    package var job: JobID?

    package init(
        endpoint: String? = nil, status: WebhookDelivery.Status? = nil, type: String? = nil, job: JobID? = nil
    ) {
        (self.endpoint, self.status, self.type, self.job) = (endpoint, status, type, job)
    }
}
