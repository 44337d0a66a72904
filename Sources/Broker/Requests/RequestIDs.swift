internal import HTTP
internal import HTTPServer
internal import Synchronization

/// Names requests, so that an answer, its log lines and its job can be found together.
final class RequestIDs: Sendable {
    private let number = Mutex<UInt64>(0)
    private let prefix = String(UInt64.random(in: .min ... .max), radix: 36)

    /// The client's `X-Request-ID` when it is a sensible one, else a new id.
    func id(of request: ServerRequest) -> String {
        if let given = request.headers["X-Request-ID"], (1...64).contains(given.utf8.count),
            given.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        {
            return given
        }
        return next()
    }

    func next() -> String {
        let number = number.withLock { number in
            number += 1
            return number
        }
        return prefix + "-" + String(number, radix: 36)
    }
}
