internal import JSON
internal import LanguageModels
internal import Prompts

/// Judges the hand-written answers of a case as production would judge them, in the format of each provider.
struct HandWrittenRun {
    let promptCase: PromptCase
    let prompt: LoadedPrompt
    let bundle: Bundle

    /// Each answer that is judged otherwise than it says.
    var findings: [Finding] {
        promptCase.answers.enumerated().flatMap { place, answer in
            answer.providers.compactMap { provider in
                problem(with: answer, from: provider).map { problem in
                    Finding(
                        .handWritten,
                        "The hand-written answer \(place + 1) (\(answer.because)), as \(provider.rawValue) sends it: "
                            + problem.message, details: problem.details)
                }
            }
        }
    }

    private struct Problem {
        var message: String
        var details: [String] = []
    }

    private func problem(with answer: HandWrittenAnswer, from provider: ModelProvider) -> Problem? {
        guard let text = text(of: answer.content) else {
            return Problem(message: "there is no answer that it could be laid over.")
        }
        let body = text.body ?? ProviderBody.make(text.written, ending: answer.ending, by: provider)
        guard let recording = Self.recording(of: body, from: provider) else {
            return Problem(message: "its body is no answer.")
        }
        let evaluation = Evaluation(of: recording, to: plainCase, by: prompt, in: bundle)
        guard evaluation.outcome == answer.outcome else {
            return Problem(
                message: "it counts as '\(evaluation.outcome.rawValue)' and not as '\(answer.outcome.rawValue)'.",
                details: [evaluation.problem].compactMap(\.self))
        }
        guard evaluation.failing == answer.failing else {
            let unexpected = evaluation.failures.filter { !answer.failing.contains($0.check) }
            let missing = answer.failing.subtracting(evaluation.failing).sorted()
            return Problem(
                message: unexpected.isEmpty ? "checks that must fail pass." : "it breaks checks.",
                details: unexpected.map { "\($0.check): \($0)" } + missing.map { "\($0): passes, but must fail" })
        }
        return answer.repaired.flatMap { problem(withRepair: $0, of: recording, from: provider) }
    }

    /// The draft is asked for again as production does it, and the answer to that has to be accepted.
    private func problem(
        withRepair content: HandWrittenAnswer.Content, of draft: Recording, from provider: ModelProvider
    ) -> Problem? {
        guard let text = text(of: content) else { return Problem(message: "its repair has no text.") }
        let repair: DraftRepair?
        do {
            repair = try DraftRepair(of: draft, to: plainCase, by: prompt, in: bundle)
        } catch {
            return Problem(message: "the request to put it right cannot be made: \(error).")
        }
        guard let repair else { return Problem(message: "it would not be sent back to be put right.") }
        let body = ProviderBody.make(text.written, ending: .complete, by: provider)
        guard let recording = Self.recording(of: body, from: provider) else {
            return Problem(message: "its repair is no answer.")
        }
        let evaluation = repair.evaluation(of: recording, in: bundle)
        guard evaluation.outcome != .answered || !evaluation.failures.isEmpty else { return nil }
        return Problem(
            message: "its repair is not accepted.",
            details: [evaluation.problem].compactMap(\.self) + evaluation.failures.map { "\($0.check): \($0)" })
    }

    /// The case as a usual answer has to meet it.
    private var plainCase: PromptCase {
        var plain = promptCase
        plain.expectation = .init()
        return plain
    }

    private func text(of content: HandWrittenAnswer.Content) -> (written: String, body: JSON?)? {
        switch content {
        case .text(let text): return (text, nil)
        case .json(let json): return (json.compact, nil)
        case .body(let body): return ("", body)
        case .patch(let patch):
            let written = promptCase.answers.lazy.compactMap { answer -> JSON? in
                if case .json(let json) = answer.content { json } else { nil }
            }
            return (written.first ?? golden).map { (MergePatch.apply(patch, to: $0).compact, nil) }
        }
    }

