internal import CZlib

/// Texts at rest in zlib's format, for columns that hold either a text or its compressed bytes.
///
/// A dictionary of words that results often have makes texts of a few hundred bytes smaller, too. Its checksum is part
/// of the compressed bytes, so a change of the dictionary needs the old one for reading.
package enum CompressedText {
    /// Shorter texts stay as they are, since little is gained.
    package static let shortest = 256

    /// Compresses a text.
    ///
    /// - Returns: The bytes; `nil` when the text is short or would not become smaller by an eighth.
    package static func bytes(of text: String) -> [UInt8]? {
        var text = text
        return text.withUTF8 { source in
            guard source.count >= shortest else { return nil }
            return deflated(source, into: source.count - source.count / 8)
        }
    }

    /// Restores a text.
    ///
    /// - Returns: The text; `nil` when the bytes are damaged.
    package static func text(of bytes: UnsafeRawBufferPointer) -> String? {
        // The library takes mutable pointers, and writes nothing through this one.
        guard bytes.count > headerLength, let start = UnsafeMutableRawPointer(mutating: bytes.baseAddress) else {
            return nil
        }
        let length = Int(UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self)))
        guard length <= longest else { return nil }
        var stream = z_stream()
        stream.next_in = (start + headerLength).assumingMemoryBound(to: UInt8.self)
        stream.avail_in = UInt32(bytes.count - headerLength)
        guard inflateInit_(&stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else { return nil }
        defer { inflateEnd(&stream) }
        var isWhole = false
        let text = String(unsafeUninitializedCapacity: length) { target in
            stream.next_out = target.baseAddress
            stream.avail_out = UInt32(length)
            var code = inflate(&stream, Z_FINISH)
            if code == Z_NEED_DICT {
                guard inflateSetDictionary(&stream, dictionary, UInt32(dictionary.count)) == Z_OK else { return 0 }
                code = inflate(&stream, Z_FINISH)
            }
            isWhole = code == Z_STREAM_END && stream.avail_out == 0
            return length - Int(stream.avail_out)
        }
        return isWhole ? text : nil
    }

    /// The length of the text in bytes, little-endian, before the stream.
    private static let headerLength = 4
    /// No store keeps a longer text; a larger length is damage.
    private static let longest = 1 << 30

    private static func deflated(_ source: UnsafeBufferPointer<UInt8>, into room: Int) -> [UInt8]? {
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        guard
            deflateInit2_(&stream, 6, Z_DEFLATED, MAX_WBITS, 9, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size) == Z_OK
        else { return nil }
        defer { deflateEnd(&stream) }
        guard deflateSetDictionary(&stream, dictionary, UInt32(dictionary.count)) == Z_OK else { return nil }
        stream.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
        stream.avail_in = UInt32(source.count)
        var isWhole = false
        let bytes = [UInt8](unsafeUninitializedCapacity: room) { target, count in
            withUnsafeBytes(of: UInt32(source.count).littleEndian) { header in
                for (index, byte) in header.enumerated() { target[index] = byte }
            }
            stream.next_out = target.baseAddress.map { $0 + headerLength }
            stream.avail_out = UInt32(room - headerLength)
            isWhole = deflate(&stream, Z_FINISH) == Z_STREAM_END
            count = room - Int(stream.avail_out)
        }
        return isWhole ? bytes : nil
    }

    /// Frequent words of results and inputs, the most frequent ones last.
    private static let dictionary = Array(words.utf8)
}

private let words = """
    what_this_does_not_mean what_to_watch_next why_it_matters_now why_it_happened what_happened sources_summary \
    trailing twelve months operating income free cash flow shareholders valuation guidance quarter earnings growth \
    margin percent billion million revenue company companies investors analysts market price shares according report \
    reported expected increase decrease during between because without however against through products services \
    business financial statements interest rates inflation demand supply customers management \
    about after also been before could first from have into its more most than that their there these they this were \
    which while will with would year years and for the was are has not but of the in the to the on the for the and the \
    ","source_span":" ","request_id":" ","conversation_id":" ","generated_at":" ","published_at":"20 \
    ","articles":[{"title":" ","url":"https://www. ","publisher":" ","tickers":[" ","concepts":[" ","holders":[" \
    ","evidence":[{"quote":" ","source":" ","label":" ","period":" ","unit":" ","value": ,"confidence": ,"score": \
    ","relevance_score": ,"relevance_reasons":[" ","recall_questions":[" ","sentiment":"neutral" \
    "sentiment":"positive" "sentiment":"negative" ","verdict":" ","persona":" ","question":" ","answer":" \
    ","citations":[{"id":" ","kind":" ","name":" ","ticker":" ","headline":" ","explanation":" ","summary":" \
    ","steps": ,"replayed": ,"usage":{"input_tokens": ,"output_tokens": ,"provider":"claude","model":"claude-sonnet- \
    "provenance":{"job_id":"0 ","bundle":" ","prompts":{" ","gathered_at":"20 ","model_calls":[{" ","repaired":false, \
    "cost_micro_dollars": null true false "text":" ","title":" ","source":" "}],"},{"id":" "}]}
    """
