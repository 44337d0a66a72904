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
        guard case .snoozed(let pause, let reason) = AgentError(stopped, wasAsked: false) else {
            Issue.record("not postponed")
            return
        }
        #expect(pause == .seconds(23))
        #expect(reason.contains("breaker_open"))
    }

    @Test func anEmptyRetryBudgetPostponesAJobThatHasAskedAlready() {
        let empty = error(.unavailable, .retryBudget, after: .seconds(10))
        guard case .snoozed(let pause, let reason) = AgentError(empty, wasAsked: true) else {
            Issue.record("not postponed")
            return
        }
        #expect(pause == .seconds(10))
        #expect(reason.contains("retry_budget"))
    }

    @Test func aClientThatWaitsHearsAtOnceUnlessTheProbeIsNear() {
        let stopped = error(.unavailable, .breakerOpen, after: .seconds(23))
        guard case .failed(let failure) = AgentError(stopped, wasAsked: false, isInteractive: true) else {
            Issue.record("not failed")
            return
        }
        #expect(failure.error.code == .claude && !failure.isTransient)
        let near = error(.unavailable, .breakerOpen, after: .seconds(1))
        guard case .snoozed = AgentError(near, wasAsked: false, isInteractive: true) else {
            Issue.record("not postponed")
            return
        }
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
