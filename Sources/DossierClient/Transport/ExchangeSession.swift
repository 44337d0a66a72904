internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// A session of `URLSession` whose delegate hands each exchange what arrives for it, as it arrives.
///
/// Unchecked: `session` is set once in `init`, and `URLSession` may be used from any thread.
final class ExchangeSession: @unchecked Sendable {
    private let delegate = ExchangeDelegate()
    private let session: URLSession

    init(connections: Int) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = connections
        configuration.httpShouldSetCookies = false
        configuration.httpCookieStorage = nil
        configuration.httpCookieAcceptPolicy = .never
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    func start(_ request: TransportRequest, keepsConnection: Bool) -> Exchange {
        var message = URLRequest(url: request.url)
        message.httpMethod = request.method.rawValue
        message.httpBody = request.body
        message.timeoutInterval = max(0.001, request.timeout.inSeconds)
        for (name, value) in request.headers { message.setValue(value, forHTTPHeaderField: name) }
        if !keepsConnection { message.setValue("close", forHTTPHeaderField: "Connection") }
        let task = session.dataTask(with: message)
        let exchange = Exchange(task: task)
        delegate.add(exchange, for: task)
        task.resume()
        return exchange
    }

    func invalidate() { session.invalidateAndCancel() }
}

/// One request with what has arrived of its answer.
///
/// Unchecked: `task` is a constant, and `URLSessionTask` may be used from any thread.
final class Exchange: @unchecked Sendable {
    struct Head: Sendable {
        let status: Int
        let headers: [String: String]
    }

    let body = ElementBuffer<Data>()
    private let heads = ElementBuffer<Head>()
    private let task: URLSessionTask

    init(task: URLSessionTask) { self.task = task }

    func head() async throws -> Head {
        do {
            guard let head = try await heads.next() else {
                throw DossierError(.connectionLost, message: "The answer has no head.")
            }
            return head
        } catch {
            cancel()
            throw error
        }
    }

    func cancel() { task.cancel() }

    fileprivate func receive(_ response: URLResponse) {
        guard let response = response as? HTTPURLResponse else { return }
        var headers: [String: String] = [:]
        for (name, value) in response.allHeaderFields {
            if let name = name as? String, let value = value as? String { headers[name] = value }
        }
        heads.put(Head(status: response.statusCode, headers: headers))
    }

    fileprivate func end(_ error: (any Error)?) {
        let failure = error.map { error -> any Error in
            if (error as NSError).code == NSURLErrorCancelled { return CancellationError() }
            return DossierError(transportFailure: error)
                ?? DossierError(.connectionLost, message: "The connection broke before the answer was whole.")
        }
        heads.finish(failure)
        body.finish(failure)
    }
}

/// Unchecked: the exchanges are behind a lock.
private final class ExchangeDelegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private let exchanges = Locked<[Int: Exchange]>([:])

    func add(_ exchange: Exchange, for task: URLSessionTask) {
        exchanges.withLock { $0[task.taskIdentifier] = exchange }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        exchange(of: dataTask)?.receive(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(of: dataTask)?.body.put(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let exchange = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        exchange?.end(error)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        let isSameOrigin =
            task.originalRequest?.url?.origin != nil
            && task.originalRequest?.url?.origin == request.url?.origin
        completionHandler(isSameOrigin ? request : nil)
    }

    private func exchange(of task: URLSessionTask) -> Exchange? { exchanges.withLock { $0[task.taskIdentifier] } }
}

extension URL {
    /// Scheme, host and port, each as it counts.
    var origin: String? {
        guard let scheme = scheme?.lowercased(), let host = host?.lowercased() else { return nil }
        return "\(scheme)://\(host):\(port ?? (scheme == "https" ? 443 : 80))"
    }
}

extension Duration {
    var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
