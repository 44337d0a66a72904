import JSON
import LanguageModels
import Testing

@testable import PromptRegression

@Suite struct ScrubberTests {
    @Test(arguments: [
        ("key sk-ant-api03-abcdefgh12345678 end", "key [redacted] end"),
        ("AIzaSyA1234567890abcdefghijklmnopqrs", "[redacted]"),
        ("Authorization: Bearer abc.def-123456", "Authorization: [redacted]"),
        ("{\"x-api-key\": \"0123456789\"}", "{\"x-api-key\": \"[redacted]\"}"),
        ("api_key=0123456789&b=1", "api_key=[redacted]"),
        ("token eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl", "token [redacted]"),
        ("write to jane.doe+x@mail.example.co.uk.", "write to [redacted]."),
        ("a plain sentence about $416.2 billion", "a plain sentence about $416.2 billion"),
        ("the my-own-secret-key here", "the [redacted] here"),
    ])
    func secretsAreTakenOut(text: String, expected: String) {
        #expect(Scrubber(secrets: ["my-own-secret-key", "abc"]).scrub(text) == expected)
    }

    @Test func everyTextOfARecordingIsScrubbed() throws {
        var recording = try Workspace(cases: ["research/apple-brief"]).recording(of: "research/apple-brief")
        recording.response.text = "my-own-secret-key said jane@example.org"
        recording.response.json = ["a": ["my-own-secret-key"], "jane@example.org": 1]
        recording.response.original = ProviderContent(
            provider: .claude, content: [["type": "text", "text": "Bearer abcdefgh1234"]])
        recording.detail = "my-own-secret-key"
        let text = try recording.scrubbed(by: Scrubber(secrets: ["my-own-secret-key"])).json.compact
        for secret in ["my-own-secret-key", "jane@", "abcdefgh1234"] { #expect(!text.contains(secret)) }
        // What was scrubbed is sealed anew and can be read back.
        #expect(try Recording(parsing: text).response.text == "[redacted] said [redacted]")
    }
}