    /// The accepted answer of the case, so that an answer stays whole when the prompt's schema grows.
    private var golden: JSON? {
        CaseFolder(path: promptCase.folder).text(CaseFolder.output(provider: nil)).flatMap { try? JSON(parsing: $0) }?[
            "json"]
    }

    /// The answer as production would keep it; `nil` for a body that is none.
    private static func recording(of body: JSON, from provider: ModelProvider) -> Recording? {
        do throws(ModelError) {
            let response = try ModelResponse(body: body, from: provider)
            return Recording(
                requestHash: "", outcome: .answered, isSimulated: false, recordedAt: "", response: response)
        } catch {
            let nothing = ProviderBody.make("", ending: .complete, by: provider)
            guard let outcome = AnswerOutcome(error.kind),
                let response = try? ModelResponse(body: nothing, from: provider)
            else { return nil }
            return Recording(
                requestHash: "", outcome: outcome, detail: AnswerOutcome.detail(of: error.kind), isSimulated: false,
                recordedAt: "", response: response)
        }
    }
}

/// A text as the body of a provider's response, with the parts around it that real answers have.
enum ProviderBody {
    static func make(_ text: String, ending: HandWrittenAnswer.Ending, by provider: ModelProvider) -> JSON {
        switch provider {
        case .claude: claude(text, ending)
        case .gemini: gemini(text, ending)
        case .openai: openAI(text, ending)
        }
    }

    private static func claude(_ text: String, _ ending: HandWrittenAnswer.Ending) -> JSON {
        var body: JSON = [
            "id": "msg_01HandWritten", "type": "message", "role": "assistant", "model": "claude-haiku-5-5",
            "content": [
                ["type": "thinking", "thinking": "The reader wants this in plain words.", "signature": "c2lnbmVk"],
                ["type": "text", "text": JSON(text)],
            ],
            "stop_reason": "end_turn", "stop_sequence": nil,
            "usage": ["input_tokens": 900, "output_tokens": 180, "cache_read_input_tokens": 0],
        ]
        switch ending {
        case .complete: break
        case .limit: body["stop_reason"] = "max_tokens"
        case .refusal:
            body["stop_reason"] = "refusal"
            body["content"] = []
        }
        return body
    }

    /// Gemini sends its text in several parts.
    private static func gemini(_ text: String, _ ending: HandWrittenAnswer.Ending) -> JSON {
        let middle = text.unicodeScalars.index(text.startIndex, offsetBy: text.unicodeScalars.count / 2)
        let reason = ["complete": "STOP", "limit": "MAX_TOKENS", "refusal": "SAFETY"][ending.rawValue] ?? "STOP"
        let parts: JSON = [
            ["text": "The reader wants this in plain words.", "thought": true],
            ["text": JSON(String(text[..<middle]))], ["text": JSON(String(text[middle...]))],
        ]
        return [
            "candidates": [
                [
                    "content": ["role": "model", "parts": ending == .refusal ? [] : parts],
                    "finishReason": JSON(reason), "index": 0,
                ]
            ],
            "usageMetadata": ["promptTokenCount": 900, "candidatesTokenCount": 160, "thoughtsTokenCount": 20],
            "modelVersion": "gemini-3.8-flash", "responseId": "hand-written",
        ]
    }

    private static func openAI(_ text: String, _ ending: HandWrittenAnswer.Ending) -> JSON {
        let reason = ["complete": "stop", "limit": "length", "refusal": "content_filter"][ending.rawValue] ?? "stop"
        return [
            "id": "chatcmpl-hand-written", "object": "chat.completion", "model": "local",
            "choices": [
                [
                    "index": 0, "finish_reason": JSON(reason),
                    "message": ["role": "assistant", "content": JSON(ending == .refusal ? "" : text)],
                ]
            ],
            "usage": ["prompt_tokens": 900, "completion_tokens": 160, "total_tokens": 1060],
        ]
    }
}
