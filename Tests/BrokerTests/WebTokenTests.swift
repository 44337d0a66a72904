import Foundation
import JSON
import Testing
import Broker

@Suite struct WebTokenTests {
    private let secret = "a secret of thirty-two characters"
    private let claims: JSON = ["sub": "u1", "exp": 2000]

    @Test func aTokenComesBackAsItsClaims() throws {
        let token = try WebToken.sign(["sub": "ü ☃ \"quoted\"", "exp": 2000, "tier": nil], secret: secret)
        let read = try WebToken.verify(token, secret: secret, now: 1999)
        #expect(read["sub"] == "ü ☃ \"quoted\"" && read["exp"] == 2000)
    }

    /// Made with Python's `hmac`.
    @Test func aTokenThatSomebodyElseSignedIsRead() throws {
        let token =
            "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJleHAiOjIwMDAuNSwic3ViIjoidTEifQ"
            + ".TJoX-WIzJUJ0Bj2Bl7OZyDb8aW4W7XgDZt3md9SuZGg"
        #expect(try WebToken.verify(token, secret: secret, now: 1999)["sub"] == "u1")
    }

    @Test func aTokenEndsAtItsMomentAndNotBefore() throws {
        let token = try WebToken.sign(claims, secret: secret)
        _ = try WebToken.verify(token, secret: secret, now: 1999)
        #expect(throws: WebTokenError.expired) { try WebToken.verify(token, secret: secret, now: 2000) }
    }

    @Test func aTokenWithoutAnEndOrBeforeItsBeginningIsRefused() throws {
        for claims: JSON in [["sub": "u1"], ["sub": "u1", "exp": "2000"], ["sub": "u1", "exp": 2000, "nbf": 1500]] {
            let token = try WebToken.sign(claims, secret: secret)
            #expect(throws: WebTokenError.invalid) { try WebToken.verify(token, secret: secret, now: 1000) }
        }
    }

    @Test func anotherSecretIsRefused() throws {
        let token = try WebToken.sign(claims, secret: secret + "x")
        #expect(throws: WebTokenError.invalid) { try WebToken.verify(token, secret: secret, now: 1000) }
    }

    @Test func everyChangedByteIsRefused() throws {
        let token = Array(try WebToken.sign(claims, secret: secret).utf8)
        for index in token.indices {
            var changed = token
            // Of the last letter only some bits count: a change of the others names the same signature.
            changed[index] = index == token.indices.last ? UInt8(ascii: "*") : token[index] ^ 1
            #expect(throws: WebTokenError.invalid) {
                try WebToken.verify(String(decoding: changed, as: UTF8.self), secret: secret, now: 1000)
            }
        }
    }

    @Test(arguments: ["none", "None", "HS384", "HS512", "RS256", "ES256", "", "hs256"])
    func anotherAlgorithmIsRefusedWhateverItsSignature(algorithm: String) throws {
        let good = try WebToken.sign(claims, secret: secret).split(separator: ".")
        let header = base64url("{\"typ\":\"JWT\",\"alg\":\"\(algorithm)\"}")
        for signature in ["", String(good[2])] {
            #expect(throws: WebTokenError.invalid) {
                try WebToken.verify("\(header).\(good[1]).\(signature)", secret: secret, now: 1000)
            }
        }
    }

    @Test(arguments: ["", ".", "..", "...", "a.b.c", "eyJ.eyJ.eyJ", "\u{0}", String(repeating: "a.", count: 9000)])
    func whatIsNoTokenIsRefused(text: String) {
        #expect(throws: WebTokenError.invalid) { try WebToken.verify(text, secret: secret, now: 1000) }
    }

    @Test func claimsMustBeAnObject() {
        #expect(throws: WebTokenError.unusable) { try WebToken.sign([1, 2], secret: secret) }
    }

    private func base64url(_ text: String) -> String {
        Data(text.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing(
            "=", with: "")
    }
}
