internal import Basics
internal import JSON
package import JobQueue
internal import Prompts
internal import Synchronization

/// The unfinished jobs that share the beginning of a prompt: those that will read what one of them writes to a
/// provider's cache.
///
/// A kind says by `cache: {company: ticker}` that its jobs with the same ticker share what comes before the mark
/// `company`.
package struct CacheSharers: Sendable {
    /// The jobs of a kind that are looked at.
    static let mostJobs = 200
    /// The time for which one look at the queue counts for all calls of a process.
    static let freshness: Duration = .seconds(2)

    private struct Known {
        var at: Duration
        var inputs: [JSON]
    }

    private final class Memory: Sendable {
        let known = Mutex<[String: Known]>([:])
    }

    private let read: (@Sendable (_ kind: String) async -> [JSON]?)?
    private let uptime: @Sendable () -> Duration
    private let memory = Memory()

    /// No job knows of others.
    package static let none = CacheSharers(read: nil, uptime: { .zero })

    /// The jobs in a store.
    package init(_ store: any JobStore) {
        self.init(
            read: { kind in try? await store.unfinishedInputs(ofKind: kind, limit: Self.mostJobs) },
            uptime: TimeSource.system.uptime)
    }

    init(read: (@Sendable (_ kind: String) async -> [JSON]?)?, uptime: @escaping @Sendable () -> Duration) {
        self.read = read
        self.uptime = uptime
    }

    /// Adds the jobs that share a mark with this one to the reads that are expected of it.
    func expectedReads(_ reads: [String: Double], of context: JobContext) async -> [String: Double] {
        var reads = reads
        for (mark, member) in context.kind.cacheKeys {
            guard let expected = reads[mark], let value = context.job.input[member] else { continue }
            let sharing = await inputs(of: context.kind.name).count { $0[member] == value }
            // The job itself is among them.
            reads[mark] = expected + Double(max(0, sharing - 1))
        }
        return reads
    }

    private func inputs(of kind: String) async -> [JSON] {
        let now = uptime()
        if let known = memory.known.withLock({ $0[kind] }), now - known.at < Self.freshness { return known.inputs }
        guard let inputs = await read?(kind) else { return [] }
        memory.known.withLock { $0[kind] = Known(at: now, inputs: inputs) }
        return inputs
    }
}
