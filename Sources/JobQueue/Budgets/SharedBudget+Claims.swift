/// The jobs that a process may claim, since their first calls can begin soon.
extension SharedBudget {
    /// The time for which a process that was heard of has a part in the calls that may begin.
    private static let activeTime: Duration = .seconds(7)
    /// The parts of the room of which a process without a call has one at most. Others without one are not heard of here, and
    /// claim at the same moment: the jobs of one user would be theirs before those of another come. A process that is alone
    /// has enough, since it asks again four times a second.
    private static let leastParts = 4

    /// Tells how many usual background calls could begin within the next two seconds, as this process's part: a smaller
    /// one where it is idle.
    func tellStartable(_ usual: CallNeed, isIdle: Bool, in reply: inout BudgetReply, at now: Timestamp) {
        if let pause = reply.blockedFor, pause.wholeMilliseconds > Self.claimHorizon {
            (reply.startable, reply.startableIn) = (0, pause - .milliseconds(Self.claimHorizon))
            return
        }
        guard !isUnlimited else { return }
        var rooms: [Int64] = []
        for (kind, bucket) in buckets {
            if kind == .output, credit(of: bucket) > 0 {
                rooms.append(claimable(of: usual.output, in: bucket))
                continue
            }
            // What refills while calls begin, beyond what the bucket holds.
            let soon = bucket.content + bucket.limit * Self.claimHorizon
            let reserve = reserve(of: kind, in: bucket, at: now)
            let held = kind == .output ? expectedOutput * LimitBucket.unit : 0
            let room = soon - held - reserve * LimitBucket.unit
            let need = max(usual.amount[kind], 1) * LimitBucket.unit
            // A call beyond the bucket's size begins when the bucket is full.
            rooms.append(room >= need ? room / need : soon >= bucket.cap || (kind == .output && room > 0) ? 1 : 0)
        }
        // Before the first head little is claimed at once, so that one user's jobs do not have all of the first calls.
        if tellsLimits == nil {
            rooms.append(max(0, min(Self.firstCalls - callsUnderWay, Self.firstClaims - inTransit.requests)))
        }
        if let rise { rooms.append((rise.content + rise.limit * Self.claimHorizon) / LimitBucket.unit) }
        guard let room = rooms.min() else { return }
        let active = holdings.values.count { now - $0.heardAt < Self.activeTime }
        reply.startable = room <= 0 ? 0 : max(1, Int(room) / max(isIdle ? Self.leastParts : 1, active))
        guard room <= 0 else { return }
        let wait = wait(for: usual, begun: 0, expecting: 0, at: now) ?? .zero
        reply.startableIn = max(wait - .milliseconds(Self.claimHorizon), Self.poll)
    }
}
