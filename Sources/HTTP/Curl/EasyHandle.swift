import CCurl

/// A libcurl easy handle, used for one transfer after another: making a new one costs more than a small request.
final class EasyHandle {
    let pointer: UnsafeMutableRawPointer
    private let errorText: UnsafeMutablePointer<CChar>
    private var headers = StringList()
    private var pins = StringList()
    /// The first option that libcurl refused.
    private var refused: CURLcode = CURLE_OK

    init?() {
        guard let pointer = curl_easy_init() else { return nil }
        self.pointer = pointer
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
        curl_easy_cleanup(pointer)
        errorText.deallocate()
    }

    /// libcurl's message about the failure.
    var detail: String { String(cString: errorText) }

    /// Prepares the handle for the next transfer.
    ///
    /// - Returns: Whether the handle can be used again. A handle whose connection another handle still uses may keep
    ///   its read buffer, and with another size set libcurl 7.88 would write past it; refusing the size is its only
    ///   sign.
    func reset() -> Bool {
        curl_easy_reset(pointer)
        headers = StringList()
        pins = StringList()
        refused = CURLE_OK
        errorText[0] = 0
        return curl_set_long(pointer, CURLOPT_BUFFERSIZE, 16 << 10) == CURLE_OK
    }

    /// Sets all options for a transfer, which has to outlive the use of the handle.
    func configure(for transfer: Transfer, _ configuration: HTTPClientConfiguration) -> CURLcode {
        setConnection(transfer, configuration)
        setRequest(transfer.hop, bodyLength: transfer.bodyLength, configuration)
        setCallbacks(transfer)
        return refused
    }

    private func setConnection(_ transfer: Transfer, _ configuration: HTTPClientConfiguration) {
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_PROXY, "")
        set(CURLOPT_NOSIGNAL, 1)
        // Without it a cancelled lookup makes the loop wait for the name server.
        set(CURLOPT_QUICK_EXIT, 1)
        set(CURLOPT_TCP_KEEPALIVE, 1)
        set(CURLOPT_TCP_KEEPIDLE, 30)
        set(CURLOPT_TCP_KEEPINTVL, 15)
        // Servers close idle connections after a minute or more; an older connection risks the loss of a request.
        set(CURLOPT_MAXAGE_CONN, 50)
        set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
        set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
        if let file = configuration.trustedCertificates { set(CURLOPT_CAINFO, file) }
        set(CURLOPT_CONNECTTIMEOUT_MS, transfer.limits.connect.clampedMilliseconds)
        set(CURLOPT_TIMEOUT_MS, SuspendingClock.now.duration(to: transfer.deadline).clampedMilliseconds)
        // The events of a stream are small, and there may be thousands of streams.
        let isStream = if case .stream = transfer.mode { true } else { false }
        set(CURLOPT_BUFFERSIZE, isStream ? 4 << 10 : 16 << 10)
        set(CURLOPT_UPLOAD_BUFFERSIZE, 16 << 10)
        if !transfer.connection.addresses.isEmpty {
            let url = transfer.hop.url
            let addresses = transfer.connection.addresses.map(\.inURL).joined(separator: ",")
            // With `+` the entry expires like any other.
            pins.append("+\(url.host):\(url.port):\(addresses)")
            check(curl_set_list(pointer, CURLOPT_RESOLVE, pins.first))
        }
    }

    private func setRequest(_ hop: Hop, bodyLength: Int, _ configuration: HTTPClientConfiguration) {
        set(CURLOPT_URL, hop.url.text)
        set(CURLOPT_USERAGENT, configuration.userAgent)
        set(CURLOPT_ACCEPT_ENCODING, "gzip, deflate, br")
        if hop.isOnNewConnection { set(CURLOPT_FRESH_CONNECT, 1) }
        if hop.method == .head { set(CURLOPT_NOBODY, 1) }
        if bodyLength > 0 || [.post, .put, .patch].contains(hop.method) {
            set(CURLOPT_POST, 1)
            check(curl_set_offset(pointer, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(bodyLength)))
        }
        set(CURLOPT_CUSTOMREQUEST, hop.method.rawValue)
        for field in hop.headers.fields where !Self.isFraming(field.name) {
            // To libcurl, "Name:" removes the header and "Name;" sends an empty one.
            headers.append(field.value.isEmpty ? field.name + ";" : field.name + ": " + field.value)
        }
        if hop.headers["Content-Type"] == nil { headers.append("Content-Type:") }
        if hop.headers["Expect"] == nil { headers.append("Expect:") }
        check(curl_set_list(pointer, CURLOPT_HTTPHEADER, headers.first))
    }

    /// The client sets the framing itself: a second, different length would allow request smuggling.
    private static func isFraming(_ name: String) -> Bool {
        ["content-length", "transfer-encoding", "connection"].contains(name.lowercased())
    }

    private func setCallbacks(_ transfer: Transfer) {
        let userData = Unmanaged.passUnretained(transfer).toOpaque()
        check(curl_set_pointer(pointer, CURLOPT_ERRORBUFFER, errorText))
        check(curl_set_transfer_callback(pointer, CURLOPT_HEADERFUNCTION, CurlCallbacks.header))
        check(curl_set_pointer(pointer, CURLOPT_HEADERDATA, userData))
        check(curl_set_transfer_callback(pointer, CURLOPT_WRITEFUNCTION, CurlCallbacks.body))
        check(curl_set_pointer(pointer, CURLOPT_WRITEDATA, userData))
        check(curl_set_transfer_callback(pointer, CURLOPT_READFUNCTION, CurlCallbacks.upload))
        check(curl_set_pointer(pointer, CURLOPT_READDATA, userData))
        check(curl_set_seek_callback(pointer, CurlCallbacks.rewind))
        check(curl_set_pointer(pointer, CURLOPT_SEEKDATA, userData))
        check(curl_set_open_socket_callback(pointer, CurlCallbacks.openSocket))
        check(curl_set_pointer(pointer, CURLOPT_OPENSOCKETDATA, userData))
        check(curl_set_prerequest_callback(pointer, CurlCallbacks.beforeRequest))
        check(curl_set_pointer(pointer, CURLOPT_PREREQDATA, userData))
    }

    private func set(_ option: CURLoption, _ value: Int) { check(curl_set_long(pointer, option, value)) }

    /// libcurl copies strings.
    private func set(_ option: CURLoption, _ value: String) { check(curl_set_string(pointer, option, value)) }

    private func check(_ code: CURLcode) {
        if refused == CURLE_OK { refused = code }
    }
}

