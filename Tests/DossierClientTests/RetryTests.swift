import Foundation
import Testing

@testable import DossierClient

/// Attempts, pauses, budgets and deadlines of a request.
@Suite struct RetryTests {
    private let pacing = ManualPacing()

    @Test func thePoliciesHaveThePrintedNumbers() {
        func seconds(_ policy: RetryPolicy) -> [Double] {
            (1...7).compactMap { policy.delay(beforeAttempt: $0)?.inSeconds }
        }
        #expect(seconds(.default) == [0, 1, 2])
        #expect(seconds(.conservative) == [0, 2])
        #expect(seconds(.aggressive) == [0, 0.5, 0.9, 1.62, 2.916])
        #expect(seconds(.never) == [0])
        let long = RetryPolicy(maximumAttempts: 7, initialDelay: .seconds(1), maximumDelay: .seconds(5), multiplier: 2)
        #expect(seconds(long) == [0, 1, 2, 4, 5, 5, 5])
    }

    @Test func jitterShortensAPauseAndTheServersWordLengthensIt() {
        let policy = RetryPolicy.default
        #expect(policy.pause(beforeAttempt: 3, retryAfter: nil, random: 1) == .seconds(1))
        #expect(policy.pause(beforeAttempt: 3, retryAfter: nil, random: 0) == .seconds(2))
        #expect(policy.pause(beforeAttempt: 2, retryAfter: .seconds(9), random: 1) == .seconds(9))
        #expect(policy.pause(beforeAttempt: 4, retryAfter: nil, random: 0) == nil)
    }

