internal import Foundation
internal import JSON
internal import JobQueue
internal import Synchronization

/// Estimates the use of calls before they are made, and of calls that end early, from the answers of each model.
final class CallEstimates: Sendable {
    /// What the answers of one model have shown.
    private struct Experience {
        /// Tokens that the provider counted in prompts for each token of `TokenEstimate`.
        var promptRatio = RunningMean(1)
        /// Tokens for each byte of output.
        var outputRatio = RunningMean(1.0 / 3)
        /// The same for each of the last prompts, and a high quantile of them.
        var promptRatios: [Double] = []
        var highPromptRatio: Double?
        /// Output tokens of recent answers by the most tokens that the request permitted, in the order of their end:
        /// prompts that share a model differ in the length of their answers, and in this.
        var outputs: [Int: [Int64]] = [:]
        /// Tokens that were written between the head and the first content, and the seconds between the two: thinking
        /// that the provider does not show.
        var hiddenTokens: RunningMean
        var hiddenSeconds = RunningMean(1)

        init(_ model: ModelDescription) {
            hiddenTokens = RunningMean(model.thinking == .adaptive ? CallEstimates.usualThinking : 0)
        }

        /// The hidden thinking of an answer, in tokens and in seconds; `nil` for a model that hides none. The first answers
        /// of a process are its quickest ones, so beside them usual ones count.
        var hidden: (tokens: Double, seconds: Double)? {
            guard hiddenTokens.value > 0 else { return nil }
            let (known, usual) = (Double(hiddenTokens.count), Double(CallEstimates.answersOfUsualThinking))
            func mean(_ value: Double, _ usualValue: Double) -> Double {
                (known * value + usual * usualValue) / (known + usual)
            }
            return (
                mean(hiddenTokens.value, CallEstimates.usualThinking * CallEstimates.thinkingTime),
                mean(hiddenSeconds.value, CallEstimates.thinkingTime)
            )
        }

        mutating func addPrompt(_ ratio: Double) {
            promptRatios.append(ratio)
            if promptRatios.count > CallEstimates.rememberedPrompts { promptRatios.removeFirst() }
            guard promptRatios.count >= CallEstimates.fewestPrompts else { return }
            highPromptRatio = promptRatios.sorted()[(promptRatios.count * 95 - 1) / 100]
        }

        /// The output that a share of the calls does not exceed, in twentieths; `nil` without any answer.
        func output(permitted: Int, twentieths: Int) -> Int64? {
            guard let sorted = outputs[permitted]?.sorted(), !sorted.isEmpty else { return nil }
            return sorted[min(sorted.count - 1, sorted.count * twentieths / 20)]
        }
    }

    /// The answers that the usual output is taken from.
    private static let remembered = 50
    /// The part of the permitted output that is expected without any answer yet.
    private static let firstPart = 2
    /// The median output that is expected without any answer yet.
    private static let firstMedian: Int64 = 1000
    /// The range of tokens for a byte of text, so that an odd answer spoils nothing.
    private static let outputRatios = 0.1...1.0
    private static let promptRatios = 0.2...3.0
    /// Hidden thinking of a model that thinks as it likes, in tokens per second, without any answer yet.
    private static let usualThinking = 50.0
    /// The number of answers for which that counts, and the seconds of thinking in each of them.
    private static let answersOfUsualThinking = 4
    private static let thinkingTime = 5.0
    /// So much of an answer's usual thinking is rarely exceeded.
    private static let manyAnswers = 1.5
    /// The shortest time of an answer's text that shows how fast its model writes.
    private static let shortestText: Duration = .seconds(2)
    /// The shortest time between head and content that shows whether a model thinks meanwhile.
    private static let shortestThinking: Duration = .milliseconds(200)

    /// The prompts that the high quantile is taken from, and the fewest that make one.
    private static let rememberedPrompts = 200
    private static let fewestPrompts = 20

    private let models = Mutex<[String: Experience]>([:])

