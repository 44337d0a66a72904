import Testing

@testable import Articles

@Suite struct CharacterEncodingTests {
    private func text(_ body: [UInt8], _ type: String? = nil) -> String {
        String(decoding: CharacterEncoding.utf8(body, contentType: type), as: UTF8.self)
    }

    @Test func aByteOrderMarkDecides() {
        #expect(text([0xEF, 0xBB, 0xBF] + Array("é".utf8), "text/html; charset=windows-1252") == "é")
        #expect(text([0xFF, 0xFE, 0x41, 0x00, 0xE9, 0x00]) == "Aé")
        #expect(text([0xFE, 0xFF, 0x00, 0x41, 0x00, 0xE9]) == "Aé")
    }

    @Test func theHeaderPrecedesThePage() {
        let page = Array("<meta charset=\"iso-8859-7\">".utf8) + [0xE9]
        #expect(text(page, "text/html; charset=windows-1252").hasSuffix("é"))
        #expect(text(page).hasSuffix("ι"))
    }

    @Test(arguments: [
        ("gb2312", [0xD6, 0xD0, 0xCE, 0xC4] as [UInt8], "中文"), ("Shift_JIS", [0x93, 0xFA, 0x96, 0x7B], "日本"),
        ("euc-kr", [0xC7, 0xD1, 0xB1, 0xDB], "한글"), ("big5", [0xA4, 0xA4, 0xA4, 0xE5], "中文"),
        ("koi8-r", [0xC4, 0xC1], "да"), ("iso-8859-1", [0x93, 0x80, 0x94], "“€”"),
        ("windows-1251", [0xE4, 0xE0], "да"),
    ])
    func aPageSaysItsEncoding(name: String, bytes: [UInt8], expected: String) {
        #expect(text(Array("<meta charset='\(name)'>".utf8) + bytes).hasSuffix(expected))
        let equiv = "<META http-equiv=Content-Type content=\"text/html; charset=\(name)\">"
        #expect(text(Array(equiv.utf8) + bytes).hasSuffix(expected))
        #expect(text(Array("<?xml version=\"1.0\" encoding=\"\(name)\"?>".utf8) + bytes).hasSuffix(expected))
        #expect(text(bytes, "text/html;charset=\"\(name)\"") == expected)
    }

    @Test func withoutAStatementTheBytesDecide() {
        #expect(text(Array("naïve".utf8)) == "naïve")
        #expect(text([0x6E, 0x61, 0xEF, 0x76, 0x65]) == "naïve")
    }

    @Test func mislabelledUTF8IsReadAsUTF8() {
        #expect(text(Array("<meta charset=gb2312>人工智能迈上新台阶".utf8)).hasSuffix("人工智能迈上新台阶"))
    }

    @Test func unreadableBytesAreMarkedAndNothingIsLost() {
        #expect(text([0x41, 0xFF, 0x42], "text/html; charset=utf-8") == "A\u{FFFD}B")
        #expect(text([0x41, 0x93], "text/html; charset=shift_jis") == "A\u{FFFD}")
        #expect(text([0x41, 0x00, 0x42], "text/html; charset=utf-8") == "A B")
        #expect(text([0x41], "text/html; charset=no-such-encoding") == "A")
    }
}
