import SQLSupport

/// A query with its values.
struct Statement: Sendable {
    var query: Query
    var parameters: Parameters

    init(_ query: Query, _ fill: (inout Parameters) -> Void = { _ in }) {
        self.query = query
        parameters = Parameters()
        fill(&parameters)
    }
}
