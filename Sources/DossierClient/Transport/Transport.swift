public import Foundation

/// Carries requests. ``URLSessionTransport`` everywhere, a scripted one in tests.
///
/// Throws `CancellationError` as soon as its task is cancelled and ``DossierError`` of the category network otherwise.
public protocol Transport: Sendable {
    /// Sends a request and returns the whole answer, whatever its status.
    func send(_ request: TransportRequest) async throws -> TransportResponse
    /// Returns with the head; the body comes as it arrives.
    func stream(_ request: TransportRequest) async throws -> TransportStream
}

/// A request as it is sent.
public struct TransportRequest: Sendable, Hashable {
    /// The methods of the API.
    public enum Method: String, Sendable, Hashable {
        /// Reads.
        case get = "GET"
        /// Does something; repeated only with a key.
        case post = "POST"
        /// Sets something.
        case put = "PUT"
        /// Removes something.
        case delete = "DELETE"
    }

    /// What is to be done.
    public var method: Method
    /// The whole address.
    public var url: URL
    /// By name, which is written as the documents do.
    public var headers: [String: String]
    /// JSON, as a rule.
    public var body: Data?
    /// Fails after so long without a byte.
    public var timeout: Duration

    /// Makes a request.
    public init(
        _ method: Method, _ url: URL, headers: [String: String] = [:], body: Data? = nil,
        timeout: Duration = .seconds(30)
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
    }
}

/// A whole answer.
public struct TransportResponse: Sendable, Hashable {
    /// The status of HTTP.
    public let status: Int
    /// By lowercase name.
    public let headers: [String: String]
    /// What was sent, decompressed.
    public let body: Data

    /// Makes an answer; names of headers may be in any case.
    public init(status: Int, headers: [String: String], body: Data) {
        self.status = status
        self.headers = headers.lowercasedNames
        self.body = body
    }
}

/// An answer whose body is still arriving.
public struct TransportStream: Sendable {
    /// The status of HTTP.
    public let status: Int
    /// By lowercase name.
    public let headers: [String: String]
    /// The body in pieces, cut anywhere. Its end is the end of a whole body; a cut one throws.
    public let body: Updates<Data>

    /// Makes an answer from pieces that are there, for scripted transports.
    public init(status: Int, headers: [String: String], chunks: [Data]) {
        let buffer = ElementBuffer<Data>()
        for chunk in chunks { buffer.put(chunk) }
        buffer.finish()
        self.init(
            status: status, headers: headers, updates: Updates { UpdatesSource(next: { try await buffer.next() }) })
    }

    /// Makes an answer from pieces as they arrive, for transports of an app's own.
    ///
    /// - Parameters:
    ///   - status: The status of HTTP.
    ///   - headers: By name, in any case.
    ///   - body: Iterated once, when the first piece is asked for. Its end is the end of a whole body; a cut one throws,
    ///     and any error but a ``DossierError`` counts as a lost connection.
    public init<Body: AsyncSequence & Sendable>(
        status: Int, headers: [String: String], body: Body
    ) where Body.Element == Data {
        self.init(
            status: status, headers: headers,
            updates: Updates {
                let buffer = ElementBuffer<Data>()
                let reading = Task {
                    do {
                        for try await chunk in body { buffer.put(chunk) }
                        buffer.finish()
                    } catch {
                        let isKnown = error is DossierError || error is CancellationError
                        buffer.finish(isKnown ? error : DossierError(.connectionLost, message: "The body broke off."))
                    }
                }
                return UpdatesSource(next: { try await buffer.next() }, end: { reading.cancel() })
            })
    }

    init(status: Int, headers: [String: String], updates body: Updates<Data>) {
        self.status = status
        self.headers = headers.lowercasedNames
        self.body = body
    }
}

/// Sees every attempt: for logs and measurements. Must not write `Authorization` anywhere.
///
/// ```swift
/// struct Log: Middleware {
///     func send(
///         _ request: TransportRequest, next: @Sendable (TransportRequest) async throws -> TransportResponse
///     ) async throws -> TransportResponse {
///         let response = try await next(request)
///         print(request.method.rawValue, request.url.path, response.status)
///         return response
///     }
/// }
/// ```
public protocol Middleware: Sendable {
    /// Passes a request on and its answer back.
    func send(
        _ request: TransportRequest, next: @Sendable (TransportRequest) async throws -> TransportResponse
    ) async throws -> TransportResponse
}

extension [String: String] {
    fileprivate var lowercasedNames: [String: String] {
        Dictionary(map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
    }
}
