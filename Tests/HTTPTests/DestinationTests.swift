import TestSupport
import Testing

@testable import HTTP

@Suite struct DestinationTests {
    private func guarded(_ url: String, allowing: [String] = [], redirects: Int = 5) -> HTTPRequest {
        let limits = HTTPLimits.with {
            $0.redirects = redirects
            $0.connect = .milliseconds(300)
        }
        return HTTPRequest(.get, url, limits: limits, destination: .publicInternet(allowing: allowing))
    }

    /// A client that resolves every name to these addresses.
    private func client(resolving addresses: String...) -> HTTPClient {
        let parsed = addresses.compactMap { IPAddress($0) }
        return HTTPClient { (_, _) async throws(HTTPClientError) in parsed }
    }

    @Test(arguments: [
        "127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f000001", "0x7f.1", "017700000001", "0177.0.0.1",
        "127.0.0.1.",
        "localhost", "LOCALHOST", "localhost.", "0", "0.0.0.0", "[::1]", "[::]", "[::ffff:127.0.0.1]", "[::127.0.0.1]",
        "[0:0:0:0:0:ffff:7f00:1]", "１２７.０.０.１", "127。0。0。1", "%31%32%37.0.0.1", "ⓛocalhost", "[64:ff9b::7f00:1]",
    ])
    func everyNotationOfLoopbackIsRefused(host: String) async throws {
        try await withServer(script: always { connection, _ in connection.answer(200, "inside") }) { server, client in
            let error = await client.failure(of: guarded("http://\(host):\(server.port)/"))
            guard case .forbiddenAddress = error else {
                Issue.record("got \(String(describing: error))")
                return
            }
            #expect(server.accepted == 0)
        }
    }

    @Test(arguments: [
        "http://user@example.com/", "http://user:secret@example.com/", "http://example.com@127.0.0.1/",
        "http://[fe80::1%25eth0]/", "http://exa mple.com/", "http://127.0.0.1\\@example.com/", "http://a.b/\0",
    ])
    func anAmbiguousAddressIsRefused(url: String) async throws {
        let client = client(resolving: "8.8.8.8")
        guard case .invalidURL = await client.failure(of: guarded(url)) else {
            Issue.record("was not refused")
            return
        }
    }

    @Test(arguments: ["169.254.169.254", "10.1.2.3", "192.168.0.1", "[fd00:ec2::254]", "100.100.100.200"])
    func privateAddressesAreRefusedWithoutAnAttempt(host: String) async throws {
        let client = HTTPClient()
        guard case .forbiddenAddress = await client.failure(of: guarded("http://\(host)/latest/meta-data/")) else {
            Issue.record("was not refused")
            return
        }
    }

    @Test(arguments: [22, 25, 110, 143, 3306, 5432, 6379, 9200, 11211, 27017])
    func portsOfOtherProtocolsAreRefused(port: Int) async throws {
        let client = client(resolving: "93.184.216.34")
        let url = "http://example.com:\(port)/"
        #expect(await client.failure(of: guarded(url)) == .forbiddenPort(host: "example.com", port: port))
    }

    @Test func listedHostsMayUseAnyPort() {
        let policy = AddressPolicy(allowing: ["10.0.0.0/8", "inside.example"])
        #expect(policy.permits(port: 6379, at: .v4(0x0A01_0203), of: "x.example"))
        #expect(policy.permits(port: 6379, at: .v4(0x0808_0808), of: "Inside.Example."))
        #expect(!policy.permits(port: 6379, at: .v4(0x0808_0808), of: "x.example"))
        #expect(policy.permits(port: 8443, at: .v4(0x0808_0808), of: "x.example"))
    }

