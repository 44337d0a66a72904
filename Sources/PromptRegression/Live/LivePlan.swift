internal import Basics
internal import JSON
package import LanguageModels
internal import Prompts

/// What a live run asks: each case, of each provider, so many times.
package struct LivePlan: Sendable {
    package var filter: CaseFilter
    package var providers: [ModelProvider]
    package var repeats: Int
    /// Calls under way at once.
    package var concurrency: Int

    package init(filter: CaseFilter = .all, providers: [ModelProvider], repeats: Int, concurrency: Int = 4) {
        self.filter = filter
        self.providers = providers
        self.repeats = repeats
        self.concurrency = concurrency
    }
}

/// One call of a live run.
struct LiveCall: Sendable {
    let promptCase: PromptCase
    let prompt: LoadedPrompt
    let request: CanonicalRequest
    let provider: ModelProvider
    /// From 1.
    let repetition: Int

    var key: Baseline.Key { Baseline.Key(promptCase: "\(promptCase.id)", provider: provider.rawValue) }
    /// Where the answer is kept in the run's folder.
    var file: String { "\(promptCase.id)/\(provider.rawValue).\(repetition).json" }
    /// Where a grade of the answer is kept: equal answers share it.
    func file(of grading: Grading) -> String { "\(promptCase.id)/\(grading.fileName)" }
}

/// The calls of a plan, and those cases that it leaves out.
struct LiveWork: Sendable {
    var calls: [LiveCall] = []
    /// Cases whose answer cannot be ordered from a real service.
    var skipped: [PromptCase.ID] = []
    /// Cases that cannot be rendered.
    var problems: [String] = []

    init(_ plan: LivePlan, home: String, bundle: Bundle) {
        let library = CaseLibrary.load(home: home, bundle: bundle)
        problems = library.problems.map(\.description)
        for promptCase in library.cases where plan.filter.selects(promptCase) {
            guard promptCase.simulation == nil else {
                skipped.append(promptCase.id)
                continue
            }
            guard let prompt = bundle.prompts[promptCase.id.prompt] else { continue }
            do {
                let request = CanonicalRequest(
                    try prompt.render(input: promptCase.input), tier: bundle.tier(of: prompt))
                for provider in plan.providers {
                    for repetition in 1...max(1, plan.repeats) {
                        calls.append(
                            LiveCall(
                                promptCase: promptCase, prompt: prompt, request: request, provider: provider,
                                repetition: repetition))
                    }
                }
            } catch {
                problems.append("\(promptCase.id): \(error)")
            }
        }
    }

    /// The same for the same questions: by this a run that broke off is found again.
    var fingerprint: String {
        SHA256.hex(JSON(calls.map { "\($0.file) \($0.request.hash)" }).canonical)
    }
}
