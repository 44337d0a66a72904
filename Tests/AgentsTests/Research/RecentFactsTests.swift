import DataSources
import FoundationEssentials
import JobQueue
import TestSupport
import JSON
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

@Suite struct CompanyPartsTests {
    @Test func companiesWithTheSameFiguresShareTheirParts() throws {
        let cache = CompanyPartsCache()
        let company = SyntheticCompany(count: 2, [.revenue: 1000])
        let first = cache.parts(of: try company.company())
        #expect(cache.parts(of: try company.company()) === first, "read again, with figures of their own storage")
        let later = cache.parts(of: try SyntheticCompany(count: 2, [.revenue: 1001]).company())
        #expect(later !== first && later.facts != first.facts)
        #expect(cache.parts(of: try company.company()) === first, "an earlier job's facts")
    }

    @Test func theLatestSixteenCompaniesAreKept() throws {
        let cache = CompanyPartsCache()
        let companies = try (0..<17).map { try SyntheticCompany(count: 1, [.revenue: Decimal(1000 + $0)]).company() }
        let parts = companies.map { cache.parts(of: $0) }
        #expect(cache.parts(of: companies[16]) === parts[16] && cache.parts(of: companies[1]) === parts[1])
        #expect(cache.parts(of: companies[0]) !== parts[0])
    }

    /// What a job makes of parts that an earlier one left is what it would make alone.
    @Test func aReviewWithSharedPartsIsTheSameAsOneOfItsOwn() throws {
        let persona = try #require(try ContentFiles.persona("graham"))
        let company = try SyntheticCompany(count: 5, [.revenue: 1000, .netIncome: 100, .equity: 500]).company()
        var facts = GatheredFacts(company: company, market: nil, marketProblem: "none", at: 1_763_000_000_000)
        let own = CompanyReview(of: facts, by: persona)
        facts.parts = CompanyPartsCache().parts(of: company)
        let shared = CompanyReview(of: facts, by: persona)
        #expect(own.promptInput.compact == shared.promptInput.compact)
        #expect(own.parts.facts == shared.parts.facts && own.parts.sources == shared.parts.sources)
        #expect(own.sheet.lines.map(\.id) == shared.sheet.lines.map(\.id))
    }
}
