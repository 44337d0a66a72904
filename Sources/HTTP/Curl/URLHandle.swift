import CCurl

/// libcurl's URL parser: what checks a URL and what connects to it must read it alike.
struct URLHandle: ~Copyable {
    private let handle: OpaquePointer

    init?() {
        guard let handle = curl_url() else { return nil }
        self.handle = handle
    }

    deinit { curl_url_cleanup(handle) }

    /// Sets a part; the URL itself, when one is there already, is resolved against it.
    func set(_ part: CURLUPart, _ value: String?, flags: Int32 = 0) -> Bool {
        curl_url_set(handle, part, value, UInt32(flags)) == CURLUE_OK
    }

    func get(_ part: CURLUPart, flags: Int32 = 0) -> String? {
        var value: UnsafeMutablePointer<CChar>?
        guard curl_url_get(handle, part, &value, UInt32(flags)) == CURLUE_OK, let value else { return nil }
        defer { curl_free(value) }
        return String(cString: value)
    }
}
