import Glibc

/// Tells systemd how a service is doing, by the protocol of `sd_notify`: datagrams to the socket in `NOTIFY_SOCKET`.
/// Without that variable nothing is sent.
struct ServiceManager: Sendable {
    enum State: Equatable {
        /// The start is over. A process that waits for its database has started, too: another start would not help it.
        case ready
        case stopping
        /// A line for `systemctl status`.
        case status(String)
        case alive

        var message: String {
            switch self {
            case .ready: "READY=1"
            case .stopping: "STOPPING=1"
            case .status(let text): "STATUS=" + text.replacing("\n", with: " ")
            case .alive: "WATCHDOG=1"
            }
        }
    }

    /// A path, or an abstract name after `@`.
    private let socket: String?
    /// The time after which systemd counts the process as hanging; `nil` without a watchdog.
    let watchdog: Duration?

    init(environment: [String: String], processID: Int32 = getpid()) {
        socket = environment["NOTIFY_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
        // The variables of the watchdog may be another process's, which started this one.
        let isMine = environment["WATCHDOG_PID"].map { $0 == String(processID) } ?? true
        let interval = isMine ? environment["WATCHDOG_USEC"].flatMap { Int64($0) } : nil
        watchdog = interval.flatMap { $0 > 0 ? .microseconds($0) : nil }
    }

    /// Sends states in one datagram. A manager that does not listen is no failure of the service.
    func send(_ states: State...) {
        guard let socket, var address = Self.address(of: socket) else { return }
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let message = Array(states.map(\.message).joined(separator: "\n").utf8)
        let length = socklen_t(MemoryLayout<sa_family_t>.size + socket.utf8.count + (socket.hasPrefix("@") ? 0 : 1))
        _ = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                sendto(descriptor, message, message.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT), pointer, length)
            }
        }
    }

    private static func address(of socket: String) -> sockaddr_un? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(socket.utf8)
        guard let first = bytes.first, first == UInt8(ascii: "/") || first == UInt8(ascii: "@"),
            bytes.count < MemoryLayout.size(ofValue: address.sun_path)
        else { return nil }
        if first == UInt8(ascii: "@") { bytes[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return address
    }

    /// Runs a service. The watchdog hears from a task beside it, so a pool of threads that hangs is noticed.
    func supervise(_ service: () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            if let watchdog {
                group.addTask {
                    repeat { send(.alive) } while (try? await Task.sleep(for: watchdog / 3)) != nil
                }
            }
            defer { group.cancelAll() }
            try await service()
        }
    }
}
