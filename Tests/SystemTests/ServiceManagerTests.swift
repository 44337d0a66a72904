import Foundation
import Glibc
import Testing

@testable import DossierCLI

extension SystemTests.Surface {
    /// What systemd hears of the services.
    @Suite(.serialized) struct ServiceManagerTests {
        @Test(
            .timeLimit(.minutes(10)),
            arguments: [["serve", "--workers", "0", "--listen", "127.0.0.1:0"], ["worker"]])
        func theManagerHearsOfTheStartOfLifeAndOfTheEnd(_ words: [String]) async throws {
            try await Fleet.with { fleet in
                let manager = try Manager(at: fleet.folder + "/notify")
                let service = try fleet.start(
                    words, variables: ["NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "300000"])
                try await manager.message { $0.contains("READY=1") }
                // More than once, so it is not the start alone.
                for _ in 0..<3 { try await manager.message { $0 == "WATCHDOG=1" } }
                service.signal(SIGTERM)
                try await manager.message { $0.contains("STOPPING=1") }
                #expect(try await service.ended() == .code(0))
            }
        }

        @Test(.timeLimit(.minutes(1)))
        func anAbstractSocketAndAnotherProcessesWatchdogAreUnderstood() async throws {
            let name = "@dossier-\(UUID().uuidString)"
            let socket = try Manager(at: name)
            let manager = ServiceManager(
                environment: ["NOTIFY_SOCKET": name, "WATCHDOG_USEC": "1000", "WATCHDOG_PID": "1"], processID: 2)
            #expect(manager.watchdog == nil)
            manager.send(.ready, .status("one\ntwo"))
            try await socket.message { $0 == "READY=1\nSTATUS=one two" }
            // None of these may be a failure of the service.
            for path in ["", "relative", "/no/such/socket", "/" + String(repeating: "a", count: 200)] {
                ServiceManager(environment: ["NOTIFY_SOCKET": path]).send(.alive)
            }
        }
    }

    /// systemd's end of the socket.
    private final class Manager: Sendable {
        let path: String
        private let messages: AsyncStream<String>

        init(at path: String) throws {
            self.path = path
            let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            var bytes = Array(path.utf8)
            if path.hasPrefix("@") { bytes[0] = 0 }
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
            let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
            let result = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
            }
            guard descriptor >= 0, result == 0 else { throw SystemFailure("no socket at \(path)") }
            let (stream, continuation) = AsyncStream.makeStream(of: String.self)
            messages = stream
            Thread.detachNewThread {
                var buffer = [UInt8](repeating: 0, count: 4096)
                while true {
                    let count = recv(descriptor, &buffer, buffer.count, 0)
                    if count < 0, errno == EINTR { continue }
                    guard count > 0 else { break }
                    continuation.yield(String(decoding: buffer[..<count], as: UTF8.self))
                }
                close(descriptor)
            }
        }

        /// Waits for the next message that satisfies the condition.
        func message(_ condition: (String) -> Bool) async throws {
            for await message in messages where condition(message) { return }
            throw CancellationError()
        }
    }
}
