internal import Basics

/// Texts at rest, for columns that hold either a text or its compressed bytes.
///
/// The bytes are the number of the form, the length of the text, and a stream in the "deflate" form (RFC 1951) whose
/// dictionary are words that results often have, so that texts of a few hundred bytes become smaller, too. Another
/// dictionary is another form, and needs this one for reading.
package enum CompressedText {
    /// Shorter texts stay as they are, since little is gained.
    package static let shortest = 256
    /// The number of the form, in the first byte.
    static let form: UInt8 = 1

    /// Compresses a text.
    ///
    /// - Returns: The bytes; `nil` when the text is short or would not become smaller by an eighth.
    package static func bytes(of text: String) -> [UInt8]? {
        var text = text
        return text.withUTF8 { source in
            guard source.count >= shortest, source.count <= longest else { return nil }
            return Deflate.compressed(
                source, as: .raw(dictionary: dictionary), after: header(length: source.count),
                room: source.count - source.count / 8)
        }
    }

    /// Compresses a text by which others begin; see `bytes(of:after:length:)`.
    ///
    /// - Returns: The bytes; `nil` when the text is short.
    static func beginning(of text: String) -> [UInt8]? {
        var text = text
        return text.withUTF8 { source in
            guard source.count >= shortest, source.count <= longest else { return nil }
            return Deflate.segment(source, dictionary: dictionary, isLast: false)
        }
    }

    /// Compresses the rest of a text whose beginning is compressed already, and puts both together.
    ///
    /// - Parameters:
    ///   - rest: The rest.
    ///   - beginning: Of `beginning(of:)`.
    ///   - length: The bytes of the whole text.
    /// - Returns: The bytes, as those of a text that was compressed as a whole; `nil` when the text is too long.
    static func bytes(of rest: String, after beginning: [UInt8], length: Int) -> [UInt8]? {
        guard length <= longest else { return nil }
        var rest = rest
        return rest.withUTF8 { source in
            Deflate.segment(source, isLast: true).map { header(length: length) + beginning + $0 }
        }
    }

    /// Restores a text.
    ///
    /// - Returns: The text; `nil` when the bytes are damaged.
    package static func text(of bytes: UnsafeRawBufferPointer) -> String? {
        guard bytes.first == form, let (length, start) = length(in: bytes) else { return nil }
        let input = UnsafeRawBufferPointer(rebasing: bytes[start...])
        // No stream of this form is shorter than a thousandth of its text.
        guard length <= longest, length / 1100 <= input.count else { return nil }
        return Deflate.text(of: input, dictionary: dictionary, length: length)
    }

    /// No store keeps a longer text; a larger length is damage.
    private static let longest = 1 << 30

    /// The form and the length of a text: seven bits in each byte, the lowest first; all but the last have the eighth.
    private static func header(length: Int) -> [UInt8] {
        var (header, rest) = ([form], length)
        while rest >= 0x80 {
            header.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        header.append(UInt8(rest))
        return header
    }

    /// The length of the text, and the place of the stream.
    private static func length(in bytes: UnsafeRawBufferPointer) -> (length: Int, start: Int)? {
        var length = 0
        for (place, byte) in bytes.dropFirst().prefix(5).enumerated() {
            length |= Int(byte & 0x7F) << (7 * place)
            if byte < 0x80 { return (length, place + 2) }
        }
        return nil
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
