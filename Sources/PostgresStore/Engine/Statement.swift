internal import JobQueue
internal import SQLSupport

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

/// A query as a connection sees it: the name of its prepared statement and its text.
struct QueryText: Hashable, Sendable {
    let name: String
    let text: String

    /// The query that the files of `SQL/` hold under a name.
    init(named name: String) {
        self.name = name
        // A name without a text prepares an empty statement, which a test finds.
        text = Self.files.texts[name] ?? ""
    }

    /// The queries of all files of `SQL/`.
    static let files = NamedQueries([
        PackageResources.jobs_sql, PackageResources.claims_sql, PackageResources.journal_sql,
        PackageResources.workers_sql, PackageResources.credits_sql, PackageResources.model_costs_sql,
        PackageResources.limits_sql, PackageResources.schedules_sql,
        PackageResources.batches_sql, PackageResources.database_sql, PackageResources.monitoring_sql,
        PackageResources.health_sql, PackageResources.access_sql, PackageResources.accounts_sql,
        PackageResources.articles_sql,
        PackageResources.conversations_sql, PackageResources.deletions_sql, PackageResources.documents_sql,
        PackageResources.erasures_sql, PackageResources.exports_sql,
        PackageResources.passages_sql, PackageResources.pauses_sql, PackageResources.operations_sql,
        PackageResources.plans_sql,
        PackageResources.ledger_sql, PackageResources.preferences_sql, PackageResources.recall_sql,
        PackageResources.sessions_sql,
        PackageResources.stories_sql, PackageResources.webhooks_sql,
        PackageResources.operators_sql,
    ])

    static func == (left: Self, right: Self) -> Bool { left.name == right.name }

    func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// The values of a statement in PostgreSQL's binary form, in one buffer.
struct Parameters: Sendable {
    private(set) var bytes: [UInt8] = []
    /// The range of each value in `bytes`; `nil` is NULL.
    private(set) var spans: [Range<Int>?] = []

    /// The object ids of PostgreSQL's types.
    private enum TypeNumber: Int32 {
        case bytea = 17
        case bigint = 20
        case text = 25
        case uuid = 2950
    }

    mutating func add(_ value: Int64?) {
        guard let value else { return spans.append(nil) }
        append { $0.append(value) }
    }

    mutating func add(_ text: String?) {
        guard let text else { return spans.append(nil) }
        append { $0.bytes.append(contentsOf: text.utf8) }
    }

    mutating func add(_ value: [UInt8]) {
        append { $0.bytes.append(contentsOf: value) }
    }

    mutating func add(_ id: JobID?) {
        guard let id else { return spans.append(nil) }
        append { $0.append(id) }
    }

    mutating func add(integers: some Collection<Int64?>) {
        add(integers, of: .bigint) { $0.append($1) }
    }

    mutating func add(texts: some Collection<String?>) {
        add(texts, of: .text) { $0.bytes.append(contentsOf: $1.utf8) }
    }

    mutating func add(bytes: some Collection<[UInt8]?>) {
        add(bytes, of: .bytea) { $0.bytes.append(contentsOf: $1) }
    }

    mutating func add(ids: some Collection<JobID?>) {
        add(ids, of: .uuid) { $0.append($1) }
    }

    private mutating func append(_ write: (inout Parameters) -> Void) {
        let start = bytes.count
        write(&self)
        spans.append(start..<bytes.count)
    }

    /// Adds an array of one dimension: the number of dimensions, whether it may hold NULL, the type of its elements,
    /// their count, the first index; then each element after its length.
    private mutating func add<Element>(
        _ elements: some Collection<Element?>, of type: TypeNumber, write: (inout Parameters, Element) -> Void
    ) {
        append { parameters in
            parameters.append(Int32(elements.isEmpty ? 0 : 1))
            parameters.append(Int32(1))
            parameters.append(type.rawValue)
            if elements.isEmpty { return }
            parameters.append(Int32(elements.count))
            parameters.append(Int32(1))
            for element in elements {
                let length = parameters.bytes.count
                parameters.append(Int32(-1))
                guard let element else { continue }
                write(&parameters, element)
                let count = Int32(parameters.bytes.count - length - 4)
                withUnsafeBytes(of: count.bigEndian) {
                    parameters.bytes.replaceSubrange(length..<(length + 4), with: $0)
                }
            }
        }
    }

    private mutating func append(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }

    private mutating func append(_ id: JobID) {
        append(id.high)
        append(id.low)
    }
}
