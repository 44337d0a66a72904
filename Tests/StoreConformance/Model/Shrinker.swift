/// Makes a failing sequence shorter and simpler while it still fails.
struct Shrinker {
    /// Runs a sequence on an empty database and returns the difference, if there is one.
    let failure: ([Operation]) async throws -> String?
    /// The largest number of runs.
    var budget = 1500

    mutating func shrink(_ operations: [Operation]) async throws -> [Operation] {
        var smallest = operations
        while true {
            let before = smallest
            smallest = try await withoutParts(smallest)
            smallest = try await withPlainerCalls(smallest)
            if smallest == before || budget <= 0 { return smallest }
        }
    }

    private mutating func fails(_ operations: [Operation]) async throws -> Bool {
        guard budget > 0 else { return false }
        budget -= 1
        return try await failure(operations) != nil
    }

    /// Removes parts: large ones first, single calls last.
    private mutating func withoutParts(_ operations: [Operation]) async throws -> [Operation] {
        var smallest = operations
        var size = max(smallest.count / 2, 1)
        while true {
            var start = 0
            while start < smallest.count {
                var candidate = smallest
                candidate.removeSubrange(start..<min(start + size, candidate.count))
                if try await fails(candidate) { smallest = candidate } else { start += size }
            }
            if size == 1 { return smallest }
            size /= 2
        }
    }

    private mutating func withPlainerCalls(_ operations: [Operation]) async throws -> [Operation] {
        var smallest = operations
        for place in smallest.indices {
            var tried = true
            while tried {
                tried = false
                for plainer in smallest[place].plainer {
                    var candidate = smallest
                    candidate[place] = plainer
                    if try await fails(candidate) {
                        smallest = candidate
                        tried = true
                        break
                    }
                }
            }
        }
        return smallest
    }
}

extension Operation {
    /// The same call with one value less.
    fileprivate var plainer: [Operation] {
        switch self {
        case .submit(let submit): submit.plainer.map { .submit($0) }
        case .enqueueScheduledRun(let schedule, let minute, let submit):
            submit.plainer.map { .enqueueScheduledRun(schedule: schedule, minute: minute, $0) }
        case .cancel(let job, .some): [.cancel(job: job)]
        case .retry(let job, .some): [.retry(job: job)]
        case .claim(let worker, let interactive, let background):
            [
                interactive > 0 ? .claim(worker: worker, interactive: interactive - 1, background: background) : nil,
                background > 0 ? .claim(worker: worker, interactive: interactive, background: background - 1) : nil,
            ].compactMap { $0 }
        case .append(let hold, let step, let hash, let replacing, let call):
            [
                replacing.map { _ in .append(hold, step: step, hash: hash, call: call) },
                call.map { _ in .append(hold, step: step, hash: hash, replacing: replacing) },
            ].compactMap { $0 }
        case .complete(let hold, .some): [.complete(hold)]
        case .fail(let hold, let pause, let dropping, let call):
            [
                call.map { _ in .fail(hold, pause: pause, dropping: dropping) },
                dropping.map { _ in .fail(hold, pause: pause, call: call) },
                pause.flatMap { $0 > 0 ? .fail(hold, pause: 0, dropping: dropping, call: call) : nil },
            ].compactMap { $0 }
        case .snooze(let holds, let pause):
            (holds.count > 1
                ? holds.indices.map { without in
                    .snooze(holds.indices.filter { $0 != without }.map { holds[$0] }, pause: pause)
                } : []) + (pause > 0 ? [.snooze(holds, pause: 0)] : [])
        case .adopt(let kind, let fleet, let perUser):
            [
                fleet.map { _ in .adopt(kind: kind, fleet: nil, perUser: perUser) },
                perUser.map { _ in .adopt(kind: kind, fleet: fleet, perUser: nil) },
            ].compactMap { $0 }
        default: []
        }
    }
}

extension Submit {
    fileprivate var plainer: [Submit] {
        let plain = Submit(job: job, user: user)
        let changes: [(inout Submit) -> Void] = [
            { $0.user = 0 }, { $0.kind = plain.kind }, { $0.cost = plain.cost }, { $0.isInteractive = false },
            { $0.priority = plain.priority }, { $0.delay = nil }, { $0.time = plain.time }, { $0.concurrencyKey = nil },
            { $0.uniqueKey = nil },
            {
                $0.idempotencyKey = nil; $0.fingerprint = 0
            }, { $0.fleet = nil },
            { $0.perUser = nil },
            {
                $0.sharedKey = nil; $0.sharedJob = nil
            }, { $0.isStored = false },
        ]
        return changes.map { change in
            var submit = self
            change(&submit)
            return submit
        }.filter { $0 != self }
    }
}
