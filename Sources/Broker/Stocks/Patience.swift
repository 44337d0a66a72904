/// Waiting for something, but not for long.
enum Patience {
    /// What the body gives, or `nil` when the time is up; the body's task is cancelled then.
    static func wait<Value: Sendable>(
        _ time: Duration, for body: @escaping @Sendable () async -> Value
    ) async -> Value? {
        await withTaskGroup(of: Value?.self) { group in
            group.addTask { await body() }
            group.addTask {
                try? await Task.sleep(for: time)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
    }
}
