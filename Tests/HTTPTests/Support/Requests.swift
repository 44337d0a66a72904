@testable import HTTP

/// A server, a client and their end: both are gone when the body returns.
func withServer(
    _ configuration: HTTPClientConfiguration = HTTPClientConfiguration(), script: @escaping ScriptedServer.Script,
    _ body: (ScriptedServer, HTTPClient) async throws -> Void
) async throws {
    let server = try ScriptedServer(script)
    let client = HTTPClient(configuration)
    defer { server.stop() }
    do {
        try await body(server, client)
    } catch {
        await client.shutdown()
        throw error
    }
    await client.shutdown()
}

/// Answers every request of a connection the same way.
func always(_ answer: @escaping @Sendable (ServerConnection, ReceivedRequest) -> Void) -> ScriptedServer.Script {
    { connection in
        while let request = connection.readRequest() { answer(connection, request) }
    }
}

extension HTTPLimits {
    static func with(_ change: (inout HTTPLimits) -> Void) -> HTTPLimits {
        var limits = HTTPLimits()
        change(&limits)
        return limits
    }
}

extension HTTPStreamingResponse {
    func collect() async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await chunk in body { bytes += chunk }
        return bytes
    }
}

extension HTTPClient {
    /// The error that a request ends with; `nil` when it does not fail.
    func failure(of request: HTTPRequest) async -> HTTPClientError? {
        do throws(HTTPClientError) {
            _ = try await send(request)
            return nil
        } catch {
            return error
        }
    }

    /// The error that a request ends with before its head is here; `nil` when it does not fail.
    func failureOfStream(_ request: HTTPRequest) async -> HTTPClientError? {
        do throws(HTTPClientError) {
            _ = try await stream(request)
            return nil
        } catch {
            return error
        }
    }
}
