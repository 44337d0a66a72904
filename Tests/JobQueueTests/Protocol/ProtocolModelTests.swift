import Foundation
import Testing

/// Searches the models of the queue's protocols exhaustively: the protocols keep their promises, and each known mistake
/// breaks one. `MODEL_FAULTS=3` allows more faults at once and takes minutes.
@Suite struct ProtocolModelTests {
    private static let faults = ProcessInfo.processInfo.environment["MODEL_FAULTS"].flatMap(Int.init)

    // MARK: The protocols

    @Test(arguments: [
        LeaseProtocol(faults: faults ?? 2), LeaseProtocol(slots: 1, faults: faults ?? 2),
        LeaseProtocol(jobs: 1, faults: faults ?? 3),
    ])
    func leasesKeepTheirPromisesWhateverIsLostDiesOrComesLate(_ machine: LeaseProtocol) {
        expectNoViolation(of: machine)
    }

    @Test(arguments: [
        TurnProtocol(), TurnProtocol(submits: [2, 2, 1], returns: 2), TurnProtocol(submits: [4, 4], cancels: true),
        TurnProtocol(submits: [3, 2, 1], returns: 3, cancels: true),
    ])
    func usersAreServedInTurnsWhateverComesBackOrIsCancelled(_ machine: TurnProtocol) {
        expectNoViolation(of: machine)
    }

    @Test func heartbeatsAreWrittenWhateverWaitsAndDeadWorkersAreNoticed() {
        expectNoViolation(of: HeartbeatProtocol(faults: 3))
    }

    @Test func noStepOfTheServersClockEndsAJobEarlyAndLateJobsExpire() {
        expectNoViolation(of: DeadlineProtocol())
    }

    @Test func largerFleetsKeepTheirPromisesOnRandomWalks() {
        let seed = ProcessInfo.processInfo.environment["MODEL_SEED"].flatMap(UInt64.init) ?? 1
        let machine = LeaseProtocol(jobs: 3, slots: 2, faults: 3)
        let violation = StateSearch(machine: machine).walk(300, length: 40, seed: seed)
        #expect(violation == nil, "\(violation?.description ?? "")")
    }

    // MARK: Mistakes in the claim

    /// The commit of a claim hangs, the client gives up and asks again, and then the commit ends.
    @Test func aClaimWhoseCommitHangsIsForgottenWhereClaimsAreNotSerialised() throws {
        let trace = try violation(
            of: LeaseProtocol(faults: 1, kinds: [.lostAnswer], flaws: [.claimsNotSerialised, .leasesNotReconciled]),
            breaking: .progress)
        #expect(trace.contains { $0.hasPrefix("Fault: The worker gives up waiting for the claim") })
        #expect(trace.contains { $0.contains("answered with nothing, and forgets its lost claims") })
    }

    /// A claim that reaches the database after the one that asked for it is lost as well.
    @Test func serialisedClaimsAloneLoseAClaimThatComesLate() throws {
        let trace = try violation(
            of: LeaseProtocol(faults: 2, kinds: [.lateClaim, .crash], flaws: [.leasesNotReconciled]),
            breaking: .progress)
        #expect(trace.contains { $0.contains("comes") || $0.contains("came late") })
    }

    /// A worker that could not hand a job back holds it without running it, whatever its claims do.
    @Test func serialisedClaimsAloneLeaveAJobThatCouldNotBeHandedBack() throws {
        _ = try violation(
            of: LeaseProtocol(faults: 1, kinds: [.refusal], flaws: [.leasesNotReconciled]), breaking: .progress)
    }

    @Test func comparingLeasesWithRunsFindsEveryLostClaim() {
        expectNoViolation(of: LeaseProtocol(flaws: [.claimsNotSerialised]))
    }

    @Test func aRescueThatOvertakesAClaimLeavesItsJobsWithNobody() throws {
        _ = try violation(of: LeaseProtocol(faults: 1, flaws: [.rescueOvertakesClaims]), breaking: .progress)
    }

    // MARK: Mistakes in writes

    @Test func aRefusalThatPassesFailsTheJobWhereUnknownRefusalsAreFinal() throws {
        let trace = try violation(of: LeaseProtocol(faults: 1, flaws: [.refusalsFailJobs]), breaking: .passingReasons)
        #expect(trace.count == 4)
    }

    @Test(arguments: [ProtocolPromise.holdersWrite, .oneResult])
    func aWriteWithoutAFenceStoresTheResultOfAWorkerThatLostTheJob(_ promise: ProtocolPromise) throws {
        _ = try violation(of: LeaseProtocol(faults: 1, flaws: [.writesNotFenced]), breaking: promise)
    }

    @Test func anEpochThatAFailoverGivesOutTwiceOpensTheFenceToTheFirstHolder() throws {
        let trace = try violation(of: LeaseProtocol(faults: 1, flaws: [.fenceWithoutClaim]), breaking: .holdersWrite)
        #expect(trace.contains { $0.contains("takes over") })
    }

    @Test func aRescueWithoutASecondLookAtTheLeaseRunsACompletedJobAgain() throws {
        _ = try violation(of: LeaseProtocol(faults: 1, flaws: [.rescueWithoutLeaseCheck]), breaking: .oneResult)
    }

    // MARK: Mistakes in order and time

    @Test func jobsThatComeBackAtOneRankGoBeforeEverybodyElse() throws {
        _ = try violation(of: TurnProtocol(flaws: [.returnsTakeNoTurn]), breaking: .fairTurns)
    }

    @Test func anEmptyTurnOfACancelledJobLetsOthersOvertakeItsUser() throws {
        let trace = try violation(
            of: TurnProtocol(submits: [4, 4], cancels: true, flaws: [.cancelledTurnsStayEmpty]), breaking: .fairTurns)
        #expect(trace.contains { $0.contains("cancels a ready job") })
    }

    @Test(arguments: [
        HeartbeatProtocol(flaws: [.heartbeatsBehindVerbs]), HeartbeatProtocol(flaws: [.gapsCount]),
    ])
    func aHealthyWorkerIsDeclaredDeadWhereHeartbeatsWaitOrOutagesCount(_ machine: HeartbeatProtocol) throws {
        _ = try violation(of: machine, breaking: .heartbeats)
    }

    @Test func aStepOfTheServersClockEndsAJobWhereDeadlinesGoByThatClockAlone() throws {
        let trace = try violation(of: DeadlineProtocol(faults: 1, flaws: [.clockNotGuarded]), breaking: .noEarlyExpiry)
        #expect(trace.count == 3)
    }

    /// A limit of the guard, which decision 0048 accepts.
    @Test func aJobThatIsSubmittedWhileTheClockIsBehindMayExpireEarly() throws {
        _ = try violation(of: DeadlineProtocol(directions: [-1], faults: 1), breaking: .noEarlyExpiry)
    }

    // MARK: Helpers

    private func expectNoViolation(of machine: some StateMachine) {
        let outcome = StateSearch(machine: machine).run()
        #expect(outcome.isComplete, "\(outcome.states) states")
        #expect(outcome.violation == nil, "\(outcome.violation?.description ?? "")")
    }

    /// The shortest trace to a broken promise, which the log shows.
    private func violation(of machine: some StateMachine, breaking promise: ProtocolPromise) throws -> [String] {
        let outcome = StateSearch(machine: machine).run(for: [promise])
        let violation = try #require(outcome.violation, "none in \(outcome.states) states")
        #expect(violation.promise == promise)
        print(violation)
        return violation.trace
    }
}
