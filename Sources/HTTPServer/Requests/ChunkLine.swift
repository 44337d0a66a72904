/// The line before a chunk: its size, at times an extension, and a line break.
///
/// libmicrohttpd takes a line feed alone, and a carriage return inside an extension, for which other servers see another
/// size: then one of them takes a part of the body for a second request. The library hands over the bytes of a chunk
/// alone, but in the buffer in which it received them, so the line is looked at there.
enum ChunkLine {
    /// Whether the line that ends before a chunk is malformed. A part of it that arrived before the buffer's other bytes
    /// is not there any more and not judged.
    ///
    /// - Parameter bytes: The buffer from the end of the request's head to the chunk.
    /// - Returns: `false` for an empty buffer, which a chunk goes on in.
    static func isMalformed(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
        guard let last = bytes.last else { return false }
        guard last == lineFeed else { return true }
        guard bytes.count > 1 else { return false }
        guard bytes[bytes.count - 2] == carriageReturn else { return true }
        var index = bytes.count - 3
        while index >= 0 {
            switch bytes[index] {
            // The end of the chunk before.
            case lineFeed: return index > 0 && bytes[index - 1] != carriageReturn
            case UInt8(ascii: "\t"), 0x20...0x7E, 0x80...: index -= 1
            default: return true
            }
        }
        return false
    }
}
