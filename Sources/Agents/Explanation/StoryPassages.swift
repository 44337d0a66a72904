internal import JSON
internal import Prompts
internal import JobQueue

/// The parts of everybody's explanation of a story, as answers may rest on them.
struct StoryPassages: Sendable {
    /// In this order their places within the source, so that another version of a part takes the place of this one.
    private static let parts = [
        ("what_happened", "What happened"), ("why_it_happened", "Why it happened"),
        ("why_it_matters_now", "Why it matters now"), ("what_to_watch_next", "What to watch next"),
        ("what_this_does_not_mean", "What this does not mean"),
    ]

    /// The number of the group in which everybody sees the story.
    let group: Int64
    let title: String
    let explanation: JSON
    /// When the explanation was written, in milliseconds since 1970: its passages go when it does.
    let writtenAt: Int64

    /// A passage for each part; each part of an explanation says something.
    var records: [RecordChange] {
        Self.parts.enumerated().map { place, part in
            let title = "\(title): \(part.1)"
            let text = explanation[part.0]?.string ?? ""
            return .passage(
                Passage(
                    kind: .story, source: String(group), part: Int64(place), title: title, text: text,
                    terms: ContentWords(title + "\n" + text).terms, writtenAt: writtenAt))
        }
    }
}
