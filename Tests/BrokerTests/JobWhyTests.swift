import DossierAPI
import JSON
import JobQueue
import Testing

@testable import Broker

/// The sentence that tells why a job does not move: the first reason that holds.
@Suite struct JobWhyTests {
    private static let now = Timestamp(milliseconds: 1_800_000_000_000)
    private static let until = now + .seconds(30)
    private static let error = JobError(
        code: ErrorCode(rawValue: "EXT_4001"), message: "The provider answered 500.", userMessage: "")

    private func job(
        _ status: JobStatus, _ block: JobBlock? = nil, error: JobError? = nil, attempt: Int = 0,
        call: JobRecord.RunningCall? = nil, step: String? = nil
    ) -> JobRecord {
        let hasEnded = status == .failed || status == .cancelled || status == .completed
        let job = Job(
            id: JobID(high: 1, low: 2), user: UserID(rawValue: 1), kind: "research", inputText: "null", bundle: "b1",
            status: status, queue: .background, priority: 0, progress: 0, currentStep: step, attempt: attempt,
            maxAttempts: 3, cost: 1, error: error, revision: 1, createdAt: Self.now - .seconds(60),
            startedAt: attempt > 0 ? Self.now - .seconds(50) : nil, completedAt: hasEnded ? Self.now : nil,
            deadline: Self.now + .seconds(600), blockedBy: block)
        return JobRecord(
            job: job, place: 7, subject: "alice", worker: status == .processing ? WorkerID(rawValue: "w1") : nil,
            epoch: 1, requestID: nil, costMicroDollars: 0, call: call)
    }

    private func worker(
        _ id: String = "w1", isAlive: Bool = true, isDraining: Bool = false, busy: Int = 2,
        abilities: WorkerAbilities = WorkerAbilities(kinds: ["research"])
    ) -> WorkerRecord {
        WorkerRecord(
            id: WorkerID(rawValue: id), host: "h", processID: 1, startedAt: Self.now - .seconds(900),
            lastBeatAt: isAlive ? Self.now : Self.now - .seconds(9), isAlive: isAlive, isDraining: isDraining,
            places: 2, abilities: abilities.text, jobs: [], busy: busy)
    }

    private func why(
        _ record: JobRecord, _ workers: [WorkerRecord] = [], _ facts: JobWhy.Facts = JobWhy.Facts()
    ) -> JobWhy? {
        let limits = ["research": ConcurrencyLimits(fleet: 9, perUser: 2)]
        return JobWhy(of: record, in: FleetSight(now: Self.now, workers: workers, limits: limits), facts)
    }

