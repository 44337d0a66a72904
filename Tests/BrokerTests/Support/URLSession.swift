import Foundation
import HTTP

// What the printed clients ask of Foundation's networking, over our own client: FoundationNetworking is nowhere
// imported. The names are Foundation's, so that the clients stand as they are printed.

struct URLRequest {
    var url: URL
    var httpMethod: String? = "GET"
    var httpBody: Data?
    private(set) var fields: [(String, String)] = []

    init(url: URL) { self.url = url }

    mutating func setValue(_ value: String, forHTTPHeaderField name: String) {
        fields.removeAll { $0.0 == name }
        fields.append((name, value))
    }
}

class URLResponse {}

final class HTTPURLResponse: URLResponse {
    let statusCode: Int

    init(statusCode: Int) { self.statusCode = statusCode }
}

struct URLSession: Sendable {
    static let shared = URLSession()

    private let client = HTTPClient()

    func data(for request: URLRequest) async throws -> (Data, URLResponse) {
        let response = try await client.send(
            HTTPRequest(
                HTTPMethod(rawValue: request.httpMethod ?? "GET"), request.url.absoluteString,
                headers: HTTPHeaders(request.fields), body: request.httpBody.map { Array($0) } ?? []))
        return (Data(response.body), HTTPURLResponse(statusCode: response.status))
    }
}
