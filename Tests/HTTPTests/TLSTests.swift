import Foundation
import Glibc
import HTTP
import Testing

private let openssl = ["/usr/bin/openssl", "/usr/local/bin/openssl"].first {
    FileManager.default.isExecutableFile(atPath: $0)
}

@Suite(.enabled(if: openssl != nil, "needs the openssl command"))
struct TLSTests {
    @Test func anUntrustedCertificateIsRefused() async throws {
        try await withTLSServer { url, _ in
            let client = HTTPClient()
            guard case .insecure(host: "localhost", let reason) = await client.failure(of: HTTPRequest(.get, url))
            else {
                Issue.record("the certificate was accepted")
                return
            }
            #expect(reason.contains("self-signed"))
            await client.shutdown()
        }
    }

    @Test func aCertificateForAnotherNameIsRefused() async throws {
        try await withTLSServer { url, certificate in
            let client = HTTPClient(trusting(certificate))
            let other = url.replacing("localhost", with: "127.0.0.1")
            guard case .insecure(host: "127.0.0.1", _) = await client.failure(of: HTTPRequest(.get, other)) else {
                Issue.record("the certificate was accepted")
                return
            }
            await client.shutdown()
        }
    }

    @Test func aTrustedServerIsAccepted() async throws {
        try await withTLSServer { url, certificate in
            let client = HTTPClient(trusting(certificate))
            let response = try await client.send(HTTPRequest(.get, url))
            #expect(response.status == 200)
            #expect(response.text.contains("TLSv1.3"))
            await client.shutdown()
        }
    }

    private func trusting(_ certificate: String) -> HTTPClientConfiguration {
        var configuration = HTTPClientConfiguration()
        configuration.trustedCertificates = certificate
        return configuration
    }

    /// A server for `localhost` with a self-signed certificate.
    private func withTLSServer(_ body: (_ url: String, _ certificate: String) async throws -> Void) async throws {
        let command = try #require(openssl)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let key = folder.appendingPathComponent("key.pem").path
        let certificate = folder.appendingPathComponent("certificate.pem").path
        let maker = try Command([
            command, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
            "2",
            "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate,
        ])
        while maker.readLine() != nil {}
        maker.end()
        let server = try Command([
            command, "s_server", "-accept", "127.0.0.1:0", "-www", "-key", key, "-cert", certificate,
        ])
        defer { server.end() }
        var line = server.readLine()
        while let said = line, !said.hasPrefix("ACCEPT") { line = server.readLine() }
        let port = try #require(line?.split(separator: ":").last, "openssl ended before it listened")
        try await body("https://localhost:\(port)/", certificate)
    }
}

/// A process whose output is read line by line. Foundation's `Process` detects the end by a descriptor that other
/// children, such as those of exit tests, inherit and keep open, so its wait may never return.
final class Command {
    private let process: pid_t
    private let output: UnsafeMutablePointer<FILE>

    struct SpawnFailure: Error { var code: Int32 }

    init(_ arguments: [String]) throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw SpawnFailure(code: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        for standard in [0, 2] as [Int32] {
            posix_spawn_file_actions_addopen(&actions, standard, "/dev/null", O_RDWR, 0)
        }
        var words = arguments.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process = pid_t()
        let code = posix_spawn(&process, arguments[0], &actions, nil, &words, environ)
        close(ends[1])
        guard code == 0, let output = fdopen(ends[0], "r") else { throw SpawnFailure(code: code) }
        self.process = process
        self.output = output
    }

    /// Without its line break; `nil` at the end.
    func readLine() -> String? {
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(line) }
        guard getline(&line, &capacity, output) > 0, let line else { return nil }
        return String(String(cString: line).prefix { !$0.isNewline })
    }

    /// Kills the process if it still runs. (The pool's threads block milder signals, and children inherit that.)
    func end() {
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
        fclose(output)
    }
}
