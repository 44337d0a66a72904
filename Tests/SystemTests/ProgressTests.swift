import DossierAPI
import DossierClient
import HTTP
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

    /// Holds each state of a job against the one before.
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
