import HTTP
import Testing

@testable import HTTPServer

/// Answers that are compressed for those who take it.
@Suite struct GzipTests {
    private static let text = String(repeating: "{\"calm\": true, \"ticker\": \"AAPL\"}, ", count: 400)

    private func response(_ type: String = "application/json; charset=utf-8", length: Int = text.utf8.count)
        -> ServerResponse
    {
        ServerResponse(headers: ["Content-Type": type], bytes: Array(Self.text.utf8.prefix(length)))
    }

    @Test func aClientReadsWhatTheHandlerWrote() async throws {
        let handler = GzipEncoding.encoding { _ in ServerResponse(Self.text).with("Content-Type", "text/plain") }
        try await withServer(handler: handler) { _, port in
            let plain = try await ask(port, get("/"))
            #expect(plain.text == Self.text && plain["Content-Encoding"] == nil)
            #expect(plain["Vary"] == "Accept-Encoding")
            let client = try WireClient(port)
            try await client.send(get("/", headers: "Accept-Encoding: gzip\r\n"))
            let head = try WireResponse(head: try await client.read(through: "\r\n\r\n"))
            #expect(head["Content-Encoding"] == "gzip" && head["Vary"] == "Accept-Encoding")
            #expect(try #require(head["Content-Length"].flatMap { Int($0) }) * 20 < Self.text.utf8.count)
            // This client asks for gzip and decompresses.
            let reader = HTTPClient()
            let read = try await reader.send(HTTPRequest(.get, "http://127.0.0.1:\(port)/"))
            #expect(read.text == Self.text)
            await reader.shutdown()
        }
    }

    @Test(arguments: [
        ("gzip", true), ("GZIP", true), ("x-gzip", true), ("br, gzip;q=0.5", true), ("*", true), ("gzip; q=1.0", true),
        ("", false), ("br", false), ("gzip;q=0", false), ("gzip; q=0.000", false), ("identity", false),
        ("*;q=0", false), ("gzip;q=0, *", false), ("*, gzip;q=0", false), ("gzip;q=x", false), ("notgzip", false),
    ])
    func theListOfCodingsDecides(header: String, isAccepted: Bool) {
        #expect(GzipEncoding.isAccepted(by: [header]) == isAccepted)
    }

    @Test func severalFieldsAreOneList() {
        #expect(GzipEncoding.isAccepted(by: ["br", "gzip"]))
        #expect(!GzipEncoding.isAccepted(by: []))
    }

    @Test func shortAnswersPicturesAndStreamsStayAsTheyAre() async throws {
        let plain = [
            response(length: GzipEncoding.shortestBody - 1), response("image/png"), response("application/pdf"),
            ServerResponse(
                headers: ["Content-Type": "text/event-stream"], body: .stream { AsyncStream { $0.finish() } }),
        ]
        for response in plain {
            let answer = GzipEncoding.encoded(response, acceptedBy: ["gzip"])
            #expect(answer.headers == response.headers, "\(response.headers)")
        }
        let shortest = GzipEncoding.encoded(response(length: GzipEncoding.shortestBody), acceptedBy: ["gzip"])
        #expect(shortest.headers["Content-Encoding"] == "gzip")
    }

    @Test func bytesThatDoNotShrinkAreSentAsTheyAre() {
        var generator = SystemRandomNumberGenerator()
        let noise = (0..<5000).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        let answer = GzipEncoding.encoded(
            ServerResponse(headers: ["Content-Type": "text/plain"], bytes: noise), acceptedBy: ["gzip"])
        guard case .bytes(let bytes) = answer.body else { return #expect(Bool(false), "a stream") }
        #expect(bytes == noise && answer.headers["Content-Encoding"] == nil)
    }
}

extension ServerResponse {
    fileprivate func with(_ name: String, _ value: String) -> ServerResponse {
        var response = self
        response.headers[name] = value
        return response
    }
}
