public import DossierClient

#if canImport(Combine)
    public import Combine
#endif

/// Document 004's detailed status: connected, disconnected, connecting.
public typealias NetworkStatus = ConnectivityMonitor.Status

/// Whether the server can be reached, under document 004's names.
@MainActor
public final class NetworkMonitor: ObservableObject {
    /// Follows the client's monitor, which learns from requests and from what the app reports.
    public static let shared = NetworkMonitor(.shared)

    /// False when the last sign was a failure.
    @Published public private(set) var isConnected: Bool
    /// What is known.
    @Published public private(set) var status: NetworkStatus
    /// `Wi-Fi`, `Cellular`, `Ethernet` or `Unknown`.
    public var connectionType: String { monitor.connectionType.rawValue }

    private let monitor: ConnectivityMonitor

    /// Follows a monitor of the client's for as long as this one is used.
    public init(_ monitor: ConnectivityMonitor) {
        self.monitor = monitor
        isConnected = monitor.isConnected
        status = monitor.status
        Task { [weak self] in
            for try await status in monitor.updates {
                guard let self else { return }
                self.status = status
                isConnected = status != .disconnected
            }
        }
    }
}