    private func expect(
        _ record: JobRecord, _ workers: [WorkerRecord]? = nil, _ facts: JobWhy.Facts = JobWhy.Facts(), is code: WhyCode,
        naming words: [String],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let found = why(record, workers ?? [worker()], facts)
        #expect(found?.code == code, sourceLocation: sourceLocation)
        for word in words {
            #expect(
                found?.sentence.contains(word) == true, "\(found?.sentence ?? "") lacks \(word)",
                sourceLocation: sourceLocation)
        }
    }

    @Test func aCompletedJobHasNone() { #expect(why(job(.completed), [worker()]) == nil) }

    @Test func aJobThatWaitsForATimeNamesIt() {
        let time = Self.until.iso8601
        expect(job(.pending, .notBefore(Self.until)), is: .scheduled, naming: [time])
        expect(
            job(.pending, .notBefore(Self.until), error: Self.error, attempt: 2), is: .retry,
            naming: [time, "Attempt 2 of 3", "EXT_4001", "The provider answered 500."])
        expect(job(.pending, .batch(until: Self.until)), is: .batch, naming: [time])
        let reasons: [(WaitCause, WhyCode, [String])] = [
            (
                WaitCause(.providerBudget, provider: "claude", budget: "claude/sonnet"), .providerBudget,
                ["claude/sonnet"]
            ),
            (WaitCause(.providerBlocked, provider: "claude", status: 529), .providerBlocked, ["claude", "529"]),
            (WaitCause(.breakerOpen, provider: "gemini", failures: 5), .breakerOpen, ["gemini", "5 calls in a row"]),
            (WaitCause(.breakerOpen), .breakerOpen, ["the provider of its model"]),
            (WaitCause(.sharedWork, work: "annual report 7"), .shared, ["share (annual report 7)"]),
        ]
        for (wait, code, names) in reasons {
            let why = why(job(.pending, .postponed(wait, until: Self.until)))
            #expect(why?.code == code && why?.until == Self.until)
            for name in names + [time] { #expect(why?.sentence.contains(name) == true) }
            for (name, value) in wait.details { #expect(why?.details[name] == value) }
        }
    }

    @Test func aJobBehindAnotherNamesIt() {
        let other = JobID(high: 3, low: 4)
        expect(job(.pending, .earlierJob(other)), is: .serial, naming: [other.description])
        expect(job(.pending, .shared), is: .shared, naming: ["Another job does the same work"])
        let shared = JobWhy.Facts(sharedJob: other)
        expect(job(.pending, .shared), nil, shared, is: .shared, naming: [other.description])
        #expect(why(job(.pending, .shared), [], shared)?.details["job_id"] == JSON(other.description))
        let failed = JobWhy.Facts(failedProvider: "gemini")
        let retried = job(.pending, .notBefore(Self.until), error: Self.error, attempt: 2)
        expect(retried, nil, failed, is: .retry, naming: ["gemini"])
        #expect(why(retried, [], failed)?.details["provider"] == "gemini")
        expect(job(.pending, .limit), is: .slot, naming: ["research", "9 in the fleet"])
        let limited = JobWhy.Facts(permitsOfUser: 2)
        expect(job(.pending, .limit), nil, limited, is: .slot, naming: ["2 for a user"])
        #expect(why(job(.pending, .limit), [], limited)?.details["of"] == "user")
        #expect(why(job(.pending, .limit), [], JobWhy.Facts(permitsOfUser: 1))?.details["of"] == "fleet")
        let opened = job(
            .pending, .postponed(WaitCause(.breakerOpen, provider: "claude", failures: 0), until: Self.until))
        expect(opened, nil, JobWhy.Facts(failures: 7), is: .breakerOpen, naming: ["7 calls in a row"])
    }

    @Test func aReadyJobNamesWhatIsMissing() {
        expect(job(.pending), [], is: .noWorker, naming: ["No worker is alive"])
        expect(job(.pending), [worker(isAlive: false)], is: .noWorker, naming: ["No worker is alive"])
        expect(job(.pending), [worker(isDraining: true)], is: .noWorker, naming: ["all 1 that live are drained"])
        let unable = WorkerAbilities(kinds: [], missing: ["research": "no key for Claude"])
        expect(
            job(.pending), [worker(abilities: unable), worker("w2", isDraining: true)], is: .noCapableWorker,
            naming: ["research", "no key for Claude"])
        let old = WorkerAbilities(kinds: ["research"], unreadableBundles: ["b1"])
        expect(job(.pending), [worker(abilities: old)], is: .noCapableWorker, naming: ["research"])
        // The reason of the worker that gave it back counts only while no other one can run it.
        let given = job(.pending, .postponed(WaitCause(.noCapableWorker), until: Self.until))
        expect(given, [worker(abilities: unable)], is: .noCapableWorker, naming: ["no key for Claude"])
        expect(
            job(.pending), nil, JobWhy.Facts(ahead: 5), is: .queue,
            naming: ["5 jobs are before it", "2 of 2 places are taken"])
        expect(job(.pending), [worker(busy: 0)], is: .queue, naming: ["0 of 2 places are taken"])
    }

    @Test func aReadyJobNamesWhatWorkersWaitForBeforeTheyTakeIt() {
        var held = WorkerAbilities(kinds: ["research"])
        held.held["research"] = HeldKind(
            WaitCause(.providerBudget, provider: "claude", budget: "claude/sonnet"), until: Self.now + .seconds(20))
        expect(
            job(.pending), [worker(busy: 0, abilities: held)], is: .providerBudget,
            naming: ["claude/sonnet", (Self.now + .seconds(20)).iso8601])
        let found = why(job(.pending), [worker(busy: 1, abilities: held), worker("w2")])
        #expect(found?.code == .providerBudget, "the other one has no free place")
        #expect(found?.details["provider"] == "claude" && found?.details["budget"] == "claude/sonnet")
        #expect(found?.details["until"]?.string == found?.until?.iso8601 && found?.until != nil)
        expect(
            job(.pending), [worker(busy: 0, abilities: held), worker("w2", busy: 0)], is: .queue, naming: ["0 of 4"])
        expect(job(.pending), [worker(abilities: held)], is: .queue, naming: ["2 of 2 places are taken"])
        var blocked = WorkerAbilities(kinds: ["research"])
        blocked.held["research"] = HeldKind(
            WaitCause(.providerBlocked, provider: "claude", status: 429), until: Self.now - .seconds(1))
        expect(
            job(.pending), [worker(busy: 0, abilities: blocked)], is: .providerBlocked,
            naming: ["No calls are taken by claude.", "It answered 429."])
    }

    @Test func placesThatAJobCannotHaveAreNotCounted() {
        var reserving = WorkerAbilities(kinds: ["research"])
        reserving.backgroundPlaces = 1
        expect(job(.pending), [worker(busy: 1, abilities: reserving)], is: .queue, naming: ["1 of 1 places"])
        let unable = WorkerAbilities(kinds: [], missing: ["research": "no key for Claude"])
        expect(
            job(.pending), [worker(busy: 2), worker("w2", busy: 0, abilities: unable)], is: .queue,
            naming: ["2 of 2 places"])
    }

    @Test func aRunningJobNamesItsWorkerItsStepAndWhoIsSilent() {
        let running = job(.processing, attempt: 1, step: "draft")
        expect(running, is: .running, naming: ["w1", "draft"])
        expect(running, [worker(isAlive: false)], is: .workerSilent, naming: ["w1", "9 s"])
        expect(running, [], is: .workerSilent, naming: ["w1"])
        let called = { (seconds: Int) in
            self.job(
                .processing, attempt: 1,
                call: JobRecord.RunningCall(
                    provider: "claude", model: "sonnet", heardAt: Self.now - .seconds(seconds)), step: "draft")
        }
        expect(called(1), is: .running, naming: ["hears from claude/sonnet"])
        expect(called(4), is: .providerSilent, naming: ["claude/sonnet", "4 s", "draft"])
        expect(called(4), [worker(isAlive: false)], is: .workerSilent, naming: ["w1"])
    }

    @Test func anEndedJobNamesItsEnd() {
        expect(
            job(.failed, error: Self.error, attempt: 3), is: .failed,
            naming: ["EXT_4001", "3 attempts", "The provider answered 500."])
        expect(job(.cancelled), is: .cancelled, naming: ["cancelled"])
    }
}