    /// The expected use of a call: its prompt, of which a part is read from the provider's cache or written to it, and an
    /// output that few answers exceed.
    func usage(of request: ModelRequest, by model: ModelDescription, plan: CachePlan = .none) -> TokenUsage {
        let experience = experience(of: model)
        let prompt = Double(TokenEstimate.prompt(of: request)) * experience.promptRatio.value
        let permitted = min(request.maxOutputTokens, model.maxOutputTokens)
        let output = min(
            experience.output(permitted: request.maxOutputTokens, twentieths: 19) ?? Int64(permitted / Self.firstPart),
            Int64(permitted))
        var usage = plan.usage(prompt: Int64(prompt.rounded(.up)))
        (usage.output, usage.isEstimated) = (output, true)
        return usage
    }

    /// The tokens that a model counts in prompts for each of `TokenEstimate`.
    func tokensPerEstimate(of model: ModelDescription) -> Double { experience(of: model).promptRatio.value }

    /// What a call will take from its budget: a high estimate of its whole prompt, and the median length of an
    /// answer. The longest possible answer is never counted. What is read from the provider's cache is for `CallLine`.
    func need(of request: ModelRequest, by model: ModelDescription, isInteractive: Bool) -> CallNeed {
        let experience = experience(of: model)
        let prompt = Double(TokenEstimate.prompt(of: request)) * (experience.highPromptRatio ?? 1)
        let permitted = Int64(min(request.maxOutputTokens, model.maxOutputTokens))
        let output = experience.output(permitted: request.maxOutputTokens, twentieths: 10) ?? Self.firstMedian
        return CallNeed(
            input: max(1, Int64(prompt.rounded(.up))), output: min(output, permitted),
            isInteractive: isInteractive)
    }

    /// The tokens of output that no provider has counted.
    func tokens(ofOutputBytes bytes: Int, by model: ModelDescription) -> Int64 {
        Int64((Double(bytes) * experience(of: model).outputRatio.value).rounded(.up))
    }

    /// The tokens that a model has written without showing them. Until its first content comes it thinks; afterwards no
    /// more.
    ///
    /// - Parameters:
    ///   - call: What has arrived of the answer.
    ///   - end: The uptime at which the provider wrote last; `nil` for one that fell silent, which may not write at all.
    ///   - model: The model.
    /// - Returns: The tokens.
    func hiddenTokens(of call: CallActivity.Snapshot, until end: Duration?, by model: ModelDescription) -> Int64 {
        guard let head = call.headAt, let end = call.firstContentAt ?? end, end > head else { return 0 }
        guard let hidden = experience(of: model).hidden else { return 0 }
        let usual = hidden.tokens / hidden.seconds
        var tokens: Double
        if call.firstContentAt == nil {
            tokens = (end - head).inSeconds * usual
            // What thinks for longer than usual is rather slow than thorough.
            let many = Self.manyAnswers * hidden.tokens
            tokens = many * (1 - exp(-tokens / many))
        } else {
            // One answer is written several times as fast as another, and all of it at one speed.
            let rate = speed(of: call, by: model).map { min(max($0, usual / 4), usual * 4) } ?? usual
            tokens = (end - head).inSeconds * rate
        }
        return min(Int64(tokens), Int64(model.maxOutputTokens))
    }

    /// The speed at which the text of an answer comes, in tokens per second; `nil` where little of it has come.
    private func speed(of call: CallActivity.Snapshot, by model: ModelDescription) -> Double? {
        guard let first = call.firstContentAt, let last = call.lastContentAt, last - first >= Self.shortestText else {
            return nil
        }
        return Double(tokens(ofOutputBytes: call.contentBytes, by: model)) / (last - first).inSeconds
    }