/// A `curl_slist`, which must live as long as its transfer.
struct StringList: ~Copyable {
    private(set) var first: UnsafeMutablePointer<curl_slist>?

    init() {}

    deinit { curl_slist_free_all(first) }

    mutating func append(_ text: String) {
        // Without memory the list stays unchanged.
        if let extended = curl_slist_append(first, text) { first = extended }
    }
}

/// libcurl's process-wide state, set up once before the first handle.
enum CurlLibrary {
    static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
}

extension HTTPClientError {
    /// The error for the result code of a transfer.
    ///
    /// `detail` is libcurl's message; it is used only for TLS, where it helps and contains no URL.
    init(_ code: CURLcode, host: String, detail: String) {
        switch code {
        case CURLE_URL_MALFORMAT: self = .invalidURL(host)
        case CURLE_COULDNT_RESOLVE_HOST: self = .cannotResolve(host: host)
        case CURLE_COULDNT_CONNECT: self = .cannotConnect(host: host)
        case CURLE_OPERATION_TIMEDOUT: self = .timedOut(host: host)
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
            let reason = detail.isEmpty ? String(cString: curl_easy_strerror(code)) : detail
            self = .insecure(host: host, reason: reason)
        default: self = .connectionLost(host: host, reason: String(cString: curl_easy_strerror(code)))
        }
    }
}

extension Duration {
    /// Whole milliseconds, rounded up, at least 1 (libcurl reads 0 as "no limit") and within a 32-bit integer.
    var clampedMilliseconds: Int {
        let (seconds, attoseconds) = components
        if seconds >= Int64(Int32.max) / 1000 { return Int(Int32.max) }
        let (whole, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000_000)
        return Int(max(seconds * 1000 + whole + (rest > 0 ? 1 : 0), 1))
    }
}
