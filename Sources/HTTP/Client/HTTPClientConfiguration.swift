/// What an `HTTPClient` has for all of its requests.
package struct HTTPClientConfiguration: Sendable {
    /// Connections to one host (name and port) at a time; further requests wait for one. 0 for no limit.
    package var connectionsPerHost = 0
    /// Connections kept open without a request.
    package var idleConnections = 64
    /// Bytes of a streamed body that wait for their reader before the sender is slowed down. Beyond it come at most
    /// one chunk of at most 16 KiB, and what the kernel's buffers hold.
    package var streamBuffer = 64 << 10
    /// Sent when a request has no `User-Agent` of its own.
    package var userAgent = "Dossier"
    /// A file of trusted certificates (PEM) in the place of the system's.
    package var trustedCertificates: String?
    /// Where web servers listen: the ports that requests to `HTTPDestination.publicInternet` may use.
    package var publicPorts: Set<Int> = [
        80, 81, 443, 591, 3000, 4443, 5000, 8000, 8008, 8080, 8081, 8088, 8090, 8180, 8443, 8800, 8880, 8888, 9443,
    ]

    package init() {}
}
