import DossierClient
import JSON

extension DemoCommand {
    /// Shows a research job from request to report.
    func show(_ connection: BrokerConnection) async throws {
        let client = connection.client
        let before = try await client.read(.credits, policy: .networkOnly)
        let job = try await client.jobs.submit(
            SubmitOptions().submission(
                kind: "research", input: ["ticker": JSON(ticker), "persona": JSON(persona)]))
        Terminal.print("Job          \(job.id): research on \(ticker) in the voice of \(persona)\n")
        try await JobWatch(client: client, isQuiet: false).follow(job.id)
        let result = try await client.rawResult(of: job.id)
        let after = try await client.read(.credits, policy: .networkOnly)
        Terminal.print("\n" + ReportPrinter(result).text)
        if !isLive {
            Terminal.print(
                Terminal.wrapped(
                    "The prose, the texts of filings, the segments and the share price above are simulated, without a model. "
                        + (result["report"]?["company"]?["name"]?.string?.contains("(simulated)") == true
                            ? "So are the figures: the company's filings are invented."
                            : "All other figures are real, from the filings listed.")
                ))
        }
        Terminal.print(
            "\nCredits      \(before.remaining) before, \(after.remaining) after (\(after.used) used, \(after.held) held)"
        )
    }
}
