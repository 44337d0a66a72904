import CCurl

/// libcurl's process-wide state, set up once before the first handle.
enum CurlLibrary {
    static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
}
