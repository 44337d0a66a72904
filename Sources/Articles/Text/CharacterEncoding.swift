internal import Basics
import Glibc

/// Finds the encoding of a document and reads it.
package enum CharacterEncoding {
    /// The number of bytes of a page that are searched for its own statement of the encoding.
    private static let head = 4096

    /// The text of a body in UTF-8, without byte order mark and without NUL.
    ///
    /// A byte order mark decides, then the `charset` of the content type, then the document's own statement (`meta`,
    /// the XML declaration), then UTF-8 where the bytes are UTF-8 and Windows-1252 where they are not. Bytes that
    /// cannot be read becomes U+FFFD.
    package static func utf8(_ body: [UInt8], contentType: String? = nil) -> [UInt8] {
        if body.starts(with: [0xEF, 0xBB, 0xBF]) { return repaired(body.dropFirst(3)) }
        if body.starts(with: [0xFF, 0xFE]) { return decoded(body.dropFirst(2), "UTF-16LE") }
        if body.starts(with: [0xFE, 0xFF]) { return decoded(body.dropFirst(2), "UTF-16BE") }
        if body.starts(with: [0x3C, 0x00, 0x3F, 0x00]) || body.starts(with: [0x3C, 0x00, 0x21, 0x00]) {
            return decoded(body[...], "UTF-16LE")
        }
        if body.starts(with: [0x00, 0x3C, 0x00, 0x3F]) { return decoded(body[...], "UTF-16BE") }
        let stated = contentType.flatMap(charset(inContentType:)) ?? statement(in: body)
        guard let stated else {
            return isUTF8(body) ? repaired(body[...]) : decoded(body[...], "windows-1252")
        }
        let name = canonical(stated)
        // Many pages name an old encoding and are UTF-8 all the same; by chance that much text never is.
        if name == "UTF-8" || body.count(where: { $0 >= 0x80 }) > 16 && isUTF8(body) { return repaired(body[...]) }
        return decoded(body[...], name)
    }

    /// The `charset` of a `Content-Type`, quoted or not.
    static func charset(inContentType value: String) -> String? {
        let lower = value.lowercased()
        guard let range = lower.firstRange(of: "charset=") else { return nil }
        return name(lower[range.upperBound...].utf8)
    }

    /// `<meta charset=…>`, `<meta http-equiv … charset=…>` or `<?xml encoding=…?>`.
    private static func statement(in body: [UInt8]) -> String? {
        let head = String(decoding: body.prefix(Self.head).map { $0 < 0x80 ? $0 : 0x3F }, as: UTF8.self).lowercased()
        if head.trimmed.hasPrefix("<?xml"), let end = head.firstRange(of: "?>"),
            let range = head[..<end.lowerBound].firstRange(of: "encoding")
        {
            let value = head[range.upperBound..<end.lowerBound].drop { $0 == " " || $0 == "=" }
            if let name = name(value.utf8) { return name }
        }
        var rest = head[...]
        while let range = rest.firstRange(of: "<meta") {
            rest = rest[range.upperBound...]
            let tag = rest.prefix { $0 != ">" }
            guard let place = tag.firstRange(of: "charset") else { continue }
            let value = tag[place.upperBound...].drop { $0 == " " }
            guard value.first == "=" else { continue }
            if let name = name(value.dropFirst().drop { $0 == " " }.utf8) { return name }
        }
        return nil
    }

    private static func name(_ text: Substring.UTF8View) -> String? {
        let bare = text.drop { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }
        let name = bare.prefix { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
                UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        return name.isEmpty || name.count > 40 ? nil : String(Substring(name))
    }

    /// The encoding that browsers read for a label: the old subsets mean their Windows superset.
    private static func canonical(_ label: String) -> String {
        switch label {
        case "utf-8", "utf8", "unicode-1-1-utf-8", "utf-16", "utf-16le", "utf-16be", "utf16": "UTF-8"
        case "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "latin-1", "us-ascii", "ascii", "windows-1252",
            "cp1252", "x-cp1252":
            "windows-1252"
        case "gb2312", "gbk", "gb18030", "gb_2312-80", "x-gbk", "cp936": "GB18030"
        case "shift_jis", "shift-jis", "sjis", "x-sjis", "windows-31j", "ms_kanji", "cp932": "CP932"
        case "euc-kr", "ks_c_5601-1987", "ksc5601", "korean", "windows-949": "CP949"
        case "big5", "big5-hkscs", "x-x-big5": "BIG5-HKSCS"
        case "iso-8859-9", "latin5": "windows-1254"
        case "tis-620", "iso-8859-11": "windows-874"
        default: label
        }
    }

    private static func decoded(_ bytes: ArraySlice<UInt8>, _ encoding: String) -> [UInt8] {
        guard let converter = TextConverter(from: encoding) else { return repaired(bytes) }
        return withoutNUL(converter.utf8(bytes))
    }

    private static func isUTF8(_ body: [UInt8]) -> Bool { String(validating: body, as: UTF8.self) != nil }

    private static func repaired(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        withoutNUL(Array(String(decoding: bytes, as: UTF8.self).utf8))
    }

    /// Parsers written in C take NUL for the end.
    private static func withoutNUL(_ bytes: [UInt8]) -> [UInt8] {
        bytes.contains(0) ? bytes.map { $0 == 0 ? 0x20 : $0 } : bytes
    }
}

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
