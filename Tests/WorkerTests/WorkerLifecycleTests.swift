import Agents
import SQLSupport
import SQLiteStore
import JSON
import JobQueue
import TestSupport
import Testing
import Worker

/// Cancellation, drain, death and progress of running jobs.
@Suite(.serialized, .timeLimit(.minutes(10))) struct WorkerLifecycleTests {
    @Test func cancelledJobIsStoppedAndItsLateProgressAndResultAreIgnored() async throws {
        try await Fixture.with { fixture in
            let (started, stopped) = (Signal(), Signal())
            let worker = fixture.worker { context in
                started.fire()
                await untilCancelled()
                stopped.fire()
                context.progress("write", fraction: 0.9)
                return "too late"
            }
            let id = try await fixture.submit()
            try await fixture.running(worker) {
                await started.wait()
                _ = try await fixture.store.cancel(id, of: nil)
                await stopped.wait()
            }
            let job = try await fixture.job(id)
            #expect(job.status == .cancelled && job.progress == 0)
            #expect(try await fixture.result(of: id) == nil)
            #expect(try await fixture.credits() == "0 held, 0 used")
        }
    }

    // MARK: Drain

    @Test func drainLetsJobsFinishAndClaimsNoMore() async throws {
        try await Fixture.with { fixture in
            let (started, drained) = (Signal(), Signal())
            let worker = fixture.worker { _ in
                started.fire()
                await drained.wait()
                return "finished"
            }
            let running = try await fixture.submit()
            let task = Task { await worker.run() }
            await started.wait()
            worker.drain()
            let waiting = try await fixture.submit()
            drained.fire()
            await task.value
            #expect(try await fixture.job(running).status == .completed)
            let left = try await fixture.job(waiting)
            #expect(left.status == .pending && left.attempt == 0)
        }
    }

    @Test func aWorkerThatAnOperatorDrainsHandsItsJobsBackAndStays() async throws {
        try await Fixture.with { fixture in
            let (started, stopped) = (Signal(), Signal())
            let runs = Counter()
            let worker = fixture.worker {
                $0.drainCheckInterval = .milliseconds(10)
                $0.heldGrace = .milliseconds(10)
            } script: { _ throws(AgentError) in
                guard runs.increment() == 1 else { return "the second run" }
                started.fire()
                await untilCancelled()
                stopped.fire()
                throw .interrupted
            }
            let id = try await fixture.submit()
            try await fixture.running(worker) {
                await started.wait()
                let name = WorkerID(rawValue: "worker-1")
                try await fixture.store.setDraining(true, of: name, audit: nil)
                await stopped.wait()
                let held = try await fixture.wait(for: id) { $0.status == .pending }
                #expect(held.attempt == 1)
                let other = try await fixture.submit()
                // The worker lives, and has looked for jobs since.
                let beats = try await fixture.store.heartbeats().first?.count ?? 0
                while try await fixture.store.heartbeats().first?.count ?? 0 < beats + 5 { await Task.yield() }
                #expect(try await fixture.job(other).status == .pending && runs.count == 1)
                try await fixture.store.setDraining(false, of: name, audit: nil)
                #expect(try await fixture.end(of: id).attempt == 1)
                #expect(try await fixture.end(of: other).status == .completed)
            }
        }
    }

    @Test func jobThatOutlastsTheDrainIsReleasedWithoutLosingAnAttempt() async throws {
        try await Fixture.with { fixture in
            let started = Signal()
            let first = fixture.worker {
                $0.drainGrace = .milliseconds(50)
            } script: { _ throws(AgentError) in
                started.fire()
                await untilCancelled()
                throw .interrupted
            }
            let id = try await fixture.submit()
            let task = Task { await first.run() }
            await started.wait()
            first.drain()
            await task.value
            let left = try await fixture.job(id)
            #expect(left.status == .pending && left.attempt == 1)
            #expect(try await fixture.credits() == "1 held, 0 used")

            try await fixture.running(fixture.worker { context in JSON(context.job.attempt) }) {
                let job = try await fixture.end(of: id)
                #expect(job.status == .completed && job.attempt == 1)
            }
        }
    }

    @Test func workerThatDrainsBeforeItStartsReturns() async throws {
        try await Fixture.with { fixture in
            let worker = fixture.worker { _ in "never" }
            worker.drain()
            worker.drain()
            await worker.run()
            let beats = try await fixture.store.heartbeats()
            #expect(beats.isEmpty)
        }
    }

    @Test func cancelledTaskDrains() async throws {
        try await Fixture.with { fixture in
            let started = Signal()
            let worker = fixture.worker {
                $0.drainGrace = .milliseconds(50)
            } script: { _ throws(AgentError) in
                started.fire()
                await untilCancelled()
                throw .interrupted
            }
            let id = try await fixture.submit()
            let task = Task { await worker.run() }
            await started.wait()
            task.cancel()
            await task.value
            #expect(try await fixture.job(id).status == .pending)
            #expect(try await fixture.store.heartbeats().isEmpty)
        }
    }

    // MARK: Death

    @Test func workerDeclaredDeadStartsOverAndItsOldRunChangesNothing() async throws {
        try await Fixture.with { fixture in
            let (started, release) = (Signal(), Signal())
            let runs = Counter()
            let worker = fixture.worker { context in
                guard runs.increment() == 1 else { return "of the second run" }
                started.fire()
                // Ignores cancellation, like a suspended process.
                await release.wait()
                context.progress("write", fraction: 0.99)
                return "of the first run"
            }
            let id = try await fixture.submit()
            try await fixture.running(worker) {
                await started.wait()
                try await declareDead(fixture, WorkerID(rawValue: "worker-1"), holding: id)
                let job = try await fixture.end(of: id)
                #expect(job.status == .completed && job.attempt == 1, "a death costs no attempt")
                #expect(try await fixture.store.heartbeats().map(\.worker.rawValue) == ["worker-2"])
                release.fire()
            }
            #expect(try await fixture.result(of: id) == "of the second run")
            #expect(try await fixture.credits() == "0 held, 1 used")
        }
    }

    /// Rescues a worker's jobs as another worker would, again and again while its heartbeats interfere.
    private func declareDead(_ fixture: Fixture, _ worker: WorkerID, holding id: JobID) async throws {
        while true {
            guard let beat = try await fixture.store.heartbeats().first(where: { $0.worker == worker }) else {
                throw FixtureFailure(description: "the worker is not known")
            }
            if try await fixture.store.rescue(beat).requeued.contains(id) { return }
        }
    }

    // MARK: Progress

    @Test func progressIsShownAndNeverGoesBack() async throws {
        try await Fixture.with { fixture in
            let (seen, again) = (Signal(), Signal())
            let worker = fixture.worker { context in
                context.progress("write", fraction: 0.5)
                context.progress("no such stage", fraction: 1)
                await seen.wait()
                context.progress("write", fraction: 0.2)
                await again.wait()
                context.progress("write", fraction: 0.7)
                await untilCancelled()
                return nil
            }
            let id = try await fixture.submit()
            try await fixture.running(worker) {
                let half = try await fixture.wait(for: id) { $0.progress > 0 }
                #expect(half.progress == 50 && half.currentStep == "Working")
                seen.fire()
                again.fire()
                let more = try await fixture.wait(for: id) { $0.progress != 50 }
                #expect(more.progress == 70)
                _ = try await fixture.store.cancel(id, of: nil)
            }
        }
    }

    @Test func manyProgressReportsBecomeFewWrites() async throws {
        try await Fixture.with { fixture in
            let reached = Signal()
            let worker = fixture.worker {
                $0.progressInterval = .milliseconds(200)
            } script: { context in
                for percent in 0...99 {
                    for part in 0..<10 {
                        context.progress("write", fraction: (Double(percent) + Double(part) / 10) / 100)
                    }
                }
                await reached.wait()
                return "done"
            }
            let id = try await fixture.submit()
            let first = try await fixture.job(id).revision
            try await fixture.running(worker) {
                try await fixture.wait(for: id) { $0.progress == 99 }
                reached.fire()
                let job = try await fixture.end(of: id)
                #expect(job.revision - first < 10, "\(job.revision - first) changes")
            }
        }
    }
}
