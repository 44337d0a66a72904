internal import HTTPServer
package import JSON
package import JobQueue

/// Makes the requests of a job's model calls again, from its bundle and its journal.
package protocol CallRequestSource: Sendable {
    /// The requests that the job has made so far, in their order.
    ///
    /// - Parameters:
    ///   - job: The job with its input.
    ///   - steps: Its journal.
    /// - Returns: `nil` when the input or the bundle is kept no more, or they lead to no request.
    /// - Throws: The error of the database.
    func requests(of job: Job, steps: [Step]) async throws(StoreError) -> [CallRequest]?
}

/// A request to a model, made again.
package struct CallRequest: Sendable {
    /// The name of the prompt that was filled in.
    package var prompt: String
    /// Independent of the provider.
    package var request: JSON
    /// The hash by which the journal would know the step.
    package var inputHash: String

    package init(prompt: String, request: JSON, inputHash: String) {
        (self.prompt, self.request, self.inputHash) = (prompt, request, inputHash)
    }
}

/// `GET /api/v1/admin/jobs/{id}/calls/{call}/request`: what a model was asked.
struct CallRequestRoutes: Sendable {
    /// The model calls of a job among which one is looked for.
    private static let mostCalls = 1000

    let store: any JobStore & StoreAdministration
    let records: any JobAdministration
    let audit: any AuditRepository
    /// `nil` where no agents are at hand.
    let source: (any CallRequestSource)?

    func one(_ context: AdminContext) async throws(APIError) -> APIResponse {
        let id = try context.jobID()
        let name = context.request.parameters["call"] ?? ""
        let (store, records, audit) = (store, records, audit)
        let found = try await reading { () async throws(StoreError) -> (Job, JobCallRecord, [Step])? in
            guard let job = try await store.job(id, of: nil) else { return nil }
            let calls = try await records.modelCalls(of: id, limit: Self.mostCalls)
            guard let call = calls.first(where: { $0.id == name }) else { return nil }
            return (job, call, try await store.journal(of: id))
        }
        guard let (job, call, steps) = found else { throw .notFound("The model call") }
        let entry = context.audit("jobs.read_content", target: id.description, details: ["call": JSON(name)])
        let source = source
        let requests = try await reading { () async throws(StoreError) in
            try await audit.writeAudit(entry)
            return try await source?.requests(of: job, steps: steps)
        }
        guard let (request, isExact) = requests?.request(of: call, among: steps) else {
            throw .notFound("What the request was made of")
        }
        return APIResponse([
            "call": JSON(name), "model": JSON(call.model), "prompt": JSON(request.prompt), "exact": JSON(isExact),
            "request": request.request,
        ])
    }
}

extension [CallRequest] {
    /// The request of a call, and whether its hash is the one that the journal has for the call's step.
    func request(of call: JobCallRecord, among steps: [Step]) -> (request: CallRequest, isExact: Bool)? {
        let named = steps.filter { $0.name == call.step }
        let own = named.first { step in
            guard let made = step.made, made.epoch == call.epoch else { return false }
            return made.startedAt <= call.startedAt && call.startedAt <= made.endedAt
        }
        if let step = own ?? (named.count == 1 ? named[0] : nil),
            let request = first(where: { $0.inputHash == step.inputHash })
        {
            return (request, true)
        }
        // The call has no answer in the journal: the job ended at its request, or would go on with it.
        let journalled = Set(steps.map(\.inputHash))
        return last { !journalled.contains($0.inputHash) }.map { ($0, false) }
    }
}
