package import JobQueue

/// A member of a filter that is none.
package struct JobFilterError: Error {
    package let field: String
    package let problem: String
}

extension JobFilter {
    /// Reads the members by their names in queries, but the user, who is looked up.
    package init(_ value: (_ name: String) -> String?) throws(JobFilterError) {
        self.init()
        status = try Self.word(value, "status", JobStatus.init(rawValue:), JobStatus.allCases.map(\.rawValue))
        queue = try Self.word(value, "lane", QueueName.init(rawValue:), QueueName.allCases.map(\.rawValue))
        why = try Self.word(value, "why", WhyCode.init(rawValue:), WhyCode.allCases.map(\.rawValue))
        (kind, code, bundle) = (value("kind"), value("code"), value("bundle"))
        worker = value("worker").map { WorkerID(rawValue: $0) }
        createdFrom = try Self.time(value, "created_from")
        createdTo = try Self.time(value, "created_to")
    }

    private static func word<Value>(
        _ value: (String) -> String?, _ name: String, _ read: (String) -> Value?, _ known: [String]
    ) throws(JobFilterError) -> Value? {
        guard let text = value(name) else { return nil }
        if let found = read(text) { return found }
        throw JobFilterError(field: name, problem: "must be one of \(known.joined(separator: ", "))")
    }

    private static func time(_ value: (String) -> String?, _ name: String) throws(JobFilterError) -> Timestamp? {
        guard let text = value(name) else { return nil }
        if let time = Timestamp(iso8601: text) { return time }
        throw JobFilterError(field: name, problem: "must be a time such as 2026-12-31T00:00:00Z")
    }
}
