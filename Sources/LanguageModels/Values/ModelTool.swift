public import JSON

/// A function that the model may ask us to call.
public struct ModelTool: Hashable, Sendable {
    public var name: String
    public var description: String
    /// A JSON Schema of an object.
    public var parameters: JSON

    public init(name: String, description: String, parameters: JSON) {
        self.name = name
        self.description = description
        self.parameters = parameters
    }
}

/// Whether the model must, may or must not call a tool.
public enum ToolChoice: Hashable, Sendable {
    case automatic, any, none
    case tool(String)

    var isForced: Bool {
        switch self {
        case .any, .tool: true
        case .automatic, .none: false
        }
    }
}

/// A call that the model asks for.
public struct ToolCall: Hashable, Sendable {
    /// Ties the result to the call. Made here when the provider gives none.
    public var id: String
    public var name: String
    public var input: JSON

    public init(id: String, name: String, input: JSON) {
        self.id = id
        self.name = name
        self.input = input
    }
}

/// The answer to a `ToolCall`.
public struct ToolResult: Hashable, Sendable {
    public var callID: String
    public var name: String
    /// A string is passed on as text, anything else as JSON.
    public var content: JSON
    public var isError: Bool

    public init(callID: String, name: String, content: JSON, isError: Bool = false) {
        self.callID = callID
        self.name = name
        self.content = content
        self.isError = isError
    }

    var text: String { content.string ?? content.compact }
}
