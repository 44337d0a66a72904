import HTTPServer
import Testing

@Suite struct ListenerTests {
    @Test(arguments: ["127.0.0.1:0", "[::1]:0", "localhost:0", "0.0.0.0:0"])
    func aServerListensWhereItIsTold(address: String) async throws {
        let server = HTTPServer(configuration: .init(address: address)) { ServerResponse($0.remoteAddress) }
        let bound = try server.start()
        #expect(bound.port > 0)
        let isIPv6 = bound.host.contains(":")
        let client = try WireClient(bound.port, host: isIPv6 ? "::1" : "127.0.0.1")
        try await client.send(get("/"))
        #expect(try await client.response().text == (isIPv6 ? "::1" : "127.0.0.1"))
        #expect(bound.url == (isIPv6 ? "http://[::1]:\(bound.port)" : "http://127.0.0.1:\(bound.port)"))
        await server.shutdown(grace: .zero)
    }

    @Test(arguments: [
        "", "5001", "host", ":80", "127.0.0.1:", "127.0.0.1:70000", "127.0.0.1:x", "::1:80", "[127.0.0.1]:80",
    ])
    func aMalformedAddressIsNamed(address: String) {
        let server = HTTPServer(configuration: .init(address: address)) { _ in ServerResponse("") }
        #expect(throws: HTTPServerError.invalidAddress(address)) { try server.start() }
    }

    @Test func anAddressInUseIsRefusedWithTheReason() async throws {
        try await withServer(handler: { _ in ServerResponse("") }) { _, port in
            let second = HTTPServer(configuration: .init(address: "127.0.0.1:\(port)")) { _ in ServerResponse("") }
            let error = #expect(throws: HTTPServerError.self) { try second.start() }
            #expect(error?.description == "cannot listen on 127.0.0.1:\(port): Address already in use")
        }
    }

    @Test func anAddressOfAnotherMachineIsRefused() {
        let server = HTTPServer(configuration: .init(address: "192.0.2.1:0")) { _ in ServerResponse("") }
        #expect(throws: HTTPServerError.self) { try server.start() }
    }
}
