internal import HTTPServer
internal import JSON

/// A page of a list in Claude's form: `after_id`, `before_id` and `limit` choose it.
struct ClaudePage {
    let json: JSON

    /// The page of a list, whose elements have the ids.
    init<Element>(
        of list: [Element], id: (Element) -> String, json: (Element) -> JSON, _ request: ServiceRequest
    ) throws(Refusal) {
        var listed = list
        if let after = request.request.query("after_id"), let place = listed.firstIndex(where: { id($0) == after }) {
            listed = Array(listed[(place + 1)...])
        }
        if let before = request.request.query("before_id"), let place = listed.firstIndex(where: { id($0) == before }) {
            listed = Array(listed[..<place])
        }
        let limit = request.request.query("limit").flatMap(Int.init) ?? 20
        guard (1...1_000).contains(limit) else {
            throw SimulatedClaudeErrors.invalid("limit: Input should be from 1 to 1000", context: request.context)
        }
        let page = listed.prefix(limit)
        self.json = [
            "data": .array(page.map(json)), "has_more": JSON(listed.count > limit),
            "first_id": JSON(page.first.map(id)), "last_id": JSON(page.last.map(id)),
        ]
    }
}
