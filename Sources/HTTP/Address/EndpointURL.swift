/// A URL that a user names, to which the service will send requests.
package enum EndpointURL {
    package enum Problem: Error, Equatable, Sendable {
        /// Not an absolute `http` or `https` URL.
        case invalid
        case hasUser
        /// An `http` URL of a host that the operator has not opened.
        case insecure
        /// An address, or a name of this machine, that is private as it is written.
        case notPublic
    }

    /// Checks a URL as it is written; names are looked up when a request is sent.
    ///
    /// - Parameters:
    ///   - text: The URL.
    ///   - allowing: Hosts and CIDR blocks that may be private, as in `HTTPDestination.publicInternet`.
    /// - Returns: The URL in its normal form.
    /// - Throws: The reason why it may not be used.
    package static func check(_ text: String, allowing: [String]) throws(Problem) -> String {
        let url: AbsoluteURL
        do {
            url = try AbsoluteURL(text)
        } catch {
            throw .invalid
        }
        guard !url.hasUser else { throw .hasUser }
        let isOpened = AddressPolicy(allowing: allowing).lists(url.address, host: url.host)
        guard url.scheme == "https" || isOpened else { throw .insecure }
        let isLocalName = url.host == "localhost" || url.host.hasSuffix(".localhost")
        let isPublic = url.address.map(\.isPublic) ?? !isLocalName
        guard isPublic || isOpened else { throw .notPublic }
        return url.text
    }
}
