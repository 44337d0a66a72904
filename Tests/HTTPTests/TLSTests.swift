import Foundation
import HTTP
import Testing

private let openssl = ["/usr/bin/openssl", "/usr/local/bin/openssl"].first {
    FileManager.default.isExecutableFile(atPath: $0)
}

@Suite(.enabled(if: openssl != nil, "needs the openssl command"))
struct TLSTests {
    @Test func aCertificateThatNobodyVouchesForIsRefused() async throws {
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

    @Test func aTrustedServerAnswers() async throws {
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

    /// A server for `localhost` with a certificate of its own making.
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
