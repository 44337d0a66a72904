internal import HTTPServer
internal import JSON
internal import JobQueue

/// `DELETE` of a job, a report or a conversation at the wish of its user.
struct DeletionRoutes: Sendable {
    let store: any JobStore
    let records: any UserDeletionRepository

    func job(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let id = try context.jobID()
        return try await delete(id, missing: .notFound(id), context)
    }

    func report(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let missing = APIError.notFound("The report")
        guard let id = context.request.parameters["id"].flatMap({ JobID($0) }) else { throw missing }
        let job: Job?
        do {
            job = try await store.job(id, of: context.user)
        } catch {
            throw APIError(error)
        }
        guard job?.kind == "research" else { throw missing }
        return try await delete(id, missing: missing, context)
    }

    func conversation(_ context: RequestContext) async throws(APIError) -> APIResponse {
        guard let id = context.request.parameters["id"].flatMap({ JobID($0) }) else { throw .noConversation }
        let (outcome, turns): (RecordDeletion, Int)
        do {
            (outcome, turns) = try await records.deleteConversation(id, of: context.user)
        } catch {
            throw APIError(error)
        }
        switch outcome {
        case .deleted: return APIResponse(["turns_deleted": JSON(turns)])
        case .unfinished: throw .conflict("not_finished")
        case .unknown: throw .noConversation
        }
    }

    private func delete(
        _ id: JobID, missing: APIError, _ context: RequestContext
    ) async throws(APIError) -> APIResponse {
        let outcome: RecordDeletion
        do {
            outcome = try await records.deleteJob(id, of: context.user)
        } catch {
            throw APIError(error)
        }
        switch outcome {
        case .deleted: return APIResponse(["deleted": true])
        case .unfinished:
            var error = APIError.conflict("not_finished")
            error.details?["job_id"] = JSON(id.description)
            throw error
        case .unknown: throw missing
        }
    }
}
