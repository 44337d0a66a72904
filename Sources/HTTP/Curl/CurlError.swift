import CCurl

extension HTTPClientError {
    /// What a transfer's end means to a caller.
    ///
    /// `detail` is libcurl's own words on this failure; shown only for TLS, where they help and name no URL.
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
