import DossierAPI
import BrokerClient
import JSON
import Simulator
import Testing

extension SystemTests.Surface {
    /// `jobs/research.yaml` allows three attempts; each asks every candidate of the tier once.
    @Suite(.serialized) struct ProviderFailureTests {
        private static let attempts = 3

        /// Failures that another attempt can cure.
        static let passing: [FaultAction] = [
            .status(529), .status(500), .cut(after: 3), .errorMidStream(after: 3), .malformedStream,
        ]

        @Test(.timeLimit(.minutes(10)), arguments: passing)
        func aProviderThatKeepsFailingIsAskedOncePerAttemptAndNothingIsCharged(_ fault: FaultAction) async throws {
            try await Fleet.with { fleet in
                fleet.simulator.faults.add(FaultRule(fault, service: .claude))
                try await fleet.startBroker()
                _ = try await fleet.startWorker()
                let job = try await fleet.end(of: try await fleet.submit().id)
                #expect(job.status == "failed" && job.attempt == Self.attempts, "\(job)")
                #expect(job.error?.code == .claude)
                #expect(fleet.calls().count == Self.attempts)
                try await fleet.expectBalance(used: 0)
                try await fleet.expectCleanAudit()
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func whereTwoProvidersFailEachIsAskedOncePerAttempt() async throws {
            try await Fleet.with { fleet in
                let variables = Self.withGemini(fleet)
                for service in [SimulatedService.claude, .gemini] {
                    fleet.simulator.faults.add(FaultRule(.status(529), service: service))
                }
                try await fleet.startBroker()
                _ = try await fleet.startWorker(variables: variables)
                let job = try await fleet.end(of: try await fleet.submit().id)
                #expect(job.status == "failed" && job.attempt == Self.attempts)
                #expect(job.error?.code.rawValue.hasPrefix("EXT_") == true, "\(job)")
                #expect(fleet.simulator.count(of: .claude) == Self.attempts)
                #expect(fleet.simulator.count(of: .gemini) == Self.attempts)
                try await fleet.expectBalance(used: 0)
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func anotherProviderAnswersWithinTheSameAttemptAndProgressNeverGoesBack() async throws {
            try await Fleet.with(pacing: Pacing(tokensPerSecond: 1500, deltaLength: 80)) { fleet in
                fleet.simulator.faults.add(FaultRule(.errorMidStream(after: 30), service: .claude))
                try await fleet.startBroker()
                let variables = Self.withGemini(fleet)
                _ = try await fleet.startWorker(variables: variables)
                let id = try await fleet.submit().id
                var highest = 0
                for try await job in fleet.client().updates(of: id) {
                    #expect(job.progress >= highest, "\(highest) went back to \(job.progress)")
                    highest = job.progress
                }
                let job = try await fleet.end(of: id)
                #expect(job.status == "completed" && job.attempt == 1, "\(job)")
                #expect(fleet.calls().count == 1 && fleet.simulator.count(of: .gemini) == 1)
                let calls = try await fleet.result(of: id)["provenance"]?["model_calls"]?.array
                #expect(calls?.map { $0["provider"]?.string } == ["gemini"])
                try await fleet.expectBalance(used: 1)
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func aRecoveredProviderCostsAnAttemptAndOneCredit() async throws {
            try await Fleet.with { fleet in
                fleet.simulator.faults.add(FaultRule(.status(529), service: .claude, times: 1))
                try await fleet.startBroker()
                _ = try await fleet.startWorker()
                let id = try await fleet.submit().id
                let job = try await fleet.end(of: id)
                #expect(job.status == "completed" && job.attempt == 2 && job.error == nil, "\(job)")
                #expect(fleet.calls().count == 2)
                try await fleet.expectBalance(used: 1)
                try await fleet.expectCleanAudit()
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func aProviderThatNamesAPauseIsNotCalledDuringIt() async throws {
            let pause = 4
            try await Fleet.with { fleet in
                fleet.simulator.faults.add(
                    FaultRule(.rateLimit(.perMinute, retryAfter: .seconds(pause)), service: .claude, times: 1))
                try await fleet.startBroker()
                _ = try await fleet.startWorker()
                let id = try await fleet.submit().id
                #expect(try await fleet.end(of: id).status == "completed")
                let calls = fleet.calls()
                #expect(calls.count == 2)
                if calls.count == 2, let refused = calls[0].finishedAt {
                    #expect(calls[1].startedAt - refused >= Int64(pause * 1000))
                }
                try await fleet.expectBalance(used: 1)
            }
        }

        /// Failures that no attempt can cure.
        static let lasting: [FaultAction] = [
            .status(400), .status(401), .status(402), .status(403), .status(404), .status(413),
            .rateLimit(.perDay, retryAfter: nil), .rateLimit(.spendLimit, retryAfter: nil),
            .rateLimit(.ownSpendLimit, retryAfter: nil),
        ]

        @Test(.timeLimit(.minutes(10)))
        func aRefusalOfTheRequestIsFinalAfterOneCall() async throws {
            try await Fleet.with { fleet in
                try await fleet.startBroker()
                _ = try await fleet.startWorker()
                for (number, fault) in Self.lasting.enumerated() {
                    let user = number + 1
                    fleet.fail(fault, user: user)
                    let job = try await fleet.end(of: try await fleet.submit(user: user).id, user: user)
                    #expect(job.status == "failed" && job.attempt == 1, "\(fault.name): \(job)")
                    #expect(["EXT_4004", "SYS_5001"].contains(job.error?.code.rawValue), "\(fault.name): \(job)")
                    #expect(fleet.calls(of: user).count == 1, "\(fault.name)")
                    try await fleet.expectBalance(user: user, used: 0)
                }
                try await fleet.expectCleanAudit()
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func keysThatAllProvidersRefuseAreFinalAfterOneCallEach() async throws {
            try await Fleet.with { fleet in
                for service in [SimulatedService.claude, .gemini] {
                    fleet.simulator.faults.add(FaultRule(.status(401), service: service))
                }
                try await fleet.startBroker()
                _ = try await fleet.startWorker(variables: Self.withGemini(fleet))
                let job = try await fleet.end(of: try await fleet.submit().id)
                #expect(job.status == "failed" && job.attempt == 1, "\(job)")
                #expect(fleet.simulator.count(of: .claude) == 1)
                #expect(fleet.simulator.count(of: .gemini) == 1)
                try await fleet.expectBalance(used: 0)
            }
        }

        private static func withGemini(_ fleet: Fleet) -> Fleet.Variables {
            ["GEMINI_API_KEY": "simulated", "GEMINI_BASE_URL": fleet.environment["ANTHROPIC_BASE_URL"]]
        }
    }
}
