import JSON
import JobQueue
import Testing

extension ConformanceSuite {
    /// Model calls by batch.
    package static let batches: [ConformanceCase] = [
        ConformanceCase("a job that asks by batch waits without a lease until its last chance") { harness in
            let lease = try await harness.unhurried()
            let lastChance = harness.start + .seconds(18 * 3600)
            #expect(try await harness.ask(lease) == .waiting(until: lastChance))
            let job = try await harness.job(lease.job)
            #expect(job.status == .pending && job.blockedBy == .batch(until: lastChance) && job.attempt == 1)
            #expect(try await harness.store.leases(of: WorkerID(rawValue: "w1")).isEmpty)
            #expect(try await harness.claim(WorkerID(rawValue: "w1")).isEmpty)
            try await harness.expectSums(500, 500)
            await harness.expect(.leaseLost) { _ = try await harness.ask(lease) }
            #expect(try await harness.store.closeAbandonedCalls(limit: 10) == 0, "its line ends the booking")
            let gatherings = try await harness.store.gatherings()
            let bytes = "request of draft".utf8.count
            #expect(
                gatherings == [
                    Gathering(
                        provider: "claude", model: "sonnet", lines: 1, bytes: bytes, firstAt: harness.start,
                        lastAt: harness.start)
                ])

            harness.clock.advance(by: .seconds(18 * 3600 - 1))
            #expect(try await harness.claim(WorkerID(rawValue: "w1")).isEmpty)
            harness.clock.advance(by: .seconds(1))
            let next = try await harness.claimOne(WorkerID(rawValue: "w1"))
            #expect(next.attempt == 1 && next.within == .seconds(86_400))
            #expect(try await harness.ask(next.lease) == .fullPrice)
            #expect(try await harness.store.gatheredLines(for: "sonnet", of: "claude", limit: 10).isEmpty)
            try await harness.expectSums(0, 0)
        },
        ConformanceCase("an answer is booked and wakes its job in one commit, and is journalled once") { harness in
            let lease = try await harness.unhurried()
            _ = try await harness.ask(lease)
            let leased = try await harness.sealed()
            let counts = try await harness.store.batchCounts()
            #expect(counts == [BatchCount(provider: "claude", model: "sonnet", state: .sealed, count: 1)])
            let line = try #require(try await harness.store.openLines(of: leased.batch.id).first)
            #expect(line.request == "request of draft" && line.number == 1 && line.key == .draft(lease.job))
            #expect(line.customID == line.key.customID(try: 1) && line.callID == line.key.callID(try: 1))
            for cost in [70, 90] as [Int64] {
                let answered = BatchLineOutcome(line.customID, .answered("the answer", .ended("", cost)))
                #expect(try await harness.store.settle([answered], of: leased))
            }
            try await harness.expectSums(70, 70)
            #expect(try await harness.store.openLines(of: leased.batch.id).isEmpty)
            #expect(try await harness.job(lease.job).blockedBy == nil)

            let second = try await harness.claimOne(WorkerID(rawValue: "w1")).lease
            #expect(try await harness.ask(second) == .answered("the answer"))
            #expect(try await harness.ask(second) == .answered("the answer"), "a run may die before it journals it")
            let journalled = Effect.journalBatchLine(id: line.key.id)
            await harness.expect(.leaseLost) {
                _ = try await harness.store.append(
                    StoreHarness.step("draft"), replacingFrom: nil, effects: [journalled], under: lease)
            }
            #expect(try await harness.ask(second) == .answered("the answer"))
            _ = try await harness.store.append(
                StoreHarness.step("draft"), replacingFrom: nil, effects: [journalled], under: second)
            #expect(try await harness.store.modelCosts(by: .job, since: harness.start).map(\.calls) == [1])
            let sums = try await harness.store.modelCallSums(since: harness.start)
            #expect(sums.map(\.serviceTier) == [.batch] && sums.map(\.savedByBatch) == [70], "half of the price")

            // An answer that is asked for again was of no use.
            #expect(try await harness.ask(second) == .waiting(until: harness.start + .seconds(18 * 3600)))
            let again = try await harness.store.gatheredLines(for: "sonnet", of: "claude", limit: 10)
            #expect(again.map(\.customID) == [line.key.customID(try: 2)])
            try await harness.expectSums(570, 570)
        },
        ConformanceCase("a line without a result gathers again under another id, and its job waits on") { harness in
            let lease = try await harness.unhurried()
            _ = try await harness.ask(lease)
            let leased = try await harness.sealed()
            let line = try #require(try await harness.store.openLines(of: leased.batch.id).first)
            let next = line.key.customID(try: 2)
            #expect(
                try await harness.store.settle(
                    [BatchLineOutcome(line.customID, .again(customID: next, isAlone: true))], of: leased))
            #expect(try await harness.job(lease.job).blockedBy == .batch(until: harness.start + .seconds(18 * 3600)))
            let lines = try await harness.store.gatheredLines(for: "sonnet", of: "claude", limit: 10)
            #expect(lines.map(\.customID) == [next] && lines.map(\.number) == [2] && lines.map(\.isAlone) == [true])
            #expect(lines.map(\.callID) == [line.callID])
            #expect(try await harness.store.gatherings().map(\.hasAlone) == [true])
            #expect(
                try await harness.store.settle(
                    [BatchLineOutcome(line.customID, .answered("late", .ended("", 70)))], of: leased))
            try await harness.expectSums(500, 500)
            #expect(try await harness.store.gatherings().map(\.lines) == [1])
        },
        ConformanceCase("a line that no batch takes costs nothing, and its job goes on at the full price") { harness in
            let lease = try await harness.unhurried()
            _ = try await harness.ask(lease)
            let leased = try await harness.sealed()
            let line = try #require(try await harness.store.openLines(of: leased.batch.id).first)
            #expect(try await harness.store.settle([BatchLineOutcome(line.customID, .failed)], of: leased))
            try await harness.expectSums(0, 0)
            let second = try await harness.claimOne(WorkerID(rawValue: "w1")).lease
            #expect(try await harness.ask(second) == .fullPrice)
        },
        ConformanceCase("the line of a cancelled job is not sent, and is booked to its user when it was") { harness in
            let early = try await harness.unhurried()
            _ = try await harness.ask(early)
            _ = try await harness.store.cancel(early.job, of: nil)
            #expect(try await harness.store.gatheredLines(for: "sonnet", of: "claude", limit: 10).isEmpty)
            try await harness.expectSums(0, 0)

            let late = try await harness.unhurried()
            _ = try await harness.ask(late)
            let leased = try await harness.sealed()
            _ = try await harness.store.cancel(late.job, of: nil)
            let line = try #require(try await harness.store.openLines(of: leased.batch.id).first)
            #expect(
                try await harness.store.settle(
                    [BatchLineOutcome(line.customID, .answered("a", .ended("", 70)))], of: leased))
            try await harness.expectSums(70, 70)
            #expect(try await harness.job(late.job).status == .cancelled)
        },
        ConformanceCase("a line is in one batch at most") { harness in
            _ = try await harness.ask(try await harness.unhurried())
            let lines = try await harness.store.gatheredLines(for: "sonnet", of: "claude", limit: 10)
            let ids = lines.map(\.customID)
            let first = harness.batch("a")
            #expect(try await harness.store.seal(first, of: ids))
            #expect(try await harness.store.seal(harness.batch("b"), of: ids) == false)
            #expect(try await harness.store.gatherings().isEmpty)
            #expect(try await harness.store.batches(limit: 10).map(\.batch.id) == ["a"])
        },
        ConformanceCase("one worker has a batch at a time, and a lost lease changes nothing") { harness in
            _ = try await harness.ask(try await harness.unhurried())
            let first = try await harness.sealed(for: .seconds(60))
            #expect(try await harness.store.takeBatch(of: ["claude"], for: .seconds(60)) == nil)
            harness.clock.advance(by: .seconds(60))
            #expect(try await harness.store.takeBatch(of: ["gemini"], for: .seconds(60)) == nil)
            let second = try #require(try await harness.store.takeBatch(of: ["claude"], for: .seconds(60)))
            #expect(second.batch == first.batch && second.fence > first.fence)
            var sending = first.batch
            _ = sending.apply(.taken, at: harness.clock.now)
            #expect(try await harness.store.change(first, to: sending, keepingFor: .seconds(60)) == false)
            let line = try #require(try await harness.store.openLines(of: first.batch.id).first)
            let outcome = BatchLineOutcome(line.customID, .failed)
            #expect(try await harness.store.settle([outcome], of: first) == false)
            #expect(try await harness.store.openLines(of: first.batch.id).count == 1)

            #expect(try await harness.store.change(second, to: sending, keepingFor: .seconds(30)))
            harness.clock.advance(by: .seconds(30))
            let third = try #require(try await harness.store.takeBatch(of: ["claude"], for: .seconds(60)))
            #expect(third.batch == sending)
            var out = sending
            _ = out.apply(.created(providerID: "p1"), at: harness.clock.now)
            #expect(try await harness.store.change(third, to: out, keepingFor: .zero))
            #expect(try await harness.store.takeBatch(of: ["claude"], for: .seconds(60)) == nil, "it is not due")
            #expect(try await harness.store.knownProviderIDs(of: "claude", since: harness.start) == ["p1"])
        },
        ConformanceCase("an estimate beyond a limit of spend is not booked, and its job runs on") { harness in
            let lease = try await harness.unhurried()
            let reply = try await harness.store.ask(
                harness.question(lease), under: lease, limits: SpendLimits(user: 499))
            guard case .refused(.user, let spend) = reply else {
                Issue.record("\(reply)")
                return
            }
            #expect(spend.user == 0)
            #expect(try await harness.job(lease.job).status == .processing)
            #expect(try await harness.store.gatherings().isEmpty)
        },
        ConformanceCase("collected batches tell how long they took, and are forgotten after their lines") { harness in
            _ = try await harness.ask(try await harness.unhurried())
            var leased = try await harness.sealed(for: .seconds(3600))
            let line = try #require(try await harness.store.openLines(of: leased.batch.id).first)
            for event in [.taken, .created(providerID: "p1"), .ended, .settled] as [ModelBatch.Event] {
                harness.clock.advance(by: .seconds(100))
                if event == .settled {
                    let outcome = BatchLineOutcome(line.customID, .answered("a", .ended("", 70)))
                    #expect(try await harness.store.settle([outcome], of: leased))
                }
                let fits = leased.batch.apply(event, at: harness.clock.now)
                #expect(fits)
                #expect(try await harness.store.change(leased, to: leased.batch, keepingFor: .seconds(3600)))
            }
            let summary = try #require(try await harness.store.batches(limit: 10).first)
            #expect(summary.batch.state == .collected && summary.done == 1 && summary.costMicroDollars == 70)
            #expect(try await harness.store.batchTimes(limit: 50) == [.seconds(400)])
            let now = harness.clock.now
            #expect(try await harness.store.forgetBatches(before: harness.start, limit: 10) == 0)
            #expect(try await harness.store.forgetBatches(before: now + .seconds(1), limit: 10) == 2)
            #expect(try await harness.store.batches(limit: 10).isEmpty)
        },
    ]
}

