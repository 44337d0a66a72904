import Foundation
import Glibc

@testable import HTTP

/// Runs a server and a client during the body.
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

/// Responds to every request of a connection in the same way.
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
    /// The error of a request; `nil` when it does not fail.
    func failure(of request: HTTPRequest) async -> HTTPClientError? {
        do throws(HTTPClientError) {
            _ = try await send(request)
            return nil
        } catch {
            return error
        }
    }

    /// The error of a request before its head arrives; `nil` when it does not fail.
    func failureOfStream(_ request: HTTPRequest) async -> HTTPClientError? {
        do throws(HTTPClientError) {
            _ = try await stream(request)
            return nil
        } catch {
            return error
        }
    }
}

/// The peak memory of this process in bytes.
func peakMemory() -> Int {
    var usage = rusage()
    getrusage(RUSAGE_SELF.rawValue, &usage)
    return usage.ru_maxrss * 1024
}

/// The current memory of this process in bytes.
func residentMemory() -> Int {
    let words = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
    return words.count > 1 ? (Int(words[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) : 0
}

func openDescriptors() -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
}

func bytes(base64: String) -> [UInt8]? { Data(base64Encoded: base64).map { Array($0) } }

func setEnvironment(_ name: String, _ value: String?) {
    if let value { setenv(name, value, 1) } else { unsetenv(name) }
}
