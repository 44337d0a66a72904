import CCurl
import Glibc

/// The callbacks of libcurl, always on the loop's thread, each with the `Transfer` as its user data.
enum CurlCallbacks {
    static let header: curl_write_callback = { bytes, size, count, userData in
        guard let transfer = transfer(userData) else { return 0 }
        let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
        return transfer.receive(header: line) == .taken ? line.count : 0
    }

    static let body: curl_write_callback = { bytes, size, count, userData in
        guard let transfer = transfer(userData) else { return 0 }
        let chunk = UnsafeRawBufferPointer(start: bytes, count: size * count)
        // A callback that returns fewer bytes than it received ends the transfer.
        return switch transfer.receive(body: chunk) {
        case .taken: chunk.count
        case .paused: Int(CURL_WRITEFUNC_PAUSE)
        case .refused: chunk.isEmpty ? 1 : 0
        }
    }

    static let upload: curl_write_callback = { bytes, size, count, userData in
        guard let transfer = transfer(userData) else { return Int(CURL_READFUNC_ABORT) }
        return transfer.upload(into: UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
    }

    static let rewind: curl_seek_callback = { userData, _, _ in
        transfer(userData)?.mayRewind == true ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
    }

    static let openSocket: curl_opensocket_callback = { userData, _, address in
        guard let transfer = transfer(userData), let address,
            let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr)
        else { return CURL_SOCKET_BAD }
        let peer = IPAddress(
            socketAddress: UnsafeRawPointer(address) + offset, family: address.pointee.family)
        guard transfer.mayUse(peer) else { return CURL_SOCKET_BAD }
        // Child processes must not inherit connections.
        let type = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
        return socket(address.pointee.family, type, address.pointee.protocol)
    }

    static let beforeRequest: curl_prereq_callback = { userData, peer, _, _, _ in
        guard let transfer = transfer(userData) else { return CURL_PREREQFUNC_ABORT }
        transfer.touch()
        let isAllowed = transfer.mayUse(peer.flatMap { IPAddress(String(cString: $0)) })
        return isAllowed ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
    }

    private static func transfer(_ userData: UnsafeMutableRawPointer?) -> Transfer? {
        userData.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }
}
