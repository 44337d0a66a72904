import SQLSupport
private import FoundationEssentials
internal import JobQueue

extension Statement {
    /// The statement that applies the records of a batch's effects, behind the one that fences its jobs; none when
    /// there are no records.
    static func records(of requests: [(lease: Lease, effects: [Effect])], at now: Timestamp?) -> [Statement] {
        var records: [(place: Int64, record: any StoredRecord)] = []
        for (index, request) in requests.enumerated() {
            for case .record(let change) in request.effects { records.append((Int64(index + 1), change.record)) }
        }
        if records.isEmpty { return [] }
        return [
            Statement(.applyRecords) { parameters in
                parameters.add(now?.milliseconds)
                parameters.add(ids: requests.map(\.lease.job))
                parameters.add(integers: requests.map(\.lease.epoch))
                parameters.add(integers: records.map(\.place))
                parameters.add(texts: records.map { type(of: $0.record).noun })
                parameters.add(texts: records.map(\.record.naturalKey))
                parameters.add(texts: records.map(\.record.body))
            }
        ]
    }
}

extension StoredRecord {
    /// The record as JSON; its members are called like the columns.
    ///
    /// A record that has no JSON (a number that is not finite) is an empty text, which the database refuses.
    var body: String {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
