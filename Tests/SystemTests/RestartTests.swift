import Glibc
import DossierAPI
import JSON
import Simulator
import Testing

extension SystemTests.Crashes {
    @Suite(.serialized) struct RestartTests {
        @Test(.timeLimit(.minutes(10)))
        func jobsFinishAfterEverythingWasKilledAndStartedAgain() async throws {
            let pacing = Pacing(tokensPerSecond: 600, deltaLength: 80)
            try await Fleet.with(pacing: pacing, variables: ["DOSSIER_STARTING_CREDITS": "20"]) { fleet in
                var processes = [try await fleet.startBroker()]
                for _ in 0..<2 { processes.append(try await fleet.startWorker(["--concurrency", "8"])) }
                var ids: [String] = []
                for _ in 0..<12 { ids.append(try await fleet.submit().id) }
                // A client that follows its job from before the crash to the end, over a broker that goes away.
                let first = ids[0]
                async let followed = fleet.state(of: first) { $0.isFinished }
                try await fleet.state(of: ids[1]) { $0.progress > 35 }
                for process in processes { process.signal(SIGKILL) }
                for process in processes { _ = try await process.ended() }
                try await fleet.startBroker()
                for _ in 0..<2 { _ = try await fleet.startWorker(["--concurrency", "8"]) }
                for id in ids {
                    let job = try await fleet.end(of: id)
                    #expect(job.status == "completed" && job.attempt == 1, "\(job)")
                }
                #expect(try await followed.status == "completed")
                try await fleet.expectBalance(used: 12, granted: 20)
                try await fleet.expectCleanAudit()
                #expect(fleet.calls().count <= 24, "more was asked than once before and once after the crash")
                #expect(try await fleet.query("SELECT count(*) FROM model_call") == ["12"])
            }
        }
    }
}
