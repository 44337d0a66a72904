internal import Synchronization

/// Gathers items and sends them to a collector in batches.
///
/// Adding an item never waits: over the limit, new items are dropped. A batch that the collector does not take is dropped
/// as well, with all that wait. Work is never held up.
final class ExportQueue<Item: Sendable>: Sendable {
    private struct State {
        var items: [Item] = []
        var dropped = 0
    }

    /// The largest number of waiting items.
    private static var capacity: Int { 4096 }
    private static var batch: Int { 512 }
    private static var interval: Duration { .seconds(2) }
    /// The longest time for a request.
    private static var limit: Duration { .seconds(10) }
    /// The longest time for the last requests of a process that ends.
    private static var lastLimit: Duration { .seconds(1) }

    private let state = Mutex(State())
    private let send: @Sendable ([Item], Duration) async -> Bool

    /// - Parameter send: Sends a batch within a time, and says whether it was taken.
    init(send: @escaping @Sendable ([Item], Duration) async -> Bool) { self.send = send }

    func add(_ item: Item) {
        state.withLock { state in
            if state.items.count < Self.capacity { state.items.append(item) } else { state.dropped += 1 }
        }
    }

    /// The number of items that were dropped, because too many waited or the collector did not take them.
    var dropped: Int { state.withLock { $0.dropped } }

    /// Sends items until the task is cancelled, and then the rest once more.
    func run() async {
        while (try? await Task.sleep(for: Self.interval)) != nil { await flush() }
        // Not in the cancelled task, in which every request would end at once.
        await Task { await self.flush(within: Self.lastLimit) }.value
    }

    /// Sends everything that waits.
    func flush() async { await flush(within: Self.limit) }

    private func flush(within limit: Duration) async {
        while true {
            let batch = state.withLock { state in
                let batch = Array(state.items.prefix(Self.batch))
                state.items.removeFirst(batch.count)
                return batch
            }
            guard !batch.isEmpty else { return }
            if await !send(batch, limit) {
                // Each further batch would take as long while the collector is unreachable.
                state.withLock { state in
                    state.dropped += batch.count + state.items.count
                    state.items = []
                }
                return
            }
        }
    }
}
