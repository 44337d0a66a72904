import CCurl

/// A libcurl easy handle, used for one transfer after another: setting one up from nothing costs more than the
/// request of a small answer.
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

    /// libcurl's own words on what went wrong.
    var detail: String { String(cString: errorText) }

    /// - Returns: whether the handle can be used again. A handle whose connection lives on elsewhere may keep its read
    ///   buffer, and with another size set libcurl 7.88 would write past it; refusing the size is its only sign.
    func reset() -> Bool {
        curl_easy_reset(pointer)
        headers = StringList()
        pins = StringList()
        refused = CURLE_OK
        errorText[0] = 0
        return curl_set_long(pointer, CURLOPT_BUFFERSIZE, 16 << 10) == CURLE_OK
    }

    /// Sets everything for a transfer, which has to outlive the handle's use.
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
        // Servers close kept connections after a minute or more; older ones are not worth the risk of losing a request.
        set(CURLOPT_MAXAGE_CONN, 50)
        set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
        set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
        if let file = configuration.trustedCertificates { set(CURLOPT_CAINFO, file) }
        set(CURLOPT_CONNECTTIMEOUT_MS, transfer.limits.connect.clampedMilliseconds)
        set(CURLOPT_TIMEOUT_MS, SuspendingClock.now.duration(to: transfer.deadline).clampedMilliseconds)
        // A stream's events are small and there may be thousands of streams.
        let isStream = if case .stream = transfer.mode { true } else { false }
        set(CURLOPT_BUFFERSIZE, isStream ? 4 << 10 : 16 << 10)
        set(CURLOPT_UPLOAD_BUFFERSIZE, 16 << 10)
        if !transfer.route.addresses.isEmpty {
            let url = transfer.hop.url
            let addresses = transfer.route.addresses.map(\.inURL).joined(separator: ",")
            // `+` lets the entry age like any other.
            pins.append("+\(url.host):\(url.port):\(addresses)")
            check(curl_set_list(pointer, CURLOPT_RESOLVE, pins.first))
        }
    }

    private func setRequest(_ hop: Hop, bodyLength: Int, _ configuration: HTTPClientConfiguration) {
        set(CURLOPT_URL, hop.url.text)
        set(CURLOPT_USERAGENT, configuration.userAgent)
        set(CURLOPT_ACCEPT_ENCODING, "gzip, deflate, br")
        if hop.method == .head { set(CURLOPT_NOBODY, 1) }
        if bodyLength > 0 || hop.method == .post || hop.method == .put {
            set(CURLOPT_POST, 1)
            check(curl_set_offset(pointer, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(bodyLength)))
        }
        set(CURLOPT_CUSTOMREQUEST, hop.method.rawValue)
        for field in hop.headers.fields where !Self.isOurs(field.name) {
            // libcurl reads "Name:" as the wish to send no such header.
            headers.append(field.value.isEmpty ? field.name + ";" : field.name + ": " + field.value)
        }
        if hop.headers["Content-Type"] == nil { headers.append("Content-Type:") }
        if hop.headers["Expect"] == nil { headers.append("Expect:") }
        check(curl_set_list(pointer, CURLOPT_HTTPHEADER, headers.first))
    }

    /// How long the body is follows from the body; a second opinion would smuggle requests.
    private static func isOurs(_ name: String) -> Bool {
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
