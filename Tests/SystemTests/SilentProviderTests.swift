import DossierAPI
import BrokerClient
import Foundation
import HTTP
import JSON
import Simulator
import Testing

extension SystemTests.Timing {
    /// A provider that takes calls and says nothing more, beside healthy ones or alone.
    @Suite(.serialized) struct SilentProviderTests {
        /// Short limits for Claude, the silent provider of these tests. The others keep theirs: they answer, however
        /// busy the machine is.
        private func impatientContent(_ fleet: Fleet, deadline: String? = nil) throws -> Fleet.Variables {
            let home = fleet.folder + "/home"
            try Fleet.copyContent(to: home)
            let file = home + "/models.yaml"
            let models = try String(contentsOfFile: file, encoding: .utf8)
            let limits = "    timeouts: { first_byte: 1, first_content: 2, gap: 1 }\n"
            let changed = models.replacingOccurrences(
                of: "    provider: claude\n", with: "    provider: claude\n" + limits)
            try #require(changed != models)
            try changed.write(toFile: file, atomically: true, encoding: .utf8)
            if let deadline {
                try fleet.changeKind(in: home) {
                    $0.replacingOccurrences(of: "deadline: 170 s", with: deadline)
                        .replacingOccurrences(of: "estimate: 30 s", with: "estimate: 5 s")
                }
            }
            return ["DOSSIER_HOME": home]
        }

        private func allProviders(_ fleet: Fleet) -> Fleet.Variables {
            let url = fleet.environment["ANTHROPIC_BASE_URL"]
            return [
                "GEMINI_API_KEY": "simulated", "GEMINI_BASE_URL": url,
                "OPENAI_BASE_URL": (url ?? "") + "/openai/v1",
            ]
        }

        /// The calls of jobs; probes ask for next to nothing.
        private func jobCalls(_ fleet: Fleet) -> [RecordedCall] {
            fleet.simulator.calls(to: .claude).filter { $0.body?["max_tokens"] != 16 }
        }

        @Test(.timeLimit(.minutes(10)))
        func oneStalledProviderOfThreeFailsNoJobAndIsSoonNotWaitedFor() async throws {
            try await Fleet.with { fleet in
                fleet.simulator.faults.add(FaultRule(.stall, service: .claude))
                let content = try impatientContent(fleet)
                try await fleet.startBroker(variables: content)
                var workers: [ChildProcess] = []
                for _ in 0..<2 {
                    workers.append(
                        try await fleet.startWorker(variables: content.merging(allProviders(fleet)) { $1 }))
                }
                func run(users: ClosedRange<Int>) async throws {
                    var ids: [(user: Int, id: String)] = []
                    for user in users { ids.append((user, try await fleet.submit(user: user).id)) }
                    for (user, id) in ids {
                        let job = try await fleet.end(of: id, user: user)
                        #expect(job.status == "completed" && job.attempt == 1 && job.error == nil, "\(job)")
                    }
                }
                try await run(users: 1...4)
                let asked = jobCalls(fleet).count
                #expect(asked >= 2)
                // By now it is known in both processes: no call of a job goes there any more.
                try await eventually("both workers know") {
                    workers.contains { $0.errors.text.contains("model stopped after stalls or failures") }
                }
                try await Task.sleep(for: .seconds(1))
                try await run(users: 5...12)
                #expect(jobCalls(fleet).count == asked)
                try await fleet.expectCleanAudit()
                let stalled = workers.flatMap { $0.errors.records("model call") }.filter { $0["outcome"] == "stalled" }
                #expect(stalled.count >= asked)
                for line in stalled where line["job"] != nil {
                    #expect(line["step"]?.string == "draft" && line["attempt"] == 1, "\(line)")
                    #expect(line["request_id"]?.string?.isEmpty == false, "\(line)")
                    #expect(line["problem"]?.string?.contains("silent for") == true, "\(line)")
                }
            }
        }

        static let silences: [FaultAction] = [
            .stallMidStream(after: 3), .drip(after: 3, every: .seconds(1)), .pings(every: .milliseconds(200)),
        ]

        @Test(.timeLimit(.minutes(10)), arguments: silences)
        func anAnswerThatStopsDripsOrOnlyPingsIsTakenOver(fault: FaultAction) async throws {
            try await Fleet.with { fleet in
                fleet.simulator.faults.add(FaultRule(fault, service: .claude))
                let content = try impatientContent(fleet)
                try await fleet.startBroker(variables: content)
                _ = try await fleet.startWorker(variables: content.merging(allProviders(fleet)) { $1 })
                let job = try await fleet.end(of: try await fleet.submit().id)
                #expect(job.status == "completed" && job.attempt == 1, "\(job)")
                #expect(fleet.simulator.count(of: .gemini) == 1)
                try await fleet.expectBalance(used: 1)
            }
        }

        static let midway: [FaultAction] = [.stallMidStream(after: 20), .drip(after: 3, every: .seconds(1))]

