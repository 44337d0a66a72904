internal import JSON
internal import JobQueue

/// `/api/v1/research/compare`: a job of kind `comparison`.
struct ComparisonRoutes: Sendable {
    let jobs: JobService
    let reader: StockReader

    func compare(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let body = try context.body()
        try body.allowOnly(["tickers", "investor_personas", "language"])
        let tickers: [String]
        let personas: [String]
        do throws(JSONFieldError) {
            tickers = try body["tickers"].strings()
            personas = try body["investor_personas"].strings()
        } catch {
            throw .invalid(error)
        }
        var options = Submitter.Options()
        options.idempotency = try context.idempotency(body)
        for (place, text) in tickers.prefix(Self.mostTickers).enumerated() {
            try await ResearchRoutes.requireCompany(text, field: "tickers[\(place)]", reader)
        }
        var input: JSON = ["tickers": JSON(tickers), "personas": JSON(personas)]
        if let language = body["language"].optional?.value { input["language"] = language }
        options.uniqueKey =
            "comparison/\(tickers.joined(separator: ",").uppercased())/\(personas.joined(separator: ","))"
        do {
            let submitted = try await jobs.submit(
                kind: ComparisonInput.kind, input: input, options: options, context: context)
            let job = submitted.job
            return APIResponse(
                job.json, status: 202,
                headers: [("Location", "/api/v1/jobs/\(job.id)")] + job.pollHeaders + submitted.headers)
        } catch {
            var error = error.naming("personas", as: "investor_personas")
            // The field at fault may be the other of the two.
            error.message = error.message.replacing("'personas'", with: "'investor_personas'")
            throw error
        }
    }

    /// More are refused before a company is looked up.
    static let mostTickers = 4
}
