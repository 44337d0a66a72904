import CCurl

/// A `curl_slist`, which its transfer needs until its end.
struct StringList: ~Copyable {
    private(set) var first: UnsafeMutablePointer<curl_slist>?

    init() {}

    deinit { curl_slist_free_all(first) }

    mutating func append(_ text: String) {
        // Out of memory leaves the list as it was.
        if let extended = curl_slist_append(first, text) { first = extended }
    }
}
