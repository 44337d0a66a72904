import Basics
import Testing

@Suite struct HMACTests {
    @Test func codesAreThoseOfTheStandard() {
        // RFC 4231, test cases 1, 2 and 6.
        let cases: [(key: [UInt8], message: String, code: String)] = [
            (
                [UInt8](repeating: 0x0b, count: 20), "Hi There",
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
            ),
            (
                Array("Jefe".utf8), "what do ya want for nothing?",
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                [UInt8](repeating: 0xaa, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
        ]
        for (key, message, code) in cases {
            let hex = HMAC.sha256(Array(message.utf8), key: key).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
            #expect(hex.joined() == code)
        }
    }

    @Test func base64HasPaddingAndOneForm() {
        for (bytes, text) in [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("\u{7f}~?", "f34/"),
        ] {
            #expect(Base64.encode(Array(bytes.utf8)) == text)
            #expect(Base64.decode(text) == Array(bytes.utf8))
        }
        #expect(Base64.decode(Base64.encode([0xfb, 0xff, 0xfe])) == [0xfb, 0xff, 0xfe])
        for wrong in ["Zg", "Zg=", "Zh==", "Zm8", "-_-_", "Zg==Zg==", "====", "Z m8="] {
            #expect(Base64.decode(wrong) == nil, "\(wrong)")
        }
    }
}