extension BatchLineKey {
    fileprivate static func draft(_ job: JobID) -> BatchLineKey {
        BatchLineKey(job: job, step: "draft", occurrence: 0, inputHash: "h")
    }
}

extension StoreHarness {
    /// The time at which every case begins.
    fileprivate var start: Timestamp { ManualStoreClock().now }

    /// Submits a job that may take a day, claims it and returns its lease.
    fileprivate func unhurried() async throws -> Lease {
        let deadline = clock.now + .seconds(86_400)
        try await submit { job in
            (job.deadline, job.within) = (deadline, .seconds(86_400))
        }
        return try await claimOne(try await worker()).lease
    }

    fileprivate func question(_ lease: Lease) -> BatchQuestion {
        BatchQuestion(
            key: .draft(lease.job), provider: "claude", model: "sonnet", request: "request of draft",
            estimate: .running("", 500), within: .seconds(86_400), lastChance: start + .seconds(18 * 3600))
    }

    fileprivate func ask(_ lease: Lease) async throws -> BatchReply {
        try await store.ask(question(lease), under: lease, limits: SpendLimits())
    }

    fileprivate func batch(_ id: String) -> ModelBatch {
        ModelBatch(
            id: id, provider: "claude", model: "sonnet", lines: 1, fingerprint: "f", firstLineAt: clock.now,
            sealedAt: clock.now)
    }

    /// Seals what has gathered and takes the batch.
    fileprivate func sealed(for time: Duration = .seconds(60)) async throws -> LeasedBatch {
        let lines = try await store.gatheredLines(for: "sonnet", of: "claude", limit: 10)
        let batch = batch("batch \(lines.map(\.customID))")
        #expect(try await store.seal(batch, of: lines.map(\.customID)))
        return try #require(try await store.takeBatch(of: ["claude"], for: time))
    }
}
