import Glibc

extension IPAddress {
    /// The address in a `sockaddr_in` or `sockaddr_in6`; `nil` for any other family.
    init?(socketAddress pointer: UnsafeRawPointer, family: Int32) {
        switch family {
        case AF_INET:
            let address = pointer.loadUnaligned(as: sockaddr_in.self)
            self = .v4(UInt32(bigEndian: address.sin_addr.s_addr))
        case AF_INET6:
            var address = pointer.loadUnaligned(as: sockaddr_in6.self).sin6_addr
            self = withUnsafeBytes(of: &address) { bytes in
                .v6(
                    high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                    low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
            }
        default: return nil
        }
    }

    /// What a URL or `CURLOPT_RESOLVE` writes: IPv6 in brackets.
    var inURL: String {
        if case .v6 = self { "[\(self)]" } else { description }
    }
}
