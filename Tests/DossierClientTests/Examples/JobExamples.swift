import DossierClient
import Foundation

// The examples of documentation comments and of `docs/client.md` about jobs, word for word; compiled, not run.

private func entry(_ url: URL) async throws {
    let session = TokenSession(server: url, storage: KeychainTokenStorage())
    let dossier = Dossier(server: url, authentication: session)

    let tap = Submission(ResearchInput(ticker: "AAPL", persona: "buffett"))
    for try await event in dossier.jobs.run(tap) {
        switch event {
        case .accepted(let job), .progress(let job): show(job.progress, job.currentStep)
        case .completed(let report, _): show(report.prose.summary)
        }
    }
}

private func quickStart(_ dossier: Dossier) async throws {
    let stock = try await dossier.read(.stock("AAPL"))
    let headlines = try await dossier.page(of: .headlines(.business))
    for headline in headlines.items { show(headline.title) }

    let tap = Submission(ResearchInput(ticker: stock.ticker, persona: "buffett"))
    for try await event in dossier.jobs.run(tap) {
        switch event {
        case .accepted(let job), .progress(let job): show(job.progress, job.currentStep)
        case .completed(let report, _): show(report.prose.summary)
        }
    }
}

private func output(_ dossier: Dossier) async throws -> ResearchReport {
    let tap = Submission(ResearchInput(ticker: "AAPL", persona: "buffett"))
    let report = try await dossier.jobs.output(of: tap)
    return report
}

private func launch(_ dossier: Dossier) async throws {
    for saved in try await dossier.submissions.unfinished() where saved.kind == .research {
        follow(dossier.jobs.run(try saved.submission(of: ResearchInput.self)))
    }
}

private func watch(_ dossier: Dossier, _ id: Job.ID) async throws {
    for try await job in dossier.jobs.updates(of: id) { show(job.progress) }
}

func show(_ jobs: Updates<Job>) async throws {
    for try await job in jobs { print(job.progress) }
}

private func failed(_ dossier: Dossier) async throws {
    for try await job in dossier.items(of: .jobs(status: .failed)) { print(job.id) }
}

private enum Kinds {
    struct QuizInput: JobInput {
        typealias Output = Quiz
        var kind: Job.Kind { "quiz" }
        let topic: String
    }
}