    /// Takes in what an answer has shown of the model's hidden thinking.
    func learnThinking(from usage: TokenUsage, written: Int, _ call: CallActivity.Snapshot, by model: ModelDescription)
    {
        guard !usage.isEstimated, let head = call.headAt, let content = call.firstContentAt,
            content - head >= Self.shortestThinking
        else { return }
        let shown = tokens(ofOutputBytes: max(0, call.contentBytes - written), by: model)
        let thinking = max(usage.thinking, Self.untoldThinking(in: usage, call, by: model))
        models.withLock { models in
            var experience = models[model.id] ?? Experience(model)
            experience.hiddenTokens.add(Double(max(0, thinking - shown)))
            experience.hiddenSeconds.add((content - head).inSeconds)
            models[model.id] = experience
        }
    }

    /// The thinking in an answer of a model that thinks as it likes where the provider does not tell it: the part of the
    /// output that the time before the first content is of the time until the last. A model writes what it hides as fast
    /// as what it shows.
    private static func untoldThinking(
        in usage: TokenUsage, _ call: CallActivity.Snapshot, by model: ModelDescription
    ) -> Int64 {
        guard model.thinking == .adaptive, usage.thinking == 0, let head = call.headAt,
            let first = call.firstContentAt, let last = call.lastContentAt, first - head >= shortestThinking,
            last - first >= shortestThinking
        else { return 0 }
        return Int64(Double(usage.output) * ((first - head).inSeconds / (last - head).inSeconds))
    }

    /// Takes in the tokens that a provider counted in a prompt. Where it tells them with its first event, a process that
    /// has just started estimates its next calls well before its first answer is whole; if it is killed until then, their
    /// estimates are what the books have.
    func learnPrompt(_ tokens: Int64, of request: ModelRequest, by model: ModelDescription) {
        let prompt = Double(tokens) / Double(TokenEstimate.prompt(of: request))
        guard Self.promptRatios.contains(prompt) else { return }
        models.withLock { models in
            var experience = models[model.id] ?? Experience(model)
            experience.promptRatio.add(prompt)
            experience.addPrompt(prompt)
            models[model.id] = experience
        }
    }

    /// Takes in an answer whose use the provider has told.
    ///
    /// - Parameters:
    ///   - response: The answer.
    ///   - request: Its request.
    ///   - model: The model.
    ///   - knowsPrompt: Whether the tokens of the prompt have been taken in before.
    ///   - call: When its parts arrived, where that was seen.
    func learn(
        from response: ModelResponse, to request: ModelRequest, by model: ModelDescription, knowsPrompt: Bool = false,
        _ call: CallActivity.Snapshot? = nil
    ) {
        guard !response.usage.isEstimated else { return }
        if !knowsPrompt { learnPrompt(response.usage.prompt, of: request, by: model) }
        let written = response.writtenBytes
        let untold = call.map { Self.untoldThinking(in: response.usage, $0, by: model) } ?? 0
        let output = Double(response.usage.output - max(response.usage.thinking, untold)) / Double(max(1, written))
        models.withLock { models in
            var experience = models[model.id] ?? Experience(model)
            if written > 0, Self.outputRatios.contains(output) { experience.outputRatio.add(output) }
            experience.outputs[request.maxOutputTokens, default: []].append(response.usage.output)
            if experience.outputs[request.maxOutputTokens, default: []].count > Self.remembered {
                experience.outputs[request.maxOutputTokens]?.removeFirst()
            }
            models[model.id] = experience
        }
    }

    private func experience(of model: ModelDescription) -> Experience {
        models.withLock { $0[model.id] } ?? Experience(model)
    }
}

extension ModelResponse {
    /// Bytes of text and of the input of tool calls.
    var writtenBytes: Int { self.text.utf8.count + self.toolCalls.reduce(0) { $0 + $1.input.utf8.count } }
}

/// A mean that forgets: the last 20 values or so make most of it.
struct RunningMean {
    private static let memory = 20

    private(set) var value: Double
    private(set) var count = 0

    /// - Parameter value: The value before the first one is added.
    init(_ value: Double) { self.value = value }

    mutating func add(_ new: Double) {
        count = min(count + 1, Self.memory)
        value += (new - value) / Double(count)
    }
}
