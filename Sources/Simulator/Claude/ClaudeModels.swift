internal import JSON

/// A Claude model and the values that it accepts.
struct ClaudeModelInfo: Sendable {
    enum Thinking: Sendable {
        /// Cannot be turned off or given a budget.
        case always
        /// On by default; `disabled` is refused.
        case adaptive
        /// On by default.
        case optional
        /// Off unless asked for with a budget.
        case budgeted
    }

    var id: String
    var name: String
    var line: String
    var thinking: Thinking
    var allowsForcedTools = true
    /// Accepts temperature, top_p and top_k under version 2023-06-01.
    var allowsSampling = false
    var hasEffort = true
    /// Accepts a last turn of the assistant.
    var allowsPrefill = false
    var lifecycle = "active"
    var contextTokens = 1_000_000
    var outputTokens = 128_000
    /// Shorter prefixes are not cached.
    var shortestCachedPrefix = 1_024

    static let all: [ClaudeModelInfo] = [
        ClaudeModelInfo(
            id: "claude-fable-5-1", name: "Claude Fable 5.1", line: "fable", thinking: .always,
            allowsForcedTools: false),
        ClaudeModelInfo(
            id: "claude-fable-5-2", name: "Claude Fable 5.2", line: "fable", thinking: .always,
            allowsForcedTools: false),
        ClaudeModelInfo(
            id: "claude-opus-5-5", name: "Claude Opus 5.5", line: "opus", thinking: .always, allowsForcedTools: false),
        ClaudeModelInfo(
            id: "claude-opus-5", name: "Claude Opus 5", line: "opus", thinking: .optional, shortestCachedPrefix: 512),
        ClaudeModelInfo(
            id: "claude-sonnet-5-5", name: "Claude Sonnet 5.5", line: "sonnet", thinking: .adaptive,
            allowsForcedTools: false),
        ClaudeModelInfo(id: "claude-sonnet-5", name: "Claude Sonnet 5", line: "sonnet", thinking: .optional),
        ClaudeModelInfo(
            id: "claude-haiku-5-5", name: "Claude Haiku 5.5", line: "haiku", thinking: .optional,
            shortestCachedPrefix: 512),
        ClaudeModelInfo(id: "claude-opus-4-8", name: "Claude Opus 4.8", line: "opus", thinking: .optional),
        ClaudeModelInfo(id: "claude-opus-4-7", name: "Claude Opus 4.7", line: "opus", thinking: .optional),
        ClaudeModelInfo(
            id: "claude-opus-4-6", name: "Claude Opus 4.6", line: "opus", thinking: .budgeted, allowsSampling: true,
            shortestCachedPrefix: 4_096),
        ClaudeModelInfo(
            id: "claude-sonnet-4-6", name: "Claude Sonnet 4.6", line: "sonnet", thinking: .budgeted,
            allowsSampling: true),
        ClaudeModelInfo(
            id: "claude-haiku-4-5", name: "Claude Haiku 4.5", line: "haiku", thinking: .budgeted, allowsSampling: true,
            hasEffort: false, allowsPrefill: true, contextTokens: 200_000, outputTokens: 64_000,
            shortestCachedPrefix: 4_096),
        ClaudeModelInfo(
            id: "claude-sonnet-4-5", name: "Claude Sonnet 4.5", line: "sonnet", thinking: .budgeted,
            allowsSampling: true, hasEffort: false, allowsPrefill: true, lifecycle: "deprecated",
            contextTokens: 200_000, outputTokens: 64_000),
    ]

    var thinksByDefault: Bool { thinking != .budgeted }

    var json: JSON {
        func supported(_ value: Bool) -> JSON { ["supported": JSON(value)] }
        return [
            "type": "model", "id": JSON(id), "display_name": JSON(name), "created_at": "1970-01-01T00:00:00Z",
            "lifecycle": JSON(lifecycle), "line": JSON(line), "max_input_tokens": JSON(contextTokens),
            "max_tokens": JSON(outputTokens), "deprecated_at": nil, "retires_at": nil,
            "capabilities": [
                "batch": supported(false), "citations": supported(false), "code_execution": supported(false),
                "context_management": supported(false), "image_input": supported(false),
                "pdf_input": supported(false), "server_tools": supported(false),
                "structured_outputs": supported(true),
                "effort": [
                    "supported": JSON(hasEffort), "low": supported(hasEffort), "medium": supported(hasEffort),
                    "high": supported(hasEffort), "xhigh": supported(hasEffort), "max": supported(hasEffort),
                ],
                "thinking": [
                    "supported": true,
                    "types": [
                        "adaptive": supported(thinking != .budgeted),
                        "enabled": supported(thinking == .budgeted),
                        "disabled": supported(thinking == .optional || thinking == .budgeted),
                        "between_tools": supported(thinking == .adaptive),
                    ],
                ],
            ],
        ]
    }
}
