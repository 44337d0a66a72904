import CMicrohttpd
import Glibc

/// The callbacks of libmicrohttpd. Each has the `ServerCore` as context and finds its `Connection` in the socket's
/// context, where `connectionChanged` put it. A callback only converts its arguments and calls a method.
enum DaemonCallbacks {
    static func options(
        context: UnsafeMutableRawPointer, listener: Int32, configuration: HTTPServerConfiguration
    ) -> shim_daemon_options {
        let threads = max(1, configuration.threads)
        // The library divides its limit among its threads and closes connections over it without a response, even when
        // the threads accept unevenly. So each thread may have all connections, and the server's own limit counts.
        let connections = (configuration.maximumConnections + refusedAtOnce) * threads
        return shim_daemon_options(
            listen_fd: listener, threads: UInt32(clamping: threads), connection_limit: UInt32(clamping: connections),
            idle_timeout_seconds: UInt32(clamping: max(1, configuration.idleTimeout.components.seconds)),
            connection_memory: configuration.maximumHeadSize + responseHeadSize, access: accessed, completed: completed,
            connection: connectionChanged, target: targetArrived, unescape: leaveEscapes, log: logged, context: context)
    }

    /// Connections over the limit that get a response before they are closed.
    private static let refusedAtOnce = 256
    /// The part of a connection's memory for the head of the response.
    private static let responseHeadSize = 2048
}

private func connection(of handle: OpaquePointer) -> Connection? {
    shim_connection_context(handle).map { Unmanaged<Connection>.fromOpaque($0).takeUnretainedValue() }
}

/// A connection was accepted or is about to be closed.
private func connectionChanged(
    _ context: UnsafeMutableRawPointer?, _ handle: OpaquePointer?,
    _ socketContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ change: MHD_ConnectionNotificationCode
) {
    guard let context, let handle, let socketContext else { return }
    let core = Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue()
    if change == .CONNECTION_NOTIFY_STARTED {
        socketContext.pointee = Unmanaged.passRetained(core.accept(handle)).toOpaque()
    } else if let pointer = socketContext.pointee {
        socketContext.pointee = nil
        let connection = Unmanaged<Connection>.fromOpaque(pointer).takeRetainedValue()
        connection.close()
        core.connections.remove(connection)
    }
}

/// A request line was read; the library has not split it yet.
private func targetArrived(
    _ context: UnsafeMutableRawPointer?, _ target: UnsafePointer<CChar>?, _ handle: OpaquePointer?
) -> UnsafeMutableRawPointer? {
    guard let target, let handle, let connection = connection(of: handle) else { return nil }
    UnsafeRawBufferPointer(start: target, count: strlen(target)).withMemoryRebound(to: UInt8.self) {
        connection.beginTarget($0)
    }
    return nil
}

/// The library reports something, before it acts on it. A length that it cannot read is the one error for which it sends
/// the head of its response twice, so the server responds first and closes the connection.
private func logged(_ context: UnsafeMutableRawPointer?, _ format: UnsafePointer<CChar>?, _ values: CVaListPointer?) {
    guard let context, let format, strstr(format, "Content-Length") != nil else { return }
    Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue().refuseMalformedLengths()
}

/// Leaves escapes to `PercentDecoding`: the library accepts malformed ones, and its `%00` ends the text.
private func leaveEscapes(
    _ context: UnsafeMutableRawPointer?, _ handle: OpaquePointer?, _ text: UnsafeMutablePointer<CChar>?
) -> Int { text.map { strlen($0) } ?? 0 }

/// Called for the head, for each piece of the body, at the end of the request and whenever the connection is resumed
/// without a queued response.
private func accessed(
    _ context: UnsafeMutableRawPointer?, _ handle: OpaquePointer?, _ target: UnsafePointer<CChar>?,
    _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?, _ upload: UnsafePointer<CChar>?,
    _ uploadSize: UnsafeMutablePointer<Int>?, _ requestContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let handle, let target, let method, let version, let uploadSize, let requestContext,
        let connection = connection(of: handle)
    else { return .NO }
    if requestContext.pointee == nil {
        requestContext.pointee = UnsafeMutableRawPointer(handle)
        return connection.begin(method: method, target: target, version: version)
    }
    if uploadSize.pointee > 0 {
        let bytes = UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee)
        uploadSize.pointee = 0
        return connection.receive(bytes)
    }
    return connection.proceed()
}

/// The request is over: answered, aborted or timed out.
private func completed(
    _ context: UnsafeMutableRawPointer?, _ handle: OpaquePointer?,
    _ requestContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ reason: MHD_RequestTerminationCode
) {
    requestContext?.pointee = nil
    guard let handle else { return }
    connection(of: handle)?.reset()
}
