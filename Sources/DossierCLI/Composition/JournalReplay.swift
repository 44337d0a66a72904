import Agents
import Basics
import Broker
import HTTP
import JSON
import JobQueue
import LanguageModels
import PromptRegression
import Prompts

/// Makes the requests of a job again: its agent goes through the journal without any call.
struct JournalReplay: CallRequestSource {
    let composition: Composition
    let store: any Store
    let transport: HTTPClient

    func requests(of job: Job, steps: [Step]) async throws(StoreError) -> [CallRequest]? {
        guard let archive = try await store.archive(ofBundle: job.bundle),
            let bundle = try? Prompts.Bundle(archive: archive, rules: Composition.rules),
            let kind = bundle.kinds[job.kind],
            let agent =
                (try? composition.replayingAgents(
                    through: steps, over: store, transport: transport))?[kind.agent],
            let uses = try? await JobCase(job, steps: steps, bundle: bundle, agent: agent).uses()
        else { return nil }
        return uses.map { use in
            let request = use.use.request.encoded
            return CallRequest(
                prompt: use.use.prompt, request: request,
                inputHash: SHA256.hex((["request": request] as JSON).canonical))
        }
    }
}
