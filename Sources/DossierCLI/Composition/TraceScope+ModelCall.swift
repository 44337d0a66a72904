import LanguageModels
import Observability

extension TraceScope {
    /// Records a model call with OpenTelemetry's names for generative AI, which still change and are used only here.
    /// Neither prompts nor answers are sent.
    func record(_ call: CallRecord) {
        var attributes: [(String, Span.Attribute)] = [
            ("gen_ai.operation.name", .text("chat")), ("gen_ai.provider.name", .text(call.provider.conventionalName)),
            ("gen_ai.request.model", .text(call.model)), ("dossier.tier", .text(call.tier)),
            ("dossier.fallback", .flag(call.isFallback)),
        ]
        if let usage = call.usage {
            attributes.append(("gen_ai.usage.input_tokens", .integer(usage.prompt)))
            attributes.append(("gen_ai.usage.output_tokens", .integer(usage.output)))
        }
        if let cost = call.cost { attributes.append(("dossier.cost_micro_dollars", .integer(cost.rawValue))) }
        let problem = call.outcome == "answered" ? nil : call.outcome
        if let problem { attributes.append(("error.type", .text(problem))) }
        record("chat \(call.model)", kind: .client, took: call.duration, attributes: attributes, problem: problem)
    }
}

extension ModelProvider {
    fileprivate var conventionalName: String {
        switch self {
        case .claude: "anthropic"
        case .gemini: "gcp.gemini"
        case .openai: "openai"
        }
    }
}
