package import JobQueue

extension ModelCallSum {
    /// Reads the columns in their order.
    package init(_ row: inout some StoredRow) throws {
        let (provider, model, state, tier) = (row.text(), row.text(), row.text(), row.text())
        guard let state = ModelCall.State(rawValue: state), let tier = ModelCall.ServiceTier(rawValue: tier) else {
            throw StoreError.unexpected(reason: "a model call is '\(state)' by '\(tier)'")
        }
        self.init(
            provider: provider, model: model, state: state, serviceTier: tier, isHedge: row.flag(),
            calls: row.integer(),
            inputTokens: row.integer(), outputTokens: row.integer(), cacheReadTokens: row.integer(),
            cacheWrite5mTokens: row.integer(), cacheWrite1hTokens: row.integer(), microDollars: row.integer(),
            savedByCache: row.integer(), savedByBatch: row.integer())
    }
}

/// The calls of one bucket of `ModelDurations`.
package struct DurationBucket: Sendable {
    fileprivate var durations: ModelDurations
    fileprivate var place: Int
    fileprivate var count: Int64
    fileprivate var sum: Duration

    /// Reads the columns in their order.
    package init(_ row: inout some StoredRow) throws {
        let (provider, model, series) = (row.text(), row.text(), row.text())
        guard let series = ModelDurations.Series(rawValue: series) else {
            throw StoreError.unexpected(reason: "there are no durations '\(series)'")
        }
        durations = ModelDurations(
            provider: provider, model: model, series: series, isInteractive: row.flag())
        (place, count, sum) = (row.int(), row.integer(), .milliseconds(row.integer()))
    }
}

extension [DurationBucket] {
    /// The durations that buckets in their order make.
    package var durations: [ModelDurations] {
        var all: [ModelDurations] = []
        for bucket in self {
            let (new, last) = (bucket.durations, all.last)
            if last?.provider != new.provider || last?.model != new.model || last?.series != new.series
                || last?.isInteractive != new.isInteractive
            {
                all.append(new)
            }
            all[all.count - 1].counts[bucket.place] += bucket.count
            all[all.count - 1].sum += bucket.sum
        }
        return all
    }
}

extension ModelLatency {
    /// Reads the columns in their order.
    package init(_ row: inout some StoredRow) {
        self.init(
            provider: row.text(), model: row.text(), firstByte: .milliseconds(row.integer()),
            firstContent: row.integerIfAny().map { .milliseconds($0) },
            longestGap: row.integerIfAny().map { .milliseconds($0) })
    }
}

extension MarkedCall {
    /// Reads the columns in their order.
    package init(_ row: inout some StoredRow) {
        self.init(
            id: row.text(), createdAt: row.timestamp(), model: row.text(), prompt: row.textIfAny(), kind: row.text(),
            user: UserID(rawValue: row.integer()), job: row.jobID(), marks: [CallMark](text: row.text()),
            writeMicroDollars: row.integer(), life: row.integer() > 0 ? .seconds(3600) : .seconds(300))
    }
}

extension BatchCount {
    /// Reads the columns in their order.
    package init(_ row: inout some StoredRow) throws {
        let (provider, model, state) = (row.text(), row.text(), row.text())
        guard let state = ModelBatch.State(rawValue: state) else {
            throw StoreError.unexpected(reason: "a batch is '\(state)'")
        }
        self.init(provider: provider, model: model, state: state, count: row.integer())
    }
}

extension BatchDuration {
    /// Reads the columns in their order.
    package init(_ row: inout some StoredRow) {
        self.init(provider: row.text(), model: row.text(), duration: .milliseconds(row.integer()))
    }
}
