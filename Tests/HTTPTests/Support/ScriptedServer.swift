import Foundation
import Glibc
import Synchronization

/// A server on loopback whose every connection is handled by a script on a thread of its own, byte by byte: what a
/// real server would never send, and when, is what the client has to bear.
final class ScriptedServer: Sendable {
    typealias Script = @Sendable (ServerConnection) -> Void

    private struct State {
        var open: [Int32: ServerConnection] = [:]
        var accepted = 0
        var requests: [ReceivedRequest] = []
    }

    let port: Int
    private let listener: Int32
    private let script: Script
    private let state = Mutex(State())

    init(_ script: @escaping Script) throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 4096) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isListening else { throw SocketFailure(code: errno) }
        port = Int(UInt16(bigEndian: address.sin_port))
        self.script = script
        onThread { [self] in accept() }
    }

    struct SocketFailure: Error { var code: Int32 }

    var url: String { "http://127.0.0.1:\(port)" }

    /// Connections accepted so far.
    var accepted: Int { state.withLock(\.accepted) }

    var openConnections: Int { state.withLock(\.open.count) }

    /// Requests read so far, over all connections.
    var requests: [ReceivedRequest] { state.withLock(\.requests) }

    /// Ends every connection and the listener. Scripts that wait for bytes see the end of them.
    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        state.withLock { state in for connection in state.open.values { connection.cut() } }
    }

    private func accept() {
        while true {
            let descriptor = Glibc.accept(listener, nil, nil)
            guard descriptor >= 0 else { break }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            let connection = state.withLock { [self] state in
                state.accepted += 1
                let connection = ServerConnection(descriptor, number: state.accepted) { request in
                    self.state.withLock { $0.requests.append(request) }
                }
                state.open[descriptor] = connection
                return connection
            }
            onThread { [self] in
                script(connection)
                // Closed under the lock: `stop` must not cut a descriptor that is somebody else's by then.
                state.withLock { state in
                    state.open[descriptor] = nil
                    close(descriptor)
                }
            }
        }
        close(listener)
    }
}

/// A detached thread with a small stack: tests start hundreds.
func onThread(_ run: @escaping @Sendable () -> Void) {
    let thread = Thread(block: run)
    thread.stackSize = 256 << 10
    thread.start()
}
