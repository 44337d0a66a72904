import Basics
import TestSupport
import Testing

@Suite struct TextSanitizerTests {
    @Test(arguments: [
        "Plain ASCII,\twith a tab\nand lines\r\n", "Grüße aus Łódź – “zitiert” … 5 €", "Việt Nam: Nguyễn Thị Hồng Gấm",
        "Vie\u{302}\u{323}t trong da\u{323}ng phan ra\u{303}", "الحَمْدُ لِلّٰهِ رَبِّ العَالَمِينَ",
        "\u{200F}שָׁלוֹם עוֹלָם\u{200E} (1)", "नमस्ते दुनिया, क्षत्रिय", "ภาษาไทย น้ำ ที่นี่", "བོད་སྐད། ཧཱུྃ", "ᠮᠣᠩᠭᠣᠯ",
        "👨‍👩‍👧‍👦 👍🏽 🏳️‍🌈 🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", "🇩🇪🇫🇷🇯🇵",
        "한국어, \u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}",
        "漢字とかな、葛\u{E0100}城市", "می‌خواهم", "q̃̇ ṩ a⃝ ½", "Z\u{334}\u{301}\u{300}\u{316}\u{317}a\u{30A}\u{32B}lgo",
        "a" + String(repeating: "\u{301}", count: 30) + "b", "", "\u{301}",
    ])
    func ordinaryTextOfAnyLanguageIsUnchanged(text: String) {
        #expect(Array(text.sanitized.utf8) == Array(text.utf8))
    }

    @Test(arguments: [
        ("a\u{0}b\u{1B}[31m\u{7F}c", "ab[31mc"), ("a\u{9B}31m\u{80}b", "a31mb"),
        ("one\u{B}two\u{C}three\u{85}four\u{2028}five\u{2029}six", "one\ntwo\nthree\nfour\nfive\nsix"),
        ("\u{202E}evil\u{202C} \u{2066}x\u{2069}", "evil x"), ("\u{202A}\u{202B}\u{202D}\u{2067}\u{2068}", ""),
    ])
    func controlsAndDirectionalOverridesAreTakenOut(text: String, harmless: String) {
        #expect(text.sanitized == harmless)
    }

    @Test(arguments: [
        ("Buy\u{E0041}\u{E0020}\u{E0042}back", "Buyback"), ("a\u{200B}b\u{2060}c\u{FEFF}d\u{AD}e\u{34F}f", "abcdef"),
        ("a\u{115F}\u{1160}\u{3164}\u{FFA0}b\u{180E}c", "abc"),
        ("a\u{FE00}\u{FE01}b\u{E0100}\u{E01EF} \u{FE0F}c", "ab c"),
        ("1\u{FE0F}\u{20E3} ❤\u{FE0F}\u{FE0F}", "1\u{FE0F}\u{20E3} ❤\u{FE0F}"),
        ("葛\u{E0100}\u{E0101}城", "葛\u{E0100}城"),
        ("🏴\u{200B}\u{E0067}\u{E007F}x\u{E0067}", "🏴\u{E0067}\u{E007F}x"), ("🏴\u{85}\u{E0067}", "🏴\n"),
    ])
    func whatHidesATextFromReadersIsTakenOut(text: String, harmless: String) {
        #expect(Array(text.sanitized.utf8) == Array(harmless.utf8))
        #expect(Array(text.sanitized.sanitized.utf8) == Array(harmless.utf8))
    }

    @Test(arguments: [0xFDD0, 0xFDEF, 0xFFFE, 0xFFFF, 0x1FFFE, 0x10FFFF] as [UInt32])
    func noncharactersAreTakenOut(value: UInt32) throws {
        let scalar = try #require(Unicode.Scalar(value))
        #expect("a\(Character(scalar))b".sanitized == "ab")
    }

    @Test(arguments: HostileText.all)
    func noMoreThanThirtyMarksFollowEachOther(hostile: HostileText) {
        let text = hostile.text(bytes: 20_000).sanitized
        var (run, longest) = (0, 0)
        for scalar in text.decomposed {
            run = scalar.properties.canonicalCombiningClass == .notReordered ? 0 : run + 1
            longest = max(longest, run)
        }
        // One scalar decomposes into at most three marks.
        #expect(longest <= TextSanitizer.longestRun * 3)
        #expect(Array(text.sanitized.utf8) == Array(text.utf8), "a second time changes nothing")
    }

    @Test func theFirstThirtyMarksAreKept() {
        let text = "a" + String(repeating: "\u{301}\u{316}", count: 1000) + "b\u{301}"
        let expected = "a" + String(repeating: "\u{301}\u{316}", count: 15) + "b\u{301}"
        #expect(Array(text.sanitized.utf8) == Array(expected.utf8))
    }

    @Test func theFirstFlagsOfALongRunAreKept() {
        let flags = String(repeating: "🇩🇪🇫🇷", count: 32)
        #expect(flags.sanitized == flags)
        #expect((flags + "🇯🇵!🇯🇵").sanitized == flags + "!🇯🇵")
    }

    @Test func aRunMayBeSpreadOverPartsAndRemovedScalars() {
        var sanitizer = TextSanitizer()
        let parts =
            (0..<20).map { _ in sanitizer.sanitize("\u{301}\u{202E}\u{316}\u{1}") } + [sanitizer.sanitize("x\u{301}")]
        let expected = String(repeating: "\u{301}\u{316}", count: 15) + "x\u{301}"
        #expect(Array(parts.joined().utf8) == Array(expected.utf8))
    }

    @Test func everyMarkOfUnicodeIsCapped() {
        for value in UInt32(0x80)..<0x11_0000 {
            guard let scalar = Unicode.Scalar(value), scalar.properties.canonicalCombiningClass != .notReordered else {
                continue
            }
            let text = String(String.UnicodeScalarView(repeatElement(scalar, count: 31)))
            #expect(text.sanitized.unicodeScalars.count == 30, "U+\(String(value, radix: 16))")
        }
    }

    @Test func bytesThatAreNoUTF8AreKept() {
        var bytes: [UInt8] = [0x61, 0xFF, 0xC3, 0x28, 0x00, 0xE2, 0x80]
        var sanitizer = TextSanitizer()
        #expect(sanitizer.sanitize(&bytes) == 1)
        #expect(bytes == [0x61, 0xFF, 0xC3, 0x28, 0xE2, 0x80])
    }

    @Test(arguments: HostileText.all)
    func sanitizingAndThenHashingCostsLinearTime(hostile: HostileText) {
        let growth = CPUCost.growth(hostile.text, from: 64 << 10) { text in
            let text = text.sanitized
            _ = text.hashValue
            _ = text == text + "x"
            _ = text.lastIndex(of: "(")
            _ = text.lowercased().count
        }
        #expect(growth < CPUCost.linear)
    }
}

extension String {
    /// The scalars of the canonical decomposition, as far as the standard library gives access to it.
    fileprivate var decomposed: [Unicode.Scalar] {
        unicodeScalars.flatMap { scalar -> [Unicode.Scalar] in
            switch scalar.value {
            case 0x344: ["\u{308}", "\u{301}"]
            case 0xF73: ["\u{F71}", "\u{F72}"]
            case 0xF75: ["\u{F71}", "\u{F74}"]
            case 0xF81: ["\u{F71}", "\u{F80}"]
            default: [scalar]
            }
        }
    }
}
