/// What calls show about their provider's buckets.
extension SharedBudget {
    mutating func take(_ report: BudgetReport, at now: Timestamp) {
        switch report {
        case .head(let reading, let mark): learn(reading, mark, at: now)
        case .corrected(let amount, let mark): correct(amount.bounded, mark, at: now)
        case .returned(let amount, let mark): giveBack(amount.bounded, upTo: mark.call)
        case .written(let output):
            let output = min(max(output, -LimitBucket.largest), LimitBucket.largest)
            spent[.output, default: 0] &+= output
            if let bucket = told[.output] { notePeak(of: .output, bucket, afterCall: calls, at: now) }
            told[.output]?.take(output)
            own[.output]?.take(output)
        case .late(let time): delay(by: time)
        case .refused(let pause, let reading):
            refused.add(1, at: now)
            spread.wasRefused()
            refuse(for: pause, reading, at: now)
        }
    }

    /// A bucket of one call was full while that call was late, and so has refilled later.
    private mutating func delay(by time: Duration) {
        let time = min(max(0, time.wholeMilliseconds), LimitBucket.longestTransit)
        for kind in LimitKind.charged {
            guard let bucket = told[kind], holdsOneCall(bucket, kind) else { continue }
            told[kind]?.drain(bucket.limit * time)
        }
    }

    /// Takes over the limits that the head of an answer tells.
    ///
    /// The provider read its buckets some time ago: as early as the call was let in, or as late as it sent the head with
    /// the first token. So the level is what it told, and the least that has refilled, less what was let in, since any
    /// moment between. Calls of the 250 ms before a moment may still have been on their way; they count as let in since.
    private mutating func learn(_ reading: LimitReading, _ mark: BudgetMark, at now: Timestamp) {
        guard !reading.lines.isEmpty else {
            if tellsLimits == nil { (tellsLimits, readAt) = (false, now) }
            return
        }
        (tellsLimits, readAt) = (true, now)
        refusals = 0
        let age = now - mark.at
        let isLatest = mark.call >= readCall
        for (kind, line) in reading.lines {
            let limit = min(max(line.limit, 1), LimitBucket.largest)
            let remaining = min(max(line.remaining, 0), LimitBucket.largest)
            let refilling = min(line.fullIn ?? .zero, .seconds(60)).wholeMilliseconds
            // Rounded numbers tell too small a size. One of output holds a second's worth at least: none is stricter, and a
            // call is let in whatever it holds.
            let least = kind == .output ? max(limit * 1000, LimitBucket.unit) : LimitBucket.unit
            let whole = min(
                limit * LimitBucket.unit, max(remaining * LimitBucket.unit + limit * max(refilling, 0), least))
            let size = whole / LimitBucket.unit
            var bucket = told[kind] ?? LimitBucket(limit: limit, size: size, level: remaining, at: now)
            let isNew = told[kind] == nil
            if kind == .output { bucket.transit = 0 }
            // A bucket of tokens that tells nothing is left may be in debt, and is full so much later.
            let isAssumed = kind != .requests && remaining == 0
            // The size of another limit says nothing about this one's.
            if isNew || bucket.limit != limit || (bucket.isSizeAssumed && !isAssumed) {
                (bucket.whole, bucket.isSizeAssumed) = (whole, isAssumed)
            } else if bucket.isSizeAssumed == isAssumed {
                bucket.whole = max(bucket.whole, whole)
            }
            bucket.limit = limit
            if isNew || (isLatest && age <= FlowPeaks.longestAge) {
                let (least, most) = flow(of: kind, in: bucket, since: mark)
                let level = level(of: kind, in: bucket, by: line)
                // In a bucket of few calls, a call's time to the first byte is much: the fleet's own account counts
                // between the two.
                let isAccountBetter = !isNew && isSmall(bucket, kind, at: now)
                let account = isAccountBetter ? bucket.content : level.lowerBound + least
                bucket.set(max(level.lowerBound + least, min(account, level.upperBound + most)), at: now)
            }
            told[kind] = bucket
        }
        if isLatest { readCall = mark.call }
    }

