internal import CZlib

/// Compression by zlib (RFC 1951 and 1952).
package enum Deflate {
    /// The form of a compressed stream.
    package enum Form: Sendable {
        /// The bare stream; both ends know the dictionary.
        case raw(dictionary: [UInt8])
        /// With the head and the checksum of gzip.
        case gzip
    }

    /// Compresses bytes: the prefix and the stream behind it, or `nil` when both need more bytes than there is `room`.
    package static func compressed(
        _ source: UnsafeBufferPointer<UInt8>, as form: Form, level: Int32 = 6, after prefix: [UInt8] = [], room: Int
    ) -> [UInt8]? {
        var stream = z_stream()
        // 16 more than the largest window asks for gzip, a negative one for the bare stream.
        let windowBits = if case .gzip = form { MAX_WBITS + 16 } else { -MAX_WBITS }
        let size = Int32(MemoryLayout<z_stream>.size)
        guard
            room > prefix.count,
            deflateInit2_(&stream, level, Z_DEFLATED, windowBits, 9, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size) == Z_OK
        else { return nil }
        defer { deflateEnd(&stream) }
        if case .raw(let dictionary) = form,
            deflateSetDictionary(&stream, dictionary, UInt32(dictionary.count)) != Z_OK
        {
            return nil
        }
        stream.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
        stream.avail_in = UInt32(source.count)
        var isWhole = false
        let bytes = [UInt8](unsafeUninitializedCapacity: room) { target, count in
            for (index, byte) in prefix.enumerated() { target[index] = byte }
            stream.next_out = target.baseAddress.map { $0 + prefix.count }
            stream.avail_out = UInt32(room - prefix.count)
            isWhole = deflate(&stream, Z_FINISH) == Z_STREAM_END
            count = room - Int(stream.avail_out)
        }
        return isWhole ? bytes : nil
    }

    /// Compresses bytes as a part of a bare stream. Parts that follow each other are one stream, which ends with the last
    /// part; a dictionary is of use to the first one alone.
    ///
    /// - Returns: The part; `nil` when the library fails.
    package static func segment(
        _ source: UnsafeBufferPointer<UInt8>, dictionary: [UInt8] = [], isLast: Bool
    ) -> [UInt8]? {
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        guard deflateInit2_(&stream, 6, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size) == Z_OK
        else { return nil }
        defer { deflateEnd(&stream) }
        if !dictionary.isEmpty, deflateSetDictionary(&stream, dictionary, UInt32(dictionary.count)) != Z_OK {
            return nil
        }
        stream.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
        stream.avail_in = UInt32(source.count)
        // The marker between two parts needs at most six bytes.
        let room = Int(deflateBound(&stream, UInt(source.count))) + 16
        var isWhole = false
        let bytes = [UInt8](unsafeUninitializedCapacity: room) { target, count in
            stream.next_out = target.baseAddress
            stream.avail_out = UInt32(room)
            let status = deflate(&stream, isLast ? Z_FINISH : Z_FULL_FLUSH)
            isWhole = status == (isLast ? Z_STREAM_END : Z_OK) && stream.avail_in == 0 && stream.avail_out > 0
            count = room - Int(stream.avail_out)
        }
        return isWhole ? bytes : nil
    }

    /// Restores a text of `length` bytes from a bare stream, with the dictionary with which it was compressed; `nil` when
    /// the stream is damaged or the text has another length.
    package static func text(
        of input: UnsafeRawBufferPointer, dictionary: [UInt8], length: Int
    ) -> String? {
        guard let first = input.baseAddress else { return nil }
        var stream = z_stream()
        // The library takes mutable pointers, and writes nothing through this one.
        stream.next_in = UnsafeMutableRawPointer(mutating: first).assumingMemoryBound(to: UInt8.self)
        stream.avail_in = UInt32(input.count)
        let size = Int32(MemoryLayout<z_stream>.size)
        guard inflateInit2_(&stream, -MAX_WBITS, ZLIB_VERSION, size) == Z_OK else { return nil }
        defer { inflateEnd(&stream) }
        guard
            dictionary.isEmpty || inflateSetDictionary(&stream, dictionary, UInt32(dictionary.count)) == Z_OK
        else { return nil }
        var isWhole = false
        let text = String(unsafeUninitializedCapacity: length) { target in
            stream.next_out = target.baseAddress
            stream.avail_out = UInt32(length)
            isWhole = inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_out == 0 && stream.avail_in == 0
            return length - Int(stream.avail_out)
        }
        return isWhole ? text : nil
    }
}
