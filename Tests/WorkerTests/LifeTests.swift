import Agents
import SQLiteStore
import JSON
import JobQueue
import Testing
import Worker

/// What happens around a running job: cancellation, drain, death, and progress.
@Suite(.serialized, .timeLimit(.minutes(10))) struct LifeTests {
    @Test func aCancelledJobIsStoppedAndWhatItStillSaysChangesNothing() async throws {
        try await Bench.with { bench in
            let (started, stopped) = (Signal(), Signal())
            let worker = bench.worker { context in
                started.raise()
                await untilCancelled()
                stopped.raise()
                context.progress("write", fraction: 0.9)
                return "too late"
            }
            let id = try await bench.submit()
            try await bench.running(worker) {
                await started.wait()
                _ = try await bench.store.cancel(id, of: nil)
                await stopped.wait()
            }
            let job = try await bench.job(id)
            #expect(job.status == .cancelled && job.progress == 0)
            #expect(try await bench.result(of: id) == nil)
            #expect(try await bench.credits() == "0 held, 0 used")
        }
    }

    // MARK: Drain

    @Test func aDrainLetsJobsFinishAndClaimsNoMore() async throws {
        try await Bench.with { bench in
            let (started, drained) = (Signal(), Signal())
            let worker = bench.worker { _ in
                started.raise()
                await drained.wait()
                return "finished"
            }
            let running = try await bench.submit()
            let task = Task { await worker.run() }
            await started.wait()
            worker.drain()
            let waiting = try await bench.submit()
            drained.raise()
            await task.value
            #expect(try await bench.job(running).status == .completed)
            let left = try await bench.job(waiting)
            #expect(left.status == .pending && left.attempt == 0)
        }
    }

    @Test func whatDoesNotFinishInTimeIsHandedBackWithoutLosingAnAttempt() async throws {
        try await Bench.with { bench in
            let started = Signal()
            let first = bench.worker {
                $0.drainGrace = .milliseconds(50)
            } script: { _ throws(AgentError) in
                started.raise()
                await untilCancelled()
                throw .interrupted
            }
            let id = try await bench.submit()
            let task = Task { await first.run() }
            await started.wait()
            first.drain()
            await task.value
            let left = try await bench.job(id)
            #expect(left.status == .pending && left.attempt == 1)
            #expect(try await bench.credits() == "1 held, 0 used")

            try await bench.running(bench.worker { context in JSON(context.job.attempt) }) {
                let job = try await bench.end(of: id)
                #expect(job.status == .completed && job.attempt == 1)
            }
        }
    }

    @Test func aWorkerThatDrainsBeforeItStartsReturns() async throws {
        try await Bench.with { bench in
            let worker = bench.worker { _ in "never" }
            worker.drain()
            worker.drain()
            await worker.run()
            let beats = try await bench.store.heartbeats()
            #expect(beats.isEmpty)
        }
    }

    @Test func aCancelledTaskDrainsToo() async throws {
        try await Bench.with { bench in
            let started = Signal()
            let worker = bench.worker {
                $0.drainGrace = .milliseconds(50)
            } script: { _ throws(AgentError) in
                started.raise()
                await untilCancelled()
                throw .interrupted
            }
            let id = try await bench.submit()
            let task = Task { await worker.run() }
            await started.wait()
            task.cancel()
            await task.value
            #expect(try await bench.job(id).status == .pending)
            #expect(try await bench.store.heartbeats().isEmpty)
        }
    }

    // MARK: Death

    @Test func aWorkerDeclaredDeadStartsOverAndItsOldRunChangesNothing() async throws {
        try await Bench.with { bench in
            let (started, release) = (Signal(), Signal())
            let runs = Counter()
            let worker = bench.worker { context in
                guard runs.increment() == 1 else { return "of the second run" }
                started.raise()
                // Deaf to everything, like a process that was stopped.
                await release.wait()
                context.progress("write", fraction: 0.99)
                return "of the first run"
            }
            let id = try await bench.submit()
            try await bench.running(worker) {
                await started.wait()
                try await declareDead(bench, WorkerID(rawValue: "worker-1"), holding: id)
                let job = try await bench.end(of: id)
                #expect(job.status == .completed && job.attempt == 1, "a death costs no attempt")
                #expect(try await bench.store.heartbeats().map(\.worker.rawValue) == ["worker-2"])
                release.raise()
            }
            #expect(try await bench.result(of: id) == "of the second run")
            #expect(try await bench.credits() == "0 held, 1 used")
        }
    }

    /// Rescues a worker's jobs as a watcher would; a beat in between makes it try again.
    private func declareDead(_ bench: Bench, _ worker: WorkerID, holding id: JobID) async throws {
        while true {
            guard let beat = try await bench.store.heartbeats().first(where: { $0.worker == worker }) else {
                throw BenchFailure(description: "the worker is not known")
            }
            if try await bench.store.rescue(beat).requeued.contains(id) { return }
        }
    }

    // MARK: Progress

    @Test func progressIsShownAndNeverGoesBack() async throws {
        try await Bench.with { bench in
            let (seen, again) = (Signal(), Signal())
            let worker = bench.worker { context in
                context.progress("write", fraction: 0.5)
                context.progress("no such stage", fraction: 1)
                await seen.wait()
                context.progress("write", fraction: 0.2)
                await again.wait()
                context.progress("write", fraction: 0.7)
                await untilCancelled()
                return nil
            }
            let id = try await bench.submit()
            try await bench.running(worker) {
                let half = try await bench.wait(for: id) { $0.progress > 0 }
                #expect(half.progress == 50 && half.currentStep == "Working")
                seen.raise()
                again.raise()
                let more = try await bench.wait(for: id) { $0.progress != 50 }
                #expect(more.progress == 70)
                _ = try await bench.store.cancel(id, of: nil)
            }
        }
    }

    @Test func aFloodOfProgressIsFewWrites() async throws {
        try await Bench.with { bench in
            let reached = Signal()
            let worker = bench.worker {
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
            let id = try await bench.submit()
            let first = try await bench.job(id).revision
            try await bench.running(worker) {
                try await bench.wait(for: id) { $0.progress == 99 }
                reached.raise()
                let job = try await bench.end(of: id)
                #expect(job.revision - first < 10, "\(job.revision - first) changes")
            }
        }
    }
}
