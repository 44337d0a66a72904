import SQLSupport
internal import Glibc

/// Where tasks leave work and threads wait for it.
///
/// `@unchecked Sendable`: all state is behind the mutex, which with its condition lives at a fixed address as both must.
final class WorkQueue<Item: Sendable>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var items: [Item] = []
    private var sleepers = 0
    private var isClosed = false

    init() {
        mutex = .allocate(capacity: 1)
        condition = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Leaves an item; `false` when the mailbox is closed.
    func post(_ item: Item) -> Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        guard !isClosed else { return false }
        items.append(item)
        if sleepers > 0 { pthread_cond_signal(condition) }
        return true
    }

    /// Waits until there is something; `false` when the mailbox is closed and empty.
    func wait() -> Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return awaitItems()
    }

    /// Waits until there is something and takes up to so many, oldest first; `nil` when closed and empty.
    func take(upTo limit: Int) -> [Item]? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return awaitItems() ? remove(limit) : nil
    }

    /// Takes up to so many of what is there now.
    func takePresent(upTo limit: Int) -> [Item] {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return remove(limit)
    }

    /// Refuses further items; what is there is still handed out.
    func close() {
        pthread_mutex_lock(mutex)
        isClosed = true
        pthread_cond_broadcast(condition)
        pthread_mutex_unlock(mutex)
    }

    private func awaitItems() -> Bool {
        while items.isEmpty {
            if isClosed { return false }
            sleepers += 1
            pthread_cond_wait(condition, mutex)
            sleepers -= 1
        }
        return true
    }

    private func remove(_ limit: Int) -> [Item] {
        if items.count <= limit {
            let taken = items
            items = []
            return taken
        }
        let taken = Array(items.prefix(limit))
        items.removeFirst(limit)
        return taken
    }
}
