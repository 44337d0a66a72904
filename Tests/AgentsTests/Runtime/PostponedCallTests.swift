import DossierAPI
import JobQueue
import LanguageModels
import Testing

@testable import Agents

@Suite struct PostponedCallTests {
    private func error(
        _ kind: ModelError.Kind, _ postponement: ModelError.Postponement? = nil, after pause: Duration? = nil
    ) -> ModelError {
        var error = ModelError(kind, provider: .claude, model: "claude-sonnet-5-5", retryAfter: pause)
        error.postponement = postponement
        return error
    }

    @Test func aJobIsPostponedUntilTheEarliestProbe() {
        let stopped = error(.unavailable, .breakerOpen, after: .seconds(23))
        guard case .snoozed(let pause, let reason, let wait) = AgentError(stopped, wasAsked: false) else {
            Issue.record("not postponed")
            return
        }
        #expect(pause >= .seconds(23) && pause <= .seconds(26), "jobs that wait together do not return together")
        #expect(reason.contains("breaker_open") && wait == WaitCause(.breakerOpen, provider: "claude"))
    }

    @Test func anEmptyRetryBudgetPostponesAJobThatHasAskedAlready() {
        let empty = error(.unavailable, .retryBudget, after: .seconds(10))
        guard case .snoozed(let pause, let reason, let wait) = AgentError(empty, wasAsked: true) else {
            Issue.record("not postponed")
            return
        }
        #expect(pause >= .seconds(10) && pause <= .seconds(13))
        #expect(reason.contains("retry_budget") && wait == WaitCause(.providerBudget, provider: "claude"))
    }

    @Test(arguments: [1, 23])
    func aClientThatWaitsHearsAtOnceThatNoModelMayBeAsked(seconds: Int) {
        let stopped = error(.unavailable, .breakerOpen, after: .seconds(seconds))
        guard case .failed(let failure) = AgentError(stopped, wasAsked: false, isInteractive: true) else {
            Issue.record("not failed")
            return
        }
        #expect(failure.error.code == .claude && !failure.isTransient)
    }

    @Test func aDeadlineInTheMidstOfACallKeepsItsCodeAndNamesTheSilence() {
        let late = error(.outOfTime(Stall(.firstContent, silence: .milliseconds(93_400)), isStalled: true))
        guard case .failed(let failure) = AgentError(late, wasAsked: true) else {
            Issue.record("not failed")
            return
        }
        #expect(failure.error.code == .deadlinePassed && !failure.isTransient)
        #expect(
            failure.error.message
                == "Claude (claude-sonnet-5-5): the time was over after 93.4 s of silence, waiting for the first content"
        )
    }
}
