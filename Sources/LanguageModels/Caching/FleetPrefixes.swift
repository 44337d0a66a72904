internal import Basics
internal import JobQueue

/// What the processes of a fleet tell each other of the prefixes that providers keep: a cached document for each.
///
/// A word is read before a call whose prefix this process does not know to be warm, and written when such a call begins
/// and when its first content is here. Two processes that begin within the same milliseconds both write the prefix.
struct FleetPrefixes: Sendable {
    enum Word: Hashable, Sendable {
        /// Another process writes the prefix, for at most this time.
        case written(rest: Duration)
        /// The provider has the prefix for this time.
        case warm(rest: Duration)
    }

    /// The pause between two looks at a prefix that another process writes.
    static let pause: Duration = .milliseconds(100)

    private static let warm = "warm"

    private let documents: any DocumentRepository
    private let clock: TimeSource
    /// Tells this process from the others.
    private let process = "\(UInt64.random(in: .min ... .max))"

    init(_ documents: any DocumentRepository, clock: TimeSource) {
        self.documents = documents
        self.clock = clock
    }

    private static func key(_ prefix: PrefixKey) -> String { "prefix:\(prefix.hash)" }

    /// What the others say of some prefixes, by hash. A store that is away says nothing.
    func words(about prefixes: [PrefixKey]) async -> [String: Word] {
        let found = (try? await documents.documents(prefixes.map(Self.key))) ?? []
        let now = clock.wallMilliseconds()
        var words: [String: Word] = [:]
        for prefix in prefixes {
            guard let document = found.first(where: { $0.key == Self.key(prefix) }) else { continue }
            let rest = Duration.milliseconds(document.keptUntil.milliseconds - now)
            guard rest > .zero, document.text != process else { continue }
            words[prefix.hash] = document.text == Self.warm ? .warm(rest: rest) : .written(rest: rest)
        }
        return words
    }

    /// Says that this process writes a prefix.
    func begin(_ prefix: PrefixKey) async { await say(process, of: prefix, for: PrefixState.longestWait) }

    /// Says that the provider has a prefix.
    func keep(_ prefix: PrefixKey, for rest: Duration) async { await say(Self.warm, of: prefix, for: rest) }

    private func say(_ text: String, of prefix: PrefixKey, for rest: Duration) async {
        let now = clock.wallMilliseconds()
        let document = CachedDocument(
            key: Self.key(prefix), text: text, storedAt: Timestamp(milliseconds: now),
            keptUntil: Timestamp(milliseconds: now + rest.wholeMilliseconds))
        try? await documents.store(document)
    }
}
