internal import JSON

/// A batch of model calls at a provider, from the moment at which its lines are fixed.
///
/// Lines that are in no batch yet are gathering; see `Gathering`. `apply` holds the whole table of states and
/// events. Each change is committed before its consequence: `sending` before the first byte leaves, `out` with the
/// provider's id before it is polled. So a process that dies anywhere costs time only.
///
///     sealed ──▶ sending ──▶ out ──▶ ended ──▶ collected
///       ▲           │ │ └──▶ refused
///       │           ▼
///       └─────── unclear ──▶ out
package struct ModelBatch: Hashable, Sendable {
    package enum State: String, Sendable, CaseIterable {
        /// Its lines are fixed, and it can be sent.
        case sealed
        /// The request that creates it may be on its way.
        case sending
        /// The provider has it.
        case out
        /// The provider may have it: the answer to its creation is lost. It is not sent again before the list
        /// has shown that it is not there.
        case unclear
        /// The provider has refused it; its lines go back.
        case refused
        /// The provider is done with it; its lines have to be read.
        case ended
        /// Every line has its outcome.
        case collected
    }

    package enum Event: Hashable, Sendable {
        /// A worker with its lease is about to send it.
        case taken
        /// The provider has accepted it.
        case created(providerID: String)
        /// The provider has answered that the request is at fault.
        case refused
        /// Any other outcome of the creation. With `isUncreated` the provider surely has no batch: it answered that it
        /// takes no more requests, or there was no connection.
        case answerLost(isUncreated: Bool)
        /// The lease of the worker that was sending it has ended.
        case leaseEnded
        /// The provider's list was read: the id of the batch that fits, or none.
        case listed(providerID: String?)
        /// The provider was asked, and works on it, or could not be reached.
        case pending
        /// The provider was asked, and is done with it.
        case ended
        /// The provider knows the batch no more.
        case gone
        /// The results show that the batch that was found in the list is another one.
        case foreign
        /// All of its lines have their outcomes.
        case settled
    }

    package let id: String
    package let provider: String
    /// The id of the model in the catalogue; all lines are for it.
    package let model: String
    /// The number of its lines.
    package let lines: Int
    /// SHA-256 of the request's body in hexadecimal, by which it is found in the provider's list.
    package let fingerprint: String
    /// The time at which its first line began to wait.
    package let firstLineAt: Timestamp
    package let sealedAt: Timestamp
    package private(set) var state = State.sealed
    /// The next time at which a worker has to do something for it; `nil` when it is collected.
    package private(set) var dueAt: Timestamp?
    package private(set) var providerID: String?
    package private(set) var sendingAt: Timestamp?
    package private(set) var unclearAt: Timestamp?
    package private(set) var outAt: Timestamp?
    package private(set) var collectedAt: Timestamp?
    /// How often it was sent and may have been created.
    package private(set) var creations = 0
    /// Whether it was found in the provider's list, by nothing but its number of requests.
    package private(set) var isAdopted = false
    /// Ids of the provider that turned out to be other batches.
    package private(set) var foreignIDs: [String] = []

    package init(
        id: String, provider: String, model: String, lines: Int, fingerprint: String, firstLineAt: Timestamp,
        sealedAt: Timestamp
    ) {
        self.id = id
        self.provider = provider
        self.model = model
        self.lines = lines
        self.fingerprint = fingerprint
        self.firstLineAt = firstLineAt
        self.sealedAt = sealedAt
        dueAt = sealedAt
    }
}

// MARK: The table

extension ModelBatch {
    /// Changes the state by an event; an event that does not fit the state changes nothing.
    ///
    /// - Returns: Whether the event fits.
    package mutating func apply(
        _ event: Event, at now: Timestamp, by bounds: BatchBounds = BatchBounds()
    ) -> Bool {
        switch (state, event) {
        case (.sealed, .taken):
            (state, sendingAt, dueAt) = (.sending, now, now)
            creations += 1
        case (.sending, .created(let providerID)):
            isAdopted = false
            enterOut(providerID, at: now, bounds)
        case (.sending, .refused):
            (state, dueAt) = (.refused, now)
        case (.sending, .answerLost(let isUncreated)):
            if isUncreated { creations -= 1 }
            enterUnclear(at: now, bounds)
        case (.sending, .leaseEnded):
            enterUnclear(at: now, bounds)
        case (.unclear, .listed(let providerID?)):
            guard !foreignIDs.contains(providerID) else { return false }
            isAdopted = true
            enterOut(providerID, at: now, bounds)
        case (.unclear, .listed(providerID: nil)):
            afterEmptyList(at: now, bounds)
        case (.unclear, .pending):
            // The list could not be read, which shows nothing.
            dueAt = now + bounds.listPause
        case (.out, .pending):
            dueAt = nextPoll(at: now, bounds)
        case (.ended, .pending):
            // The results cannot be read now.
            dueAt = now + bounds.poll / 5
        case (.out, .ended), (.out, .gone):
            (state, dueAt) = (.ended, now)
        case (.ended, .foreign):
            guard isAdopted, let providerID else { return false }
            foreignIDs.append(providerID)
            (self.providerID, isAdopted) = (nil, false)
            (state, dueAt) = (.unclear, now)
        case (.ended, .settled), (.refused, .settled):
            (state, dueAt, collectedAt) = (.collected, nil, now)
        default: return false
        }
        return true
    }

