import DataSources
import FoundationEssentials
import JobQueue
import TestSupport
import Testing

@testable import Agents

@Suite struct RecentFactsTests {
    private let recent = RecentFacts()

    private func facts(at milliseconds: Int64) throws -> GatheredFacts {
        let company = SyntheticCompany(count: 2, [.revenue: 1000])
        return GatheredFacts(
            company: try company.company(), market: nil, marketProblem: nil, at: Timestamp(milliseconds: milliseconds))
    }

    private func newJob() -> JobID {
        var generator = SystemRandomNumberGenerator()
        return JobID(at: 1_740_000_000_000, using: &generator)
    }

    /// A later run of the job may have replayed other facts from the journal.
    @Test func factsInMemoryBelongToOneRunOfOneJob() throws {
        let job = newJob()
        recent.keep(try facts(at: 1), of: Lease(job: job, epoch: 1))
        #expect(recent[Lease(job: job, epoch: 1)]?.at == Timestamp(milliseconds: 1))
        #expect(recent[Lease(job: job, epoch: 2)] == nil)
        #expect(recent[Lease(job: newJob(), epoch: 1)] == nil)
    }

    @Test func stepThatIsDoneAgainReplacesItsFacts() throws {
        let lease = Lease(job: newJob(), epoch: 1)
        recent.keep(try facts(at: 1), of: lease)
        recent.keep(try facts(at: 2), of: lease)
        #expect(recent[lease]?.at == Timestamp(milliseconds: 2))
    }

    @Test func memoryHoldsTheLatestSixtyFourRuns() throws {
        let (job, facts) = (newJob(), try facts(at: 1))
        for epoch in 1...65 { recent.keep(facts, of: Lease(job: job, epoch: Int64(epoch))) }
        let kept = (1...65).filter { recent[Lease(job: job, epoch: Int64($0))] != nil }
        #expect(kept == Array(2...65))
    }
}
