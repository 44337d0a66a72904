/// Elements on their way from a producer to one consumer.
final class ElementBuffer<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var end: Result<Void, any Error>?
        var waiter: CheckedContinuation<Element?, any Error>?
    }

    private let state = Locked(State())
    private let replaces: (@Sendable (Element, Element) -> Bool)?

    /// - Parameter replaces: Whether the first one makes the second one useless, so that a slow consumer does not get
    ///   it: for states. Without, all elements are delivered.
    init(replaces: (@Sendable (Element, Element) -> Bool)? = nil) { self.replaces = replaces }

    /// Adds an element, unless the end has been announced.
    func put(_ element: Element) {
        let waiter = state.withLock { state -> CheckedContinuation<Element?, any Error>? in
            guard state.end == nil else { return nil }
            if let waiter = state.waiter {
                state.waiter = nil
                return waiter
            }
            if let replaces { state.elements.removeAll { replaces(element, $0) } }
            state.elements.append(element)
            return nil
        }
        waiter?.resume(returning: element)
    }

    /// Announces the end, which is delivered behind the elements; with an error, it is thrown.
    func finish(_ error: (any Error)? = nil) {
        let waiter = state.withLock { state -> CheckedContinuation<Element?, any Error>? in
            guard state.end == nil else { return nil }
            state.end = error.map { .failure($0) } ?? .success(())
            defer { state.waiter = nil }
            return state.waiter
        }
        if let error { waiter?.resume(throwing: error) } else { waiter?.resume(returning: nil) }
    }

    /// Waits for the next element.
    ///
    /// - Returns: `nil` at the end.
    /// - Throws: the error of the end, or `CancellationError` as soon as the task is cancelled.
    func next() async throws -> Element? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let answer = state.withLock { state -> Result<Element?, any Error>? in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if !state.elements.isEmpty { return .success(state.elements.removeFirst()) }
                    if let end = state.end { return end.map { nil } }
                    state.waiter = continuation
                    return nil
                }
                if let answer { continuation.resume(with: answer) }
            }
        } onCancel: {
            state.withLock { state in
                defer { state.waiter = nil }
                return state.waiter
            }?.resume(throwing: CancellationError())
        }
    }
}

/// Sends each element to all who listen.
final class Broadcast<Element: Sendable>: Sendable {
    private typealias Listener = (buffer: ElementBuffer<Element>, wants: @Sendable (Element) -> Bool)

    private let listeners = Locked<(next: Int, all: [Int: Listener])>((0, [:]))

    func send(_ element: Element) {
        let listeners = listeners.withLock { Array($0.all.values) }
        for listener in listeners where listener.wants(element) { listener.buffer.put(element) }
    }

    /// Listens from now on. A slow listener gets the latest element that it wants.
    func listen(to wants: @escaping @Sendable (Element) -> Bool = { _ in true }) -> UpdatesSource<Element> {
        let buffer = ElementBuffer<Element>(replaces: { _, _ in true })
        let id = listeners.withLock { listeners in
            listeners.next += 1
            listeners.all[listeners.next] = (buffer, wants)
            return listeners.next
        }
        return UpdatesSource(next: { try await buffer.next() }, end: { [self] in remove(id) })
    }

    private func remove(_ id: Int) { listeners.withLock { _ = $0.all.removeValue(forKey: id) } }
}
