package import DossierAPI
internal import Foundation
package import HTTP

/// Why a request did not bring what was asked for.
package enum ClientError: Error, Sendable {
    /// The broker answered with an error.
    case refused(status: Int, ErrorResource)
    case noAnswer(HTTPClientError)
    /// What came is not what this client understands.
    case unexpected(String)

    init(refusal response: HTTPResponse) {
        struct Body: Decodable {
            var error: ErrorResource
        }
        if let body = try? JSONDecoder().decode(Body.self, from: Data(response.body)) {
            self = .refused(status: response.status, body.error)
        } else {
            self = .unexpected("the answer has status \(response.status)")
        }
    }
}

extension ClientError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .refused(_, let error): "\(error.message) (\(error.code.rawValue))"
        case .noAnswer(let error): "no answer from the broker: \(error)"
        case .unexpected(let problem): "unexpected: \(problem)"
        }
    }
}