    @Test func aLostReadIsRepeatedWithANewNameForEachAttempt() async throws {
        let transport = ScriptedTransport { _, number in
            if number < 3 { throw DossierError(.connectionLost) }
            return .data(jobJSON(), headers: ["ETag": #""4w""#])
        }
        let job = try await Dossier.scripted(transport, pacing: pacing).jobs.job("j1")
        #expect(job.revision == 4)
        #expect(pacing.pauses == [.seconds(1), .seconds(2)])
        #expect(Set(transport.requests.compactMap { $0.headers["X-Request-ID"] }).count == 3)
        #expect(transport.requests.allSatisfy { $0.headers["Accept-Version"] == "1.0" })
    }

    @Test func aPostWithoutAKeyIsRepeatedOnlyWhenTheServerCannotHaveSeenIt() async throws {
        for (error, attempts) in [
            (DossierError.Code.connectionLost, 1), (.timedOut, 1), (.cannotConnect, 3), (.offline, 3),
        ] {
            let transport = ScriptedTransport { _, _ in throw DossierError(error) }
            let dossier = Dossier.scripted(transport)
            await #expect(throws: DossierError.self) { try await dossier.send(.post, "/x", as: JSONValue.self) }
            #expect(transport.requests.count == attempts, "\(error)")
        }
        let limited = ScriptedTransport { _, number in number == 1 ? .failure(429, "VAL_3006") : .dossier() }
        let _: JSONValue = try await Dossier.scripted(limited).send(.post, "/x")
        #expect(limited.requests.count == 2)
    }

    @Test func aPostWithAKeyIsRepeatedWithTheSameKeyAndBody() async throws {
        let transport = ScriptedTransport { _, number in
            if number == 1 { throw DossierError(.connectionLost) }
            return number == 2 ? .failure(503, "SYS_5002") : .dossier(200, #"{"a":1}"#)
        }
        let value: JSONValue = try await Dossier.scripted(transport).send(
            .post, "/x", body: ["b": "c"], idempotencyKey: "key")
        #expect(value == ["a": 1])
        #expect(transport.requests.map { $0.headers["Idempotency-Key"] } == ["key", "key", "key"])
        #expect(Set(transport.requests.map(\.body)).count == 1)
    }

    @Test func anErrorThatNamesAJobIsAnOutcome() async throws {
        let transport = ScriptedTransport { _, _ in .failure(503, "EXT_4004", details: #"{"job_id":"j7"}"#) }
        let error = await #expect(throws: DossierError.self) {
            try await Dossier.scripted(transport).ask("Why?", idempotencyKey: "k")
        }
        #expect(error?.jobID == "j7")
        #expect(transport.requests.count == 1)
    }

    @Test func anAnswerThatIsNotDossiersIsNoAnswer() async throws {
        let transport = ScriptedTransport { _, number in
            number == 1 ? TransportResponse(status: 200, headers: [:], body: Data("<html>".utf8)) : .data(jobJSON())
        }
        let dossier = Dossier.scripted(transport)
        #expect(try await dossier.jobs.job("j1").id == "j1")
        #expect(dossier.configuration.connectivity.isConnected)

        let portal = Dossier.scripted(
            ScriptedTransport { _, _ in TransportResponse(status: 404, headers: [:], body: Data()) })
        let error = await #expect(throws: DossierError.self) { try await portal.jobs.job("j1") }
        #expect(error?.code == .foreignAnswer)
        #expect(!portal.configuration.connectivity.isConnected)
    }

    @Test func aPauseThatDoesNotFitIsNotBegun() async throws {
        let transport = ScriptedTransport { _, _ in .failure(503, "SYS_5002", headers: ["Retry-After": "90"]) }
        let error = await #expect(throws: DossierError.self) {
            try await Dossier.scripted(transport, pacing: pacing).jobs.job("j1")
        }
        #expect(error?.retryAfter == .seconds(90))
        #expect(pacing.pauses.isEmpty)
    }

    @Test func anEmptyBudgetMakesTheFirstFailureFinal() async throws {
        let transport = ScriptedTransport { _, _ in throw DossierError(.connectionLost) }
        let dossier = Dossier.scripted(transport, pacing: pacing) {
            $0.retryBudget = RetryBudget(limit: 3, per: .seconds(60), now: { [pacing] in pacing.now })
            $0.retryPolicy.initialDelay = .milliseconds(1)
        }
        for _ in 0..<3 { _ = try? await dossier.jobs.job("j1") }
        #expect(transport.requests.count == 6, "three calls and three retries")
        pacing.advance(by: .seconds(20))
        _ = try? await dossier.jobs.job("j1")
        #expect(transport.requests.count == 8, "one retry has come back")
    }

    @Test func aDrippingAnswerEndsAtTheDeadline() async throws {
        let transport = ScriptedTransport { _, _ in
            try await Task.sleep(for: .seconds(3600))
            return .dossier()
        }
        let dossier = Dossier.scripted(transport) {
            $0.pacing = .standard
            $0.deadline = .milliseconds(50)
        }
        let error = await #expect(throws: DossierError.self) { try await dossier.jobs.job("j1") }
        #expect(error?.code == .timedOut)
        #expect(error?.requestID == transport.requests.first?.headers["X-Request-ID"])
    }

    @Test func whoWasCancelledBeforeSendsNothing() async throws {
        let transport = ScriptedTransport { _, _ in .data(jobJSON()) }
        let dossier = Dossier.scripted(transport)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await dossier.jobs.job("j1")
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(transport.requests.isEmpty)
    }

    @Test func aWordThatTheServerIsReachableEndsAPause() async throws {
        let transport = ScriptedTransport { _, number in
            if number == 1 { throw DossierError(.offline) }
            return .data(jobJSON())
        }
        let paused = ElementBuffer<Duration>()
        let dossier = Dossier.scripted(transport) {
            $0.pacing.sleep = { duration in
                if duration < .seconds(44) { paused.put(duration) }
                try await Task.sleep(for: .seconds(3600))
            }
        }
        let call = Task { try await dossier.jobs.job("j1") }
        #expect(try await paused.next() == .seconds(1))
        dossier.configuration.connectivity.report(.connected)
        #expect(try await call.value.id == "j1")
    }

    @Test func anyOperationCanBeRetried() async throws {
        var attempts = 0
        let policy = RetryPolicy(maximumAttempts: 3, initialDelay: .zero, maximumDelay: .zero, multiplier: 1)
        let value = try await withRetry(policy: policy) {
            attempts += 1
            if attempts < 3 { throw URLError(.networkConnectionLost) }
            return attempts
        }
        #expect(value == 3)
        await #expect(throws: CocoaError.self) {
            try await withRetry(policy: policy) { throw CocoaError(.fileNoSuchFile) }
        }
    }
}
