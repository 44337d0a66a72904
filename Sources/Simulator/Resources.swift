internal import JSON

/// The data that the binary carries with it.
enum Resource {
    /// The JSON of an embedded file; `null` where it is malformed, which a test rules out.
    static func json(_ bytes: [UInt8]) -> JSON { (try? JSON(parsing: bytes)) ?? .null }
}
