internal import JSON
internal import Synchronization

/// Estimates the use of calls before they are made, and of calls that end early, from the answers of each model.
final class CallEstimates: Sendable {
    /// What the answers of one model have shown.
    private struct Experience {
        /// Tokens that the provider counted in prompts for each token of `TokenEstimate`.
        var promptRatio = RunningMean(1)
        /// Tokens for each byte of output.
        var outputRatio = RunningMean(1.0 / 3)
        /// Output tokens of recent answers, in the order of their end.
        var outputs: [Int64] = []

        var medianOutput: Int64? { outputs.isEmpty ? nil : outputs.sorted()[outputs.count / 2] }
    }

    /// The answers that the median of output is taken from.
    private static let remembered = 50
    /// The output that is expected of a model without any answer yet.
    private static let firstOutput: Int64 = 1000
    /// The range of tokens for a byte of text, so that an odd answer spoils nothing.
    private static let outputRatios = 0.1...1.0
    private static let promptRatios = 0.2...3.0

    private let models = Mutex<[String: Experience]>([:])

    /// The expected use of a call: its prompt, and the usual length of an answer.
    func usage(of request: ModelRequest, by model: ModelDescription) -> TokenUsage {
        let prompt = TokenEstimate.prompt(of: request)
        let experience = experience(of: model)
        let output = min(
            experience.medianOutput ?? Self.firstOutput, Int64(min(request.maxOutputTokens, model.maxOutputTokens)))
        return TokenUsage(
            input: Int64((Double(prompt) * experience.promptRatio.value).rounded(.up)), output: output,
            isEstimated: true)
    }

    /// The tokens of output that no provider has counted.
    func tokens(ofOutputBytes bytes: Int, by model: ModelDescription) -> Int64 {
        Int64((Double(bytes) * experience(of: model).outputRatio.value).rounded(.up))
    }

    /// Takes in an answer whose use the provider has told.
    func learn(from response: ModelResponse, to request: ModelRequest, by model: ModelDescription) {
        guard !response.usage.isEstimated else { return }
        let prompt = Double(response.usage.prompt) / Double(TokenEstimate.prompt(of: request))
        let written = response.text.utf8.count + response.toolCalls.reduce(0) { $0 + $1.input.utf8.count }
        let output = Double(response.usage.output - response.usage.thinking) / Double(max(1, written))
        models.withLock { models in
            var experience = models[model.id] ?? Experience()
            if Self.promptRatios.contains(prompt) { experience.promptRatio.add(prompt) }
            if written > 0, Self.outputRatios.contains(output) { experience.outputRatio.add(output) }
            experience.outputs.append(response.usage.output)
            if experience.outputs.count > Self.remembered { experience.outputs.removeFirst() }
            models[model.id] = experience
        }
    }

    private func experience(of model: ModelDescription) -> Experience {
        models.withLock { $0[model.id] } ?? Experience()
    }
}

/// A mean that forgets: the last 20 values or so make most of it.
private struct RunningMean {
    private static let memory = 20

    private(set) var value: Double
    private var count = 0

    /// - Parameter value: The value before the first one is added.
    init(_ value: Double) { self.value = value }

    mutating func add(_ new: Double) {
        count = min(count + 1, Self.memory)
        value += (new - value) / Double(count)
    }
}