    private mutating func enterOut(_ providerID: String, at now: Timestamp, _ bounds: BatchBounds) {
        self.providerID = providerID
        (state, outAt) = (.out, now)
        dueAt = nextPoll(at: now, bounds)
    }

    private mutating func enterUnclear(at now: Timestamp, _ bounds: BatchBounds) {
        (state, unclearAt) = (.unclear, now)
        dueAt = now + bounds.unclear / 180
    }

    private mutating func afterEmptyList(at now: Timestamp, _ bounds: BatchBounds) {
        let elapsed = now - (unclearAt ?? now)
        if elapsed >= bounds.unclear, creations < Self.highestCreations {
            (state, dueAt) = (.sealed, now)
        } else if elapsed >= Self.abandonLimit {
            (state, dueAt) = (.refused, now)
        } else if let next = bounds.firstListings.first(where: { $0 > elapsed }) {
            dueAt = now + (next - elapsed)
        } else {
            dueAt = now + bounds.listPause
        }
    }

    private func nextPoll(at now: Timestamp, _ bounds: BatchBounds) -> Timestamp {
        let elapsed = now - (outAt ?? now)
        guard let next = bounds.firstPolls.first(where: { $0 > elapsed }) else { return now + bounds.poll }
        return now + (next - elapsed)
    }

    /// The time after which nothing is expected of a batch any more: providers end batches after a day.
    package static let abandonLimit: Duration = .seconds(72 * 3600)
    /// A batch that may exist twice is sent no more. Its lines are asked at the full price when their time comes.
    package static let highestCreations = 2
    /// The provider's clock may be behind by this time.
    package static let clockMargin: Duration = .seconds(60)

    /// The creation time from which on a batch in the provider's list may be this one.
    package var listedSince: Timestamp? { sendingAt.map { $0 - Self.clockMargin } }
}

// MARK: The stored form

extension ModelBatch {
    /// The form in which a store keeps it.
    package var encoded: String {
        var value: JSON = [
            "lines": JSON(lines), "fingerprint": JSON(fingerprint), "first_line_at": JSON(firstLineAt.milliseconds),
            "sealed_at": JSON(sealedAt.milliseconds), "state": JSON(state.rawValue), "creations": JSON(creations),
            "adopted": JSON(isAdopted), "foreign_ids": JSON(foreignIDs),
        ]
        value["provider_id"] = providerID.map { JSON($0) }
        for (name, time) in times { value[name] = self[keyPath: time].map { JSON($0.milliseconds) } }
        return value.compact
    }

    private var times: [(String, WritableKeyPath<ModelBatch, Timestamp?>)] {
        [
            ("due_at", \.dueAt), ("sending_at", \.sendingAt), ("unclear_at", \.unclearAt), ("out_at", \.outAt),
            ("collected_at", \.collectedAt),
        ]
    }

    /// Reads the form in which a store keeps it; `nil` for another form.
    package init?(id: String, provider: String, model: String, encoded: String) {
        guard let value = try? JSON(parsing: encoded), let lines = value["lines"]?.integer,
            let fingerprint = value["fingerprint"]?.string, let firstLineAt = value["first_line_at"]?.integer,
            let sealedAt = value["sealed_at"]?.integer, let state = value["state"]?.string.flatMap(State.init),
            let creations = value["creations"]?.integer
        else { return nil }
        self.init(
            id: id, provider: provider, model: model, lines: Int(lines), fingerprint: fingerprint,
            firstLineAt: Timestamp(milliseconds: firstLineAt), sealedAt: Timestamp(milliseconds: sealedAt))
        self.state = state
        self.creations = Int(creations)
        isAdopted = value["adopted"]?.bool ?? false
        providerID = value["provider_id"]?.string
        foreignIDs = value["foreign_ids"]?.array?.compactMap(\.string) ?? []
        for (name, time) in times {
            self[keyPath: time] = value[name]?.integer.map { Timestamp(milliseconds: $0) }
        }
    }
}
