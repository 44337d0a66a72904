import DossierAPI
import BrokerClient
import Foundation
import Glibc
import JSON
import Synchronization

/// Runs a plan on a fleet of real processes and checks the outcome of every job.
final class ChaosRun: Sendable {
    let plan: ChaosPlan
    let fleet: Fleet
    let ledger = ChaosLedger()
    /// The number of the story that explanations are about.
    let story: Int64
    private let processes: ChaosProcesses
    private let start: ContinuousClock.Instant

    /// The time limit for all jobs to end after the last fault.
    private static let timeout: Duration = .seconds(240)

    init(_ plan: ChaosPlan, on fleet: Fleet) async throws {
        self.plan = plan
        self.fleet = fleet
        // Before any worker could take the job that brings the story.
        story = try await StoryKeeper(fleet).keep()
        processes = try await ChaosProcesses(plan.shape, in: fleet, ledger: ledger)
        start = .now
    }

    /// Returns when every job has ended; its observations are in `ledger`.
    func run() async throws {
        for request in plan.requests {
            guard case .research(let flaw?) = request.work else { continue }
            fleet.fail(flaw, user: request.user, times: 1)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [self] in
                for event in plan.events {
                    try await Task.sleep(until: start + .milliseconds(event.at), clock: .continuous)
                    try await processes.perform(event.action)
                }
            }
            for request in plan.requests { group.addTask { [self] in try await ChaosClient(request, of: self).live() } }
            group.addTask { [self] in
                try await Task.sleep(
                    until: start + .milliseconds(plan.shape.window) + Self.timeout, clock: .continuous)
                throw SystemFailure(
                    "jobs did not end: \(try await fleet.query(ChaosAudit.unfinished(on: fleet.database.engine)))")
            }
            group.addTask { [self] in try await processes.supervise() }
            group.addTask { [self] in try await ChaosLeaseWatch(processes, fleet, ledger).watch() }
            // The events and the clients come to their end; the others go on until then.
            for _ in 0...plan.requests.count { try await group.next() }
            group.cancelAll()
        }
        try await processes.lossesAreNoted()
    }

    /// Ends the networks between processes and the database, when nobody asks the brokers any more.
    func sweep() { processes.sweep() }

    /// Leaves the logs of all processes in a folder.
    func writeLogs(to folder: String) throws { try processes.writeLogs(to: folder) }

    /// The time of a plan.
    func sleep(until milliseconds: Int) async throws {
        try await Task.sleep(until: start + .milliseconds(milliseconds), clock: .continuous)
    }

    /// The address of a broker; clients go to another one when the last did not answer.
    func broker(_ number: Int) -> String { processes.url(ofBroker: number % plan.shape.brokers) }
}
