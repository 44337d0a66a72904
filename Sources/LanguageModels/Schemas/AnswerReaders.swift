internal import JSON
internal import Synchronization

/// Readers of answers, one for each schema that is asked for: thousands of calls at once share a few compiled schemas.
final class AnswerReaders: Sendable {
    /// Many more than a set of prompts has. Schemas that callers make up one after the other must not pile up.
    private static let mostReaders = 64

    private let readers = Mutex<[JSON: AnswerReader]>([:])

    func reader(for provider: ModelProvider, _ schema: JSON) throws(SchemaLoweringError) -> AnswerReader {
        if let reader = readers.withLock({ $0[schema] }) { return reader }
        let reader = try AnswerReader(provider: provider, schema: schema)
        readers.withLock { readers in
            if readers.count >= Self.mostReaders { readers = [:] }
            readers[schema] = reader
        }
        return reader
    }
}
