import Basics
import Testing

@Suite struct SHA256Tests {
    /// The examples of FIPS 180-2, appendix B.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func theDigestIsThatOfTheStandard(text: String, digest: String) { #expect(SHA256.hex(text) == digest) }

    @Test func secretsCompareByTheirContents() {
        #expect(ConstantTime.equal("secret", "secret"))
        #expect(!ConstantTime.equal("secret", "secrer"))
        #expect(!ConstantTime.equal("secret", "secre"))
    }
}
