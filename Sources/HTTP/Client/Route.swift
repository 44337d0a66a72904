/// Where one hop may connect to.
struct Route: Sendable {
    /// `nil` for anywhere.
    var policy: AddressPolicy?
    /// The addresses that were checked and that the name is to stand for; none leaves the lookup to libcurl.
    var addresses: [IPAddress] = []

    static let anywhere = Route()
}
