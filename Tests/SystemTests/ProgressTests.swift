import TestSupport
import DossierAPI
import BrokerClient
import HTTP
import JSON
import Simulator
import Synchronization
import Testing

extension SystemTests.Surface {
    @Suite(.serialized) struct ProgressTests {
        @Test(.timeLimit(.minutes(10)))
        func progressNeverGoesBackAndACompletedJobAlwaysHasItsResult() async throws {
            try await Fleet.with(pacing: Pacing(tokensPerSecond: 2000, deltaLength: 80)) { fleet in
                // A failed attempt starts over; a draft that needs a repair must not.
                fleet.fail(.cut(after: 20), user: 1, times: 1)
                fleet.fail(.inventedFigure, user: 2, times: 1)
                try await fleet.startBroker()
                _ = try await fleet.startWorker()
                // No job ends before every listener has seen it begin.
                fleet.tempo.hold(after: 60)
                let late = Mutex(Set(1...6))
                let seen: @Sendable (Int) -> Void = { user in
                    let isLast = late.withLock { $0.remove(user) != nil && $0.isEmpty }
                    if isLast { fleet.tempo.release() }
                }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for user in 1...6 {
                        let id = try await fleet.submit(user: user).id
                        group.addTask { try await poll(id, user, fleet) }
                        group.addTask { try await listen(to: id, user, fleet, seen) }
                    }
                    try await group.waitForAll()
                }
            }
        }

        /// Asks as fast as it can.
        private func poll(_ id: String, _ user: Int, _ fleet: Fleet) async throws {
            var watch = ProgressWatch(who: "a poller")
            while true {
                let job = try await fleet.client(user).job(id)
                watch.see(job)
                guard job.isFinished else { continue }
                try await expectResult(of: job, user, fleet)
                return
            }
        }

        private func listen(
            to id: String, _ user: Int, _ fleet: Fleet, _ seen: @Sendable (Int) -> Void
        ) async throws {
            var watch = ProgressWatch(who: "a listener")
            for try await job in fleet.client(user).updates(of: id) {
                watch.see(job)
                seen(user)
                if job.isFinished { try await expectResult(of: job, user, fleet) }
            }
            #expect(watch.count > 1, "\(watch.count) events are no progress")
            #expect(watch.last?.isFinished == true)
        }

        private func expectResult(of job: JobResource, _ user: Int, _ fleet: Fleet) async throws {
            #expect(job.status == "completed" && job.progress == 100, "\(job)")
            let result = try await fleet.send(.get, "/api/v1/jobs/\(job.id)/result", user: user)
            #expect(result.status == 200, "completed was visible before the result")
        }
    }

    /// Compares each state of a job with the one before.
    struct ProgressWatch {
        let who: String
        private(set) var last: JobResource?
        private(set) var count = 0

        init(who: String) { self.who = who }

        mutating func see(_ job: JobResource) {
            if let last {
                #expect(job.attempt >= last.attempt, "\(who) saw attempt \(last.attempt) become \(job.attempt)")
                if job.attempt == last.attempt {
                    #expect(job.progress >= last.progress, "\(who) saw \(last.progress) go back to \(job.progress)")
                }
                #expect(!last.isFinished || job == last, "\(who) saw an ended job change")
            }
            last = job
            count += 1
        }
    }
}

extension SystemTests.Surface {
    /// These fleets run only the test's jobs: no other job's change wakes a waiter by luck.
    @Suite(.serialized) struct LongPollTests {
        @Test(.timeLimit(.minutes(10)))
        func aWaitingPollNeverMissesTheEnd() async throws {
            try await Fleet.with(variables: ["DOSSIER_STARTING_CREDITS": "1000"]) { fleet in
                try await fleet.startBroker()
                var random = SeededRandom()
                print("polls and cancels race by seed \(random.seed)")
                for _ in 0..<60 {
                    let id = try await fleet.submit().id
                    let pause = Int.random(in: 0...3000, using: &random)
                    let start = ContinuousClock.now
                    async let waiting = fleet.client().job(id, wait: 60)
                    // The end comes before, while and after the poll begins to wait.
                    try await Task.sleep(for: .microseconds(pause))
                    _ = try await fleet.client().cancel(id)
                    #expect(try await waiting.status == "cancelled")
                    #expect(ContinuousClock.now - start < .seconds(50), "the poll slept through the end")
                }
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func theEventStreamOfEndedJobsEnds() async throws {
            try await Fleet.with { fleet in
                try await fleet.startBroker()
                let ids = [try await fleet.submit().id, try await fleet.submit().id]
                for id in ids { _ = try await fleet.client().cancel(id) }
                for path in ["/api/v1/jobs/\(ids[0])/events", "/api/v1/events?jobs=\(ids[0]),\(ids[1])"] {
                    let text = try await fleet.text(path)
                    #expect(text.contains("event: cancelled") && text.contains(ids[0]), "\(text)")
                }
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func aWaitingPollAnswersAtAChangeAndAtItsTimeLimit() async throws {
            try await Fleet.with { fleet in
                try await fleet.startBroker()
                let id = try await fleet.submit().id
                let path = "/api/v1/jobs/\(id)"
                let tag = try #require(try await fleet.send(.get, path).headers["ETag"])
                #expect(try await fleet.send(.get, path, headers: ["If-None-Match": tag]).status == 304)
                // The test is about time itself.
                let start = ContinuousClock.now
                #expect(try await fleet.send(.get, path + "?wait=1", headers: ["If-None-Match": tag]).status == 304)
                #expect(ContinuousClock.now - start >= .seconds(1))
                async let change = fleet.send(.get, path + "?wait=30", headers: ["If-None-Match": tag])
                _ = try await fleet.client().cancel(id)
                let answer = try await change
                #expect(answer.status == 200 && answer.data["status"] == "cancelled")
                #expect(try await fleet.send(.get, path + "?wait=61").status == 422)
            }
        }
    }
}
