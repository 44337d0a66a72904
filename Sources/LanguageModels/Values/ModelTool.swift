package import JSON

/// A function that the model may call.
package struct ModelTool: Hashable, Sendable {
    package var name: String
    package var description: String
    /// A JSON Schema of an object.
    package var parameters: JSON
}

/// Whether the model must, may or must not call a tool.
package enum ToolChoice: Hashable, Sendable {
    case automatic, any, none
    case tool(String)

    var isForced: Bool {
        switch self {
        case .any, .tool: true
        case .automatic, .none: false
        }
    }
}

/// A call of a tool by the model.
package struct ToolCall: Hashable, Sendable {
    /// Connects the result with the call. Dossier makes one when the provider gives none.
    package var id: String
    package var name: String
    package var input: JSON
}

/// The result of a `ToolCall`.
package struct ToolResult: Hashable, Sendable {
    package var callID: String
    package var name: String
    /// A string is passed on as text, any other value as JSON.
    package var content: JSON
    package var isError = false

    var text: String { content.string ?? content.compact }
}