    @Test func onePrivateAddressAmongPublicOnesIsRefused() async throws {
        let client = client(resolving: "93.184.216.34", "2606:4700::1111", "10.0.0.7")
        #expect(
            await client.failure(of: guarded("http://mixed.example/"))
                == .forbiddenAddress(host: "mixed.example", address: "10.0.0.7"))
    }

    @Test func aRedirectToAPrivateAddressIsRefused() async throws {
        let inside = try ScriptedServer(always { connection, _ in connection.answer(200, "inside") })
        defer { inside.stop() }
        let location = "http://localhost:\(inside.port)/"
        let script = always { connection, _ in connection.answer(302, headers: ["Location: \(location)"]) }
        try await withServer(script: script) { server, client in
            let error = await client.failure(of: guarded(server.url, allowing: ["127.0.0.1/32", "::1/128"]))
            #expect(error == nil, "both are allowed by their addresses")
        }
        try await withServer(script: script) { server, _ in
            // The first host is listed by name, the second one is not.
            let client = HTTPClient { (_, _) async throws(HTTPClientError) in [.v4(0x7F00_0001)] }
            let error = await client.failure(
                of: guarded("http://outside.example:\(server.port)/", allowing: ["outside.example"]))
            #expect(error == .forbiddenAddress(host: "localhost", address: "127.0.0.1"))
            await client.shutdown()
        }
        #expect(inside.requests.count == 1)
    }

    @Test(arguments: ["localhost", "LocalHost.", "127.0.0.0/8"])
    func aListedHostMayBePrivate(allowed: String) async throws {
        try await withServer(script: always { connection, _ in connection.answer(200, "inside") }) { server, _ in
            let client = client(resolving: "127.0.0.1")
            let response = try await client.send(guarded("http://localhost:\(server.port)/", allowing: [allowed]))
            #expect(response.text == "inside")
            await client.shutdown()
        }
    }

    /// The name is public when it is checked; the system's resolver is not asked again.
    @Test func theConnectionUsesTheCheckedAddress() async throws {
        try await withServer(script: always { connection, _ in connection.answer(200, "inside") }) { server, _ in
            // There is no listener: the server has 127.0.0.1 only.
            let client = client(resolving: "127.0.0.2")
            let request = guarded("http://localhost:\(server.port)/", allowing: ["127.0.0.2/32"])
            #expect(await client.failure(of: request) == .cannotConnect(host: "localhost"))
            #expect(server.accepted == 0)
            await client.shutdown()
        }
    }

    /// The socket is checked even if a name reaches libcurl without pinned addresses.
    @Test func aSocketToAPrivateAddressIsNotOpened() async throws {
        try await withServer(script: always { connection, _ in connection.answer(200, "inside") }) { server, _ in
            let client = client()
            guard case .forbiddenAddress = await client.failure(of: guarded("http://localhost:\(server.port)/")) else {
                Issue.record("was not refused")
                return
            }
            #expect(server.accepted == 0)
            await client.shutdown()
        }
    }

    /// An unguarded request leaves an open connection, which libcurl would reuse for the same name.
    @Test func anIdleConnectionToAPrivateAddressIsNotReused() async throws {
        try await withServer(script: always { connection, _ in connection.answer(200, "inside") }) { server, _ in
            var configuration = HTTPClientConfiguration()
            configuration.publicPorts.insert(Int(server.port))
            let client = HTTPClient(configuration) { (_, _) async throws(HTTPClientError) in [.v4(0x0808_0808)] }
            let url = "http://localhost:\(server.port)/"
            _ = try await client.send(HTTPRequest(.get, url))
            #expect(
                await client.failure(of: guarded(url)) == .forbiddenAddress(host: "localhost", address: "127.0.0.1"))
            #expect(server.requests.count == 1)
            await client.shutdown()
        }
    }

    @Test func namesInOtherScriptsAreResolvedInASCII() async throws {
        let asked = Signal()
        let client = HTTPClient { (host, _) async throws(HTTPClientError) in
            if host == "xn--mnchen-3ya.example" { asked.fire() }
            throw .cannotResolve(host: host)
        }
        #expect(
            await client.failure(of: guarded("http://München.example/"))
                == .cannotResolve(host: "xn--mnchen-3ya.example"))
        await asked.wait()
    }

    @Test func aRedirectMayNotLeaveHTTPS() throws {
        let hop = try Hop(HTTPRequest(.get, "https://example.com/"))
        let head = ResponseHead(status: 302, headers: ["Location": "http://example.com/"])
        #expect(throws: HTTPClientError.self) { try hop.following(head, isGuarded: true) }
        #expect(try hop.following(head, isGuarded: false).url.text == "http://example.com/")
        let onward = ResponseHead(status: 302, headers: ["Location": "//other.example/x"])
        #expect(try hop.following(onward, isGuarded: true).url.text == "https://other.example/x")
    }
}
