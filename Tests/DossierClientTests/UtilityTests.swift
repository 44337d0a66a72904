import Foundation
import TestSupport
import Testing

@testable import DossierClient

/// Single flight, sequences and connectivity.
@Suite(.timeLimit(.minutes(2))) struct UtilityTests {
    @Test func anOperationRunsOnceForAllWhoAskAtTheSameTime() async throws {
        let flights = RequestDeduplicator<String, Int>()
        let runs = Locked(0)
        let signal = Signal()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    try await flights.value(for: "a") {
                        await signal.wait()
                        return runs.withLock { runs in
                            runs += 1
                            return runs
                        }
                    }
                }
            }
            #expect(await eventually { await flights.inFlightCount == 1 })
            signal.fire()
            for try await value in group { #expect(value == 1) }
        }
        #expect(await flights.inFlightCount == 0)
        #expect(try await flights.value(for: "a") { 7 } == 7, "nothing is remembered")
    }

    @Test func aWaiterThatIsCancelledLeavesTheOthersAlone() async throws {
        let flights = RequestDeduplicator<String, Int>()
        let signal = Signal()
        let waiting = [1, 2].map { _ in
            Task {
                try await flights.value(for: "a") {
                    await signal.wait()
                    return 1
                }
            }
        }
        #expect(await eventually { await flights.inFlightCount == 1 })
        waiting[0].cancel()
        await #expect(throws: CancellationError.self) { try await waiting[0].value }
        signal.fire()
        #expect(try await waiting[1].value == 1)
    }

    @Test func theOperationIsCancelledWithItsLastWaiter() async throws {
        let flights = RequestDeduplicator<String, Int>()
        let ended = Signal()
        let task = Task {
            try await flights.value(for: "a") {
                do {
                    try await Task.sleep(for: .seconds(3600))
                } catch {
                    ended.fire()
                }
                return 1
            }
        }
        #expect(await eventually { await flights.inFlightCount == 1 })
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(await ended.fires())
    }

    @Test func cancellingAKeyEndsAllWhoWait() async throws {
        let flights = RequestDeduplicator<Int, Int>()
        let tasks = [1, 1, 2].map { key in
            Task {
                try await flights.value(for: key) {
                    try await Task.sleep(for: .seconds(3600))
                    return 1
                }
            }
        }
        #expect(await eventually { await flights.inFlightCount == 2 })
        await flights.cancelAll()
        for task in tasks { await #expect(throws: CancellationError.self) { try await task.value } }
    }

    @Test func aCancelledIterationThrows() async throws {
        let monitor = ConnectivityMonitor()
        let begun = Signal()
        let task = Task { for try await _ in monitor.updates { begun.fire() } }
        await begun.wait()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func changesOfConnectivityComeOnce() async throws {
        let monitor = ConnectivityMonitor()
        #expect(monitor.status == .connecting && monitor.isConnected)
        var updates = monitor.updates.makeAsyncIterator()
        #expect(try await updates.next() == .connecting)
        monitor.report(.connected, connectionType: .wifi)
        monitor.report(.connected, connectionType: .cellular)
        #expect(try await updates.next() == .connected)
        #expect(monitor.connectionType == .cellular)
        monitor.report(.disconnected)
        #expect(try await updates.next() == .disconnected)
        #expect(!monitor.isConnected)
    }

    @Test func nothingHappensBeforeTheFirstElementIsAskedFor() async throws {
        let transport = ScriptedTransport { _, _ in .data("[]") }
        let dossier = Dossier.scripted(transport)
        _ = dossier.values(of: .watchlist).makeAsyncIterator()
        _ = dossier.jobs.updates(of: "j").makeAsyncIterator()
        _ = dossier.jobs.run(Submission(QuizInput(topic: "x"))).makeAsyncIterator()
        #expect(transport.requests.isEmpty)
        #expect(try await dossier.submissions.unfinished().isEmpty)
    }
}
