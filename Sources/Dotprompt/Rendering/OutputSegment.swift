internal import JSON

/// A piece of rendered output.
///
/// Marks of structure are pieces of their own and never text, so no value that a prompt is rendered with can forge one.
enum OutputSegment: Sendable, Equatable {
    case text(String)
    case role(String, metadata: JSONObject)
    case history
    case media(url: String, contentType: String?)
    case section(String)
}
