import Glibc

/// The C library's `iconv` from one encoding to UTF-8.
struct TextConverter: ~Copyable {
    private let descriptor: iconv_t

    /// `nil` when the system does not know the encoding.
    init?(from encoding: String) {
        guard let descriptor = iconv_open("UTF-8", encoding), descriptor != iconv_t(bitPattern: -1) else { return nil }
        self.descriptor = descriptor
    }

    deinit { iconv_close(descriptor) }

    /// Bytes that mean nothing in the encoding become U+FFFD.
    func utf8(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var input = Array(bytes)
        var output: [UInt8] = []
        output.reserveCapacity(input.count * 2)
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        input.withUnsafeMutableBytes { input in
            guard let start = input.baseAddress else { return }
            var source: UnsafeMutablePointer<CChar>? = start.assumingMemoryBound(to: CChar.self)
            var left = input.count
            while left > 0 {
                let (written, code) = buffer.withUnsafeMutableBytes { buffer -> (Int, Int32) in
                    var target = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
                    var room = buffer.count
                    let result = iconv(descriptor, &source, &left, &target, &room)
                    return (buffer.count - room, result == -1 ? errno : 0)
                }
                output += buffer.prefix(written)
                // An unfinished character at the end, or one that does not exist: skip a byte and go on.
                if code == EILSEQ || code == EINVAL {
                    output += UTF8.encodedReplacementCharacter
                    source = source?.advanced(by: 1)
                    left -= 1
                } else if code != 0, code != E2BIG {
                    return
                }
            }
        }
        return output
    }
}
