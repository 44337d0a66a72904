import SQLSupport

/// A query with its values.
struct Statement: Sendable {
    var query: QueryText
    var parameters: Parameters

    init(_ query: Query, _ fill: (inout Parameters) -> Void = { _ in }) {
        self.init(named: query.rawValue, fill)
    }

    /// A statement of the query that `SQL/` holds under a name.
    init(named name: String, _ fill: (inout Parameters) -> Void = { _ in }) {
        query = QueryText(named: name)
        parameters = Parameters()
        fill(&parameters)
    }
}