        /// With the limits of the shipped catalogue, and with the 30 s that an app waits for a chat.
        @Test(.timeLimit(.minutes(10)), arguments: midway)
        func answersThatStopOrDripFailNoChat(fault: FaultAction) async throws {
            try await Fleet.with { fleet in
                fleet.simulator.faults.add(FaultRule(fault, service: .claude))
                try await fleet.startBroker()
                let worker = try await fleet.startWorker(variables: allProviders(fleet))
                for round in 0..<2 {
                    let count = round == 0 ? 2 : 6
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for number in 0..<count {
                            group.addTask {
                                let chat = try await fleet.send(
                                    .post, "/api/v1/education/chat",
                                    body: ["question": JSON("What is a moat? \(round) \(number)")])
                                #expect(chat.status == 200, "\(chat.body)")
                            }
                        }
                        try await group.waitForAll()
                    }
                    // Both chats of the first round met the fault, and those of the second round do not.
                    #expect(jobCalls(fleet).count == 2)
                }
                let stalled = worker.errors.records("model call").filter { $0["outcome"] == "stalled" }
                #expect(stalled.count == 2, "\(stalled)")
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func aDeadlineInTheMidstOfACallNamesTheSilentProvider() async throws {
            try await Fleet.with { fleet in
                fleet.simulator.faults.add(FaultRule(.stall, service: .claude))
                let content = try impatientContent(fleet, deadline: "deadline: 10 s")
                try await fleet.startBroker(variables: content)
                let worker = try await fleet.startWorker(variables: content)
                let job = try await fleet.end(of: try await fleet.submit().id)
                #expect(job.status == "failed" && job.error?.code == .deadlinePassed, "\(job)")
                #expect(job.error?.message.contains("Claude (claude-sonnet-5-5)") == true, "\(job)")
                #expect(job.error?.message.contains("of silence, waiting for the first byte") == true, "\(job)")
                let lines = worker.errors.records("model call")
                #expect(lines.map { $0["outcome"]?.string } == ["stalled", "stalled"])
                #expect(lines.allSatisfy { $0["job"]?.string == job.id && $0["step"]?.string == "draft" }, "\(lines)")
                try await fleet.expectBalance(used: 0)
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func callersThatWaitAreAnsweredByTheNextProvider() async throws {
            let site = try ArticleSite()
            try await Fleet.with(variables: ["DOSSIER_FETCH_ALLOW": "127.0.0.1"]) { fleet in
                fleet.simulator.faults.add(FaultRule(.stall, service: .claude))
                let content = try impatientContent(fleet)
                try await fleet.startBroker(variables: content)
                _ = try await fleet.startWorker(variables: content.merging(allProviders(fleet)) { $1 })
                let analysis = try await fleet.send(
                    .post, "/api/analyze",
                    body: [
                        "content_url": JSON(site.url + "/article"), "user_id_hash": "h", "goal_id": "g",
                        "goal_description": "Learn how a model is trained",
                    ])
                #expect(analysis.status == 200, "\(analysis.body)")
                let text = "The central bank raised its interest rate by a quarter of a point on Wednesday."
                let reading = try await fleet.send(.post, "/v1/interpret", body: ["textOrUrl": JSON(text)])
                #expect(reading.status == 200, "\(reading.body)")
                let chat = try await fleet.send(
                    .post, "/api/v1/education/chat", body: ["question": "What is a moat?"])
                #expect(chat.status == 200, "\(chat.body)")
                #expect(jobCalls(fleet).isEmpty == false)
            }
            await site.stop()
        }

        @Test(.timeLimit(.minutes(10)))
        func withEveryProviderStoppedCallersHearSoAtOnceAndJobsArePostponed() async throws {
            try await Fleet.with { fleet in
                fleet.simulator.faults.add(FaultRule(.status(500), service: .claude))
                let content = try impatientContent(fleet)
                // One model for both tiers.
                let models = fleet.folder + "/home/models.yaml"
                try String(contentsOfFile: models, encoding: .utf8)
                    .replacingOccurrences(of: "deep: [claude-sonnet-5-5", with: "deep: [claude-haiku-5-5")
                    .write(toFile: models, atomically: true, encoding: .utf8)
                try await fleet.startBroker(variables: content)
                let worker = try await fleet.startWorker(variables: content)
                let text = "The central bank raised its interest rate by a quarter of a point on Wednesday."
                // Five failures in a row stop the model of the tier `fast`, two in each job.
                for number in 0..<3 {
                    _ = try await fleet.send(.post, "/v1/interpret", body: ["textOrUrl": JSON("\(text) \(number)")])
                }
                _ = try await worker.errors.record("model stopped after stalls or failures")
                let calls = jobCalls(fleet).count
                // The contract of `/v1` has `500` where a model cannot be asked.
                for (path, body, status) in [
                    ("/v1/interpret", ["textOrUrl": JSON(text)] as JSON, 500),
                    ("/api/v1/education/chat", ["question": "What is a moat?"], 503),
                ] {
                    let answer = try await fleet.send(.post, path, body: body)
                    let code = answer.code ?? answer.body["code"]?.string
                    #expect(answer.status == status && code == "EXT_4004", "\(answer.body)")
                    #expect((Int(answer.headers["Retry-After"] ?? "") ?? 0) > 0, "\(answer.headers)")
                }
                #expect(jobCalls(fleet).count == calls)
                // A job that nobody waits for is postponed until the earliest probe.
                let id = try await fleet.submit(user: 2).id
                let job = try await fleet.state(of: id, user: 2) { $0.blockedBy?.reason == "provider" }
                #expect(job.status == "pending" && job.error == nil, "\(job)")
                let line = try await worker.errors.record("attempt snoozed")
                #expect(line["reason"]?.string?.contains("breaker_open") == true, "\(line)")
                #expect(jobCalls(fleet).count == calls)
            }
        }
    }
}
