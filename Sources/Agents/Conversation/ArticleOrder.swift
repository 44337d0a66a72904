internal import JSON
internal import JobQueue

/// The article that a job is about, and the device for which it writes.
struct ArticleInput: Sendable {
    let article: String
    let form: FormFactor

    /// Reads `article_id` and `form_factor` of a job's input.
    init(_ context: JobContext) throws(AgentError) {
        let input = JSONField(context.job.input)
        do {
            article = try input["article_id"].string()
            guard let form = FormFactor(rawValue: try input["form_factor"].string()) else {
                throw input["form_factor"].failure("is no form factor")
            }
            self.form = form
        } catch {
            throw .failed(AgentFailure(.internalFailure("the job's input: \(error)"), isTransient: false))
        }
    }
}

/// The device for which something is written; it is also the role of the prompt that writes it.
enum FormFactor: String, Sendable, CaseIterable {
    case phone, watch
}