    /// What a bucket held when it was read. The time at which it is full tells how far one of tokens is in debt: a level
    /// below zero is told as zero.
    private func level(of kind: LimitKind, in bucket: LimitBucket, by line: LimitReading.Line) -> ClosedRange<Int64> {
        let remaining = min(max(line.remaining, 0), LimitBucket.largest)
        // While the latest calls were on their way to a bucket that was nearly full, it may not have refilled.
        let least = min(remaining * LimitBucket.unit, bucket.cap)
        let most = min((remaining + line.uncertainty) * LimitBucket.unit, max(bucket.cap, least))
        guard kind != .requests, !bucket.isSizeAssumed, let fullIn = line.fullIn else { return least...most }
        let highest = bucket.whole - bucket.limit * min(max(fullIn, .zero), .seconds(3600)).wholeMilliseconds
        guard remaining == 0 else { return least...max(least, min(most, highest)) }
        let lowest = min(least, highest - bucket.limit * 1000)
        return lowest...max(lowest, min(most, highest))
    }

    /// What refilled less what was let in since the provider read its buckets for a call: the least, and as much as it is
    /// when it read them as it counted the call. While a bucket is not known, nothing is known of its refill.
    private func flow(
        of kind: LimitKind, in bucket: LimitBucket, since mark: BudgetMark
    ) -> (least: Int64, most: Int64) {
        if told[kind] != nil, let flow = mark.flow[kind] {
            let whole = bucket.flow &- flow
            let least = min(whole, -onTheWay(of: kind, since: mark) * LimitBucket.unit)
            return (min(least, peaks[kind]?.highest(since: mark.call).map { bucket.flow &- $0 } ?? least), whole)
        }
        let spent = min(0, (mark.spent[kind] ?? 0) &- spent[kind, default: 0]) * LimitBucket.unit
        return (spent, spent)
    }

    /// Whether a bucket holds fewer than four usual calls.
    private func isSmall(_ bucket: LimitBucket, _ kind: LimitKind, at now: Timestamp) -> Bool {
        kind == .output ? credit(of: bucket) > 0 : bucket.cap / LimitBucket.unit < 4 * usual(kind, at: now)
    }

    /// What was let in after a call and may still not have arrived at the provider.
    private func onTheWay(of kind: LimitKind, since mark: BudgetMark) -> Int64 {
        guard LimitKind.charged.contains(kind) else { return 0 }
        return min(inTransit[kind], max(0, spent[kind, default: 0] &- (mark.spent[kind] ?? 0)))
    }

    /// Returns what a call, or the calls up to it, did not use. What the head of a later call has told includes it.
    mutating func giveBack(_ amount: BudgetAmount, upTo call: Int64) {
        for kind in LimitKind.charged {
            if call > readCall { told[kind]?.giveBack(amount[kind]) }
            own[kind]?.giveBack(amount[kind])
        }
    }

    /// Takes in what a call took beyond its estimate. The account of a small bucket is kept on when a head is read, so it
    /// does not include the correction.
    private mutating func correct(_ amount: BudgetAmount, _ mark: BudgetMark, at now: Timestamp) {
        giveBack(BudgetAmount() - amount, upTo: mark.call)
        guard mark.call <= readCall else { return }
        for kind in LimitKind.charged {
            if let bucket = told[kind], isSmall(bucket, kind, at: now) { told[kind]?.giveBack(-amount[kind]) }
        }
    }

    /// Stops all calls for the pause that the provider asks for; without one, for a second, doubling to half a minute.
    private mutating func refuse(for told: Duration?, _ reading: LimitReading, at now: Timestamp) {
        let isBlocked = (blockedUntil ?? now) > now
        // Calls that were refused together are one refusal.
        guard told != nil || !isBlocked else { return }
        let pause = told ?? .seconds(min(30, Int64(1) << min(refusals, 5)))
        let until = now + min(max(pause, .milliseconds(1)), Self.longestBlock)
        blockedUntil = blockedUntil.map { max($0, until) } ?? until
        if !isBlocked { refusals = min(refusals + 1, 30) }
        // A head that told the levels is more exact.
        guard reading.lines.isEmpty else { return }
        for kind in self.told.keys { self.told[kind]?.empty(until: until) }
    }
}
