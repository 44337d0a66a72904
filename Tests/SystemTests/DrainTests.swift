import DossierAPI
import BrokerClient
import Glibc
import HTTP
import JSON
import Simulator
import Testing

extension SystemTests.Timing {
    @Suite(.serialized) struct DrainTests {
        /// A worker gives its jobs 20 s; then come the last writes, on a machine that may be busy.
        private static let bound: Duration = .seconds(120)

        @Test(.timeLimit(.minutes(10)))
        func aTermSignalLetsARunningJobFinishAndClaimsNoOther() async throws {
            try await Fleet.with(pacing: Pacing(tokensPerSecond: 1000, deltaLength: 80)) { fleet in
                try await fleet.startBroker()
                let worker = try await fleet.startWorker()
                fleet.tempo.hold(after: 15)
                let id = try await fleet.submit().id
                try await fleet.state(of: id) { $0.progress > 31 }
                worker.signal(SIGTERM)
                _ = try await worker.errors.record("draining")
                let late = try await fleet.submit().id
                fleet.tempo.release()
                #expect(try await worker.ended() == .code(0))
                let job = try await fleet.client().job(id)
                #expect(job.status == "completed" && job.attempt == 1, "\(job)")
                #expect(try await fleet.client().job(late).status == "pending", "a draining worker claimed a job")
                #expect(fleet.calls().count == 1)
                try await fleet.expectBalance(used: 1, held: 1)
                #expect(try await fleet.query("SELECT count(*) FROM worker") == ["0"])
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func aJobThatOutlastsTheDrainIsReleasedWithItsJournal() async throws {
            try await Fleet.with { fleet in
                fleet.fail(.inventedFigure, user: 1, times: 1)
                fleet.fail(.stallMidStream(after: 5), user: 1, times: 1)
                try await fleet.startBroker()
                let worker = try await fleet.startWorker()
                let id = try await fleet.submit().id
                try await eventually("the repair's call") { fleet.calls().count == 2 }
                worker.signal(SIGTERM)
                let asked = ContinuousClock.now
                #expect(try await worker.ended() == .code(0))
                let time = ContinuousClock.now - asked
                #expect(time < Self.bound, "the drain took \(time)")
                let waiting = try await fleet.client().job(id)
                #expect(waiting.status == "pending" && waiting.error == nil, "\(waiting)")
                #expect(waiting.attempt == 1, "an interrupted attempt keeps its number")

                let filings = fleet.simulator.count(of: .sec)
                _ = try await fleet.startWorker()
                let job = try await fleet.end(of: id)
                #expect(job.status == "completed" && job.attempt == 1, "\(job)")
                #expect(job.progress == 100)
                let calls = fleet.calls()
                #expect(calls.count == 3, "the draft stood in the journal and was asked for again")
                if calls.count == 3 {
                    #expect(calls[0].bodyHash != calls[1].bodyHash && calls[1].bodyHash == calls[2].bodyHash)
                    try await eventually("the end of the first repair") {
                        fleet.calls()[1].outcome == .brokenOff(status: 200)
                    }
                }
                #expect(fleet.simulator.count(of: .sec) == filings, "the filings stood in the journal")
                try await fleet.expectBalance(used: 1)
                try await fleet.expectCleanAudit()
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func aDrainingBrokerWithAWorkerStillAnswersOtherClients() async throws {
            try await Fleet.with(pacing: Pacing(tokensPerSecond: 1000, deltaLength: 80)) { fleet in
                let serve = try fleet.start(["serve", "--listen", "127.0.0.1:0"])
                fleet.use(try await serve.errors.record("listening")["url"]?.string ?? "")
                fleet.tempo.hold(after: 15)
                let id = try await fleet.submit().id
                try await fleet.state(of: id) { $0.progress > 31 }
                async let poll = fleet.send(.get, "/api/v1/jobs/\(id)?wait=60")
                try await eventually("a worker") { try await fleet.send(.get, "/ready").status == 200 }
                serve.signal(SIGTERM)
                _ = try await serve.errors.record("draining")
                // A proxy sends nothing new, while clients follow their jobs.
                #expect(try await fleet.send(.get, "/ready").status == 503)
                #expect(try await fleet.send(.get, "/api/v1/jobs/\(id)").status == 200)
                fleet.tempo.release()
                #expect(try await serve.ended() == .code(0))
                // A waiting poll gets an answer or a closed connection; it never hangs.
                _ = try? await poll
                try await fleet.startBroker()
                let job = try await fleet.client().job(id)
                #expect(job.status == "completed" && job.attempt == 1, "\(job)")
                try await fleet.expectBalance(used: 1)
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func anIdleWorkerAndAnIdleBrokerStopAtOnce() async throws {
            try await Fleet.with { fleet in
                let broker = try await fleet.startBroker()
                let worker = try await fleet.startWorker()
                let start = ContinuousClock.now
                for process in [broker, worker] { process.signal(SIGTERM) }
                for process in [broker, worker] { #expect(try await process.ended() == .code(0)) }
                #expect(ContinuousClock.now - start < .seconds(60))
            }
        }
    }
}
