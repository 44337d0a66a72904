import Foundation
import Synchronization
import TestSupport
import Testing

@testable import DossierClient

/// One tap, one job, whatever happens.
@Suite(.timeLimit(.minutes(2))) struct SubmissionTests {
    private let store = MemorySubmissionStore()
    private let tap = Submission(QuizInput(topic: "bonds"), priority: 3)

    private func dossier(
        _ server: JobServer, store: any SubmissionStore, user: String = "1", now: Date = Date()
    ) -> Dossier {
        Dossier.scripted(server.transport, authentication: DevelopmentAuthentication(user: user)) {
            $0.submissionStore = store
            $0.now = { now }
        }
    }

    @Test func theEventsOfASubmissionComeInOrder() async throws {
        let server = JobServer()
        var events: [String] = []
        for try await event in dossier(server, store: store).jobs.run(tap) {
            switch event {
            case .accepted(let job): events.append("accepted \(job.id)")
            case .progress(let job): events.append("\(job.status) \(job.progress)")
            case .completed(let output, let job):
                events.append("\(output.answer) \(job.status)")
                #expect(await store.all().count == 1, "it is kept until the next element is asked for")
            }
        }
        // A reader that is slower than the source gets the latest state.
        let all = ["accepted j1", "processing 30", "processing 60", "completed 90", "42 completed"]
        #expect(events == all.filter(events.contains), "in order, and each once")
        #expect(events.first == all.first && events.suffix(2) == all.suffix(2))
        #expect(await store.all().isEmpty)
    }

    @Test func nothingIsSentBeforeItIsStored() async throws {
        struct FullStore: SubmissionStore {
            func save(_ submission: SavedSubmission) throws { throw CocoaError(.fileWriteOutOfSpace) }
            func submission(_ id: IdempotencyKey) -> SavedSubmission? { nil }
            func all() -> [SavedSubmission] { [] }
            func remove(_ id: IdempotencyKey) {}
        }
        let server = JobServer()
        let error = await #expect(throws: DossierError.self) {
            try await dossier(server, store: FullStore()).jobs.output(of: tap)
        }
        #expect(error?.code == .storageFailed)
        #expect(server.transport.requests.isEmpty)
    }

    @Test func theAnswerToTheFirstRequestMayBeLost() async throws {
        let server = JobServer(loses: { $0.method == .post && $1 <= 2 })
        let output = try await dossier(server, store: store).jobs.output(of: tap)
        #expect(output.answer == 42)
        #expect(server.jobs == [tap.id.rawValue: "j1"])
        #expect(server.transport.requests.filter { $0.method == .post }.count == 3)
    }

    @Test func aSubmissionIsResumedWithItsStoredBytes() async throws {
        let server = JobServer(loses: { request, _ in request.method == .post })
        await #expect(throws: DossierError.self) { try await dossier(server, store: store).jobs.submit(tap) }
        let saved = try #require(try await dossier(server, store: store).submissions.unfinished().first)
        #expect(saved.jobID == nil)
        #expect(saved.body == ["kind": "quiz", "input": ["topic": "bonds"], "priority": 3])

        // The app was updated: its input has another form now.
        let updated = Submission(
            QuizInput(topic: "bonds", lastSeenAt: .distantPast), priority: 3, idempotencyKey: saved.id)
        let working = JobServer()
        let output = try await dossier(working, store: store).jobs.output(of: updated)
        #expect(output.answer == 42)
        let bodies = (server.transport.requests + working.transport.requests).filter { $0.method == .post }.map(\.body)
        #expect(Set(bodies).count == 1)
    }

    @Test func aSubmissionIsReadBackAsItWas() async throws {
        let date = Date(timeIntervalSince1970: 1_800_000_000.25)
        let submission = Submission(
            QuizInput(topic: "a_b"), priority: -4, notBefore: date, within: .milliseconds(7_200_500), createdAt: date)
        let saved = try SavedSubmission(submission, account: "1")
        #expect(try saved.submission(of: QuizInput.self) == submission)
        #expect(saved.body["within"] == 7200)
        #expect(throws: DossierError.self) { try saved.submission(of: ResearchInput.self) }
        let untyped = try saved.submission(of: UntypedInput.self)
        #expect(untyped.input == UntypedInput(kind: "quiz", input: ["topic": "a_b"]))
        #expect(try SavedSubmission(untyped, account: "1") == saved)
    }

    @Test func aKnownJobIsFollowedAndNotSentAgain() async throws {
        let server = JobServer()
        let dossier = dossier(server, store: store)
        let job = try await dossier.jobs.submit(tap)
        #expect(try await dossier.submissions.unfinished().first?.jobID == job.id)
        #expect(try await dossier.jobs.output(of: tap).answer == 42)
        #expect(server.transport.requests.filter { $0.method == .post }.count == 1)
    }

    @Test func whatWasNeverAcknowledgedIsNotSentAfterADay() async throws {
        let server = JobServer()
        let made = Date(timeIntervalSince1970: 1_800_000_000)
        let old = Submission(QuizInput(topic: "x"), createdAt: made)
        try await store.save(SavedSubmission(old, account: "1"))
        let error = await #expect(throws: DossierError.self) {
            try await dossier(server, store: store, now: made.addingTimeInterval(86_401)).jobs.output(of: old)
        }
        #expect(error?.code == .submissionExpired)
        #expect(server.transport.requests.isEmpty)
        #expect(await store.all().isEmpty)

        // With a job it can be resumed at any age.
        let earlier = dossier(server, store: store, now: made)
        _ = try await earlier.jobs.submit(old)
        let later = dossier(server, store: store, now: made.addingTimeInterval(1e7))
        #expect(try await later.jobs.output(of: old).answer == 42)
    }

    @Test func usersSeeAndSendOnlyTheirOwn() async throws {
        let server = JobServer(loses: { request, _ in request.method == .post })
        _ = try? await dossier(server, store: store, user: "ann").jobs.submit(tap)
        let other = dossier(server, store: store, user: "bob")
        #expect(try await other.submissions.unfinished().isEmpty)
        let sent = server.transport.requests.count
        await #expect(throws: DossierError.self) { try await other.jobs.submit(tap) }
        #expect(server.transport.requests.count == sent)
        try await other.forgetLocalData()
        #expect(await store.all().count == 1)
    }

    @Test func finalOutcomesAreForgottenAndOthersKept() async throws {
        let fates: [(JobServer, DossierError.Code, isKept: Bool)] = [
            (JobServer(ending: "failed"), .internal, false),
            (JobServer(ending: "cancelled"), .jobCancelled, false),
            (JobServer(refuses: { _, _ in .failure(403, "BIZ_2001") }), .insufficientCredits, false),
            (JobServer(refuses: { _, _ in .failure(422, "VAL_3001") }), .validationFailed, false),
            (JobServer(refuses: { _, _ in .failure(401, "AUTH_1002") }), .tokenInvalid, true),
            (JobServer(refuses: { _, _ in .failure(503, "EXT_4003") }), .database, true),
            (JobServer(refuses: { _, _ in .failure(429, "VAL_3006") }), .rateLimited, true),
            (
                JobServer(refuses: { _, _ in TransportResponse(status: 403, headers: [:], body: Data()) }),
                .foreignAnswer, true
            ),
        ]
        for (server, code, isKept) in fates {
            let store = MemorySubmissionStore()
            let error = await #expect(throws: DossierError.self) {
                try await dossier(server, store: store).jobs.output(of: tap)
            }
            #expect(error?.code == code)
            #expect(await store.all().isEmpty != isKept, "\(code)")
        }
    }

    @Test func aCancelledTaskCanTakeItsJobAlong() async throws {
        let server = JobServer(ending: "processing")
        let dossier = dossier(server, store: store)
        let task = Task { try await dossier.jobs.output(of: tap, onCancellation: .cancelJob) }
        #expect(await eventually { !server.jobs.isEmpty && server.transport.requests.count > 3 })
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        let isCancelled = await eventually { server.transport.lines.contains("POST /api/v1/jobs/j1/cancel") }
        #expect(isCancelled)
        let isForgotten = await eventually { await store.all().isEmpty }
        #expect(isForgotten)
    }

    @Test func aTaskThatIsCancelledBetweenTwoEventsTakesItsJobAlong() async throws {
        let server = JobServer(ending: "processing")
        let dossier = dossier(server, store: store)
        let task = Task {
            for try await event in dossier.jobs.run(tap, onCancellation: .cancelJob) {
                if case .accepted = event { withUnsafeCurrentTask { $0?.cancel() } }
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        let isCancelled = await eventually { server.transport.lines.contains("POST /api/v1/jobs/j1/cancel") }
        #expect(isCancelled)
        let isForgotten = await eventually { await store.all().isEmpty }
        #expect(isForgotten)
    }

    @Test func aLoopThatIsLeftLeavesItsJobRunning() async throws {
        let server = JobServer()
        let dossier = dossier(server, store: store)
        for try await _ in dossier.jobs.run(tap, onCancellation: .cancelJob) { break }
        #expect(try await dossier.jobs.output(of: tap).answer == 42, "the submission is still there")
        #expect(!server.transport.lines.contains { $0.hasSuffix("/cancel") })
    }

    @Test func aRetryThatWasTakenIsNotSentTwice() async throws {
        let transport = ScriptedTransport { request, number in
            if request.method == .post { throw DossierError(.connectionLost) }
            let (status, revision) = number == 1 ? ("failed", 4) : ("pending", 5)
            return .data(jobJSON("j1", status), headers: ["ETag": "\"\(revision)\""])
        }
        let job = try await Dossier.scripted(transport).jobs.retry("j1")
        #expect(job.status == .pending)
        #expect(transport.lines.filter { $0.hasPrefix("POST") }.count == 1)
    }

    // MARK: Files

    @Test func whatAKilledProcessLeftHalfWrittenIsRemovedWhenItIsOld() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = FileSubmissionStore(directory: folder)
        try await files.save(try SavedSubmission(tap, account: "1"))
        let (old, young) = (folder.appending(path: ".dat.nosync1.a"), folder.appending(path: ".dat.nosync2.b"))
        for file in [old, young] { try Data("{".utf8).write(to: file) }
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -120)], ofItemAtPath: old.path)
        #expect(try await files.all().count == 1)
        #expect(!FileManager.default.fileExists(atPath: old.path))
        #expect(FileManager.default.fileExists(atPath: young.path), "somebody may be writing it")
    }

    @Test func filesOutliveTheStoreAndAnUnreadableOneIsSkipped() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = FileSubmissionStore(directory: folder)
        #expect(try await files.all().isEmpty)
        let saved = try SavedSubmission(tap, account: "1")
        try await files.save(saved)
        let broken = folder.appending(path: "broken.json")
        try Data("{".utf8).write(to: broken)

        let again = FileSubmissionStore(directory: folder)
        #expect(try await again.all() == [saved])
        #expect(try await again.submission(tap.id) == saved)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(!names.contains { $0.contains(tap.id.rawValue) })
        try await again.remove(tap.id)
        try await again.remove(tap.id)
        #expect(try await files.all().isEmpty)
        #expect(FileManager.default.fileExists(atPath: broken.path), "what cannot be read is left alone")
    }
}
