/// Whether the server can be reached, as advice: words for errors, an offline banner, earlier retries. Requests are
/// sent whatever it says.
///
/// Learns from the outcomes of requests. An app on Apple's platforms should feed it from `NWPathMonitor`, which this
/// library does not import; `docs/client.md` has the five lines.
public final class ConnectivityMonitor: Sendable {
    /// What is known about the way to the server.
    public enum Status: String, Sendable, Hashable {
        /// The last sign was an answer, or the system's word.
        case connected
        /// The last sign was a failure.
        case disconnected
        /// Nothing is known yet.
        case connecting
    }

    /// What the device is connected by.
    public enum ConnectionType: String, Sendable, Hashable {
        /// A wireless network.
        case wifi = "Wi-Fi"
        /// A mobile network.
        case cellular = "Cellular"
        /// A cable.
        case ethernet = "Ethernet"
        /// Nobody has told.
        case unknown = "Unknown"
    }

    /// The device has one network, so this is the one shared object.
    public static let shared = ConnectivityMonitor()

    private let state = Locked<(status: Status, type: ConnectionType)>((.connecting, .unknown))
    private let changes = Broadcast<Status>()

    /// Makes a monitor that knows nothing yet.
    public init() {}

    /// What is known now.
    public var status: Status { state.withLock { $0.status } }
    /// True unless the last sign was a failure.
    public var isConnected: Bool { status != .disconnected }
    /// What was told last.
    public var connectionType: ConnectionType { state.withLock { $0.type } }

    /// The present status, then each change.
    public var updates: Updates<Status> {
        Updates { [self] in
            let changes = changes.listen()
            let shown = Locked<Status?>(nil)
            return UpdatesSource(
                next: { [self] in
                    // What was shown last may have come back before anybody looked.
                    while let status = try await shown.withLock({ $0 }) == nil ? status : changes.next() {
                        if shown.withLock({ $0.replace(by: status) }) { return status }
                    }
                    return nil
                }, end: changes.end)
        }
    }

    /// Tells what the system knows. A change to connected ends the pauses of retries and of watchers at once.
    public func report(_ status: Status, connectionType: ConnectionType = .unknown) {
        let isChange = state.withLock { state in
            defer { state = (status, connectionType) }
            return state.status != status
        }
        if isChange { changes.send(status) }
    }

    /// What the outcome of a request has shown.
    func learn(_ status: Status) {
        report(status, connectionType: connectionType)
    }

    /// Sleeps until the time is over or the server is connected anew.
    func pause(_ duration: Duration, sleep: @escaping @Sendable (Duration) async throws -> Void) async throws {
        let changes = changes.listen()
        defer { changes.end() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await sleep(duration) }
            group.addTask { while let status = try await changes.next(), status != .connected {} }
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}

extension Optional where Wrapped: Equatable {
    /// Whether the value is another one now.
    fileprivate mutating func replace(by value: Wrapped) -> Bool {
        defer { self = value }
        return self != value
    }
}
