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
        statuses = try Set<JobStatus>(value("status"))
        if let text = value("q") { subjectWords = try Self.words(text) }
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

    /// The longest text that is looked for in subjects, in characters.
    private static let longestText = 100

    /// The runs of letters and digits of a text.
    private static func words(_ text: String) throws(JobFilterError) -> [String] {
        let words = text.split { !($0.isLetter || $0.isNumber) }.map(String.init)
        if words.isEmpty { throw JobFilterError(field: "q", problem: "must have a letter or a digit") }
        if text.count > longestText {
            throw JobFilterError(field: "q", problem: "must have at most \(longestText) characters")
        }
        return words
    }

    private static func time(_ value: (String) -> String?, _ name: String) throws(JobFilterError) -> Timestamp? {
        guard let text = value(name) else { return nil }
        if let time = Timestamp(iso8601: text) { return time }
        throw JobFilterError(field: name, problem: "must be a time such as 2026-12-31T00:00:00Z")
    }
}

extension Set<JobStatus> {
    /// Reads the member `status` of a query: statuses with commas between them.
    init(_ text: String?) throws(JobFilterError) {
        self.init()
        for word in text?.split(separator: ",", omittingEmptySubsequences: false) ?? [] {
            guard let status = JobStatus(rawValue: String(word)) else {
                let all = JobStatus.allCases.map(\.rawValue).joined(separator: ", ")
                throw JobFilterError(field: "status", problem: "must be some of \(all), with commas between them")
            }
            insert(status)
        }
    }
}
