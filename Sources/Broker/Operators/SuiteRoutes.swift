internal import HTTPServer
package import JSON
internal import JobQueue

/// The cases of the prompts that are installed, with their recorded answers.
package protocol PromptSuite: Sendable {
    /// The latest result, of a run now if there was none for the present prompts; `nil` where no cases are installed.
    func latest() async -> JSON?

    /// Runs all cases offline, which asks no model.
    func run() async -> JSON?

    /// One case with what it expects and what comes out now.
    func one(prompt: String, name: String) async -> JSON?
}

/// `/api/v1/admin/suite`.
struct SuiteRoutes: Sendable {
    /// `nil` where the process has no cases.
    let suite: (any PromptSuite)?
    let audit: any AuditRepository

    func latest(_ context: AdminContext) async throws(APIError) -> APIResponse {
        guard let result = await suite?.latest() else { throw .notFound("The prompt suite") }
        return APIResponse(result)
    }

    func run(_ context: AdminContext) async throws(APIError) -> APIResponse {
        guard let result = await suite?.run() else { throw .notFound("The prompt suite") }
        let (audit, entry) = (audit, context.audit("suite.run"))
        try await reading { () async throws(StoreError) in try await audit.writeAudit(entry) }
        return APIResponse(result)
    }

    func one(_ context: AdminContext) async throws(APIError) -> APIResponse {
        let parameters = context.request.parameters
        let found = await suite?.one(prompt: parameters["prompt"] ?? "", name: parameters["case"] ?? "")
        guard let found else { throw .notFound("The case") }
        return APIResponse(found)
    }
}
