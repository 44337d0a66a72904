import Articles
import HTTP
import JSON
import Testing

@testable import DataSources

@Suite struct YouTubeClientTests {
    private static let page = #"<html>"INNERTUBE_API_KEY":"k-1" "publishDate":"2026-01-02T03:04:05Z"</html>"#
    private static let captions = "<transcript><text start=\"0\">Hello</text></transcript>"

    private static func player(_ track: String = "https://www.youtube.com/api/timedtext?v=x&fmt=srv3") -> String {
        #"{"playabilityStatus":{"status":"OK"},"videoDetails":{"videoId":"GJLlxj_dtq8","title":"T","author":"C"},"captions":"#
            + #"{"playerCaptionsTracklistRenderer":{"captionTracks":[{"baseUrl":"\#(track)","languageCode":"en"}]}}}"#
    }

    private func read(
        base: String? = nil, _ answer: @escaping @Sendable (HTTPRequest) -> HTTPResponse
    ) async throws -> (FetchedContent, [HTTPRequest]) {
        let transport = ScriptedTransport { answer($0) }
        let fetcher = ContentFetcher(
            web: WebFetcher(transport: transport), videos: YouTubeClient(base: base, transport: transport))
        return (try await fetcher.read("https://youtu.be/GJLlxj_dtq8?t=1"), transport.sent)
    }

    private static func usual(_ request: HTTPRequest) -> HTTPResponse {
        if request.url.contains("/watch?") { return .ok(page) }
        return .ok(request.method == .post ? player() : captions)
    }

    @Test func aVideoIsReadInThreeSteps() async throws {
        let (content, sent) = try await read(Self.usual)
        #expect(content.text == "Hello" && content.title == "T" && content.byline == "C" && content.site == "YouTube")
        #expect(content.language == "en" && content.publishedAt?.description == "2026-01-02T03:04:05Z")
        #expect(content.kind == .video && content.url == "https://www.youtube.com/watch?v=GJLlxj_dtq8")
        #expect(
            sent.map(\.url) == [
                "https://www.youtube.com/watch?v=GJLlxj_dtq8", "https://www.youtube.com/youtubei/v1/player?key=k-1",
                "https://www.youtube.com/api/timedtext?v=x",
            ])
        let body = try JSON(parsing: sent[1].body)
        #expect(body["videoId"] == "GJLlxj_dtq8" && body["context"]?["client"]?["clientName"] == "ANDROID")
    }

    @Test func theBaseReplacesAllOfYouTubesHosts() async throws {
        let (_, sent) = try await read(base: "http://127.0.0.1:9/youtube", Self.usual)
        #expect(sent.allSatisfy { $0.url.hasPrefix("http://127.0.0.1:9/youtube/") })
    }

    @Test(arguments: [
        "https://www.youtube.com/watch?v=test", "https://www.youtube.com/@somebody", "https://youtu.be/",
        "https://www.youtube.com/playlist?list=PL1",
    ]) func aPageOfYouTubeThatIsNoVideoIsNotFetched(url: String) async {
        let transport = ScriptedTransport { Self.usual($0) }
        let fetcher = ContentFetcher(
            web: WebFetcher(transport: transport), videos: YouTubeClient(transport: transport))
        await #expect(throws: FetchError.video(.notAVideo)) { try await fetcher.read(url) }
        #expect(transport.sent.isEmpty)
    }

    @Test func captionsAreNeverFetchedFromAnotherHost() async {
        await #expect(throws: FetchError.video(.unexpected)) {
            try await read { request in
                request.method == .post ? .ok(Self.player("http://169.254.169.254/api?x=1")) : Self.usual(request)
            }
        }
    }

    @Test func theFormOfConsentIsAnsweredOnce() async throws {
        let form = "<form action=\"https://consent.youtube.com/s\"><input name=\"v\" value=\"cb.1\">"
        let (_, sent) = try await read { request in
            request.url.contains("/watch?") && request.headers["Cookie"] == nil ? .ok(form) : Self.usual(request)
        }
        #expect(sent[1].headers["Cookie"] == "CONSENT=YES+cb.1")
        await #expect(throws: FetchError.video(.consentRequired)) {
            try await read { request in request.url.contains("/watch?") ? .ok(form) : Self.usual(request) }
        }
    }

    @Test func refusalsBecomeClearErrors() async {
        await #expect(throws: FetchError.video(.blocked)) { try await read { _ in HTTPResponse(status: 429) } }
        await #expect(throws: FetchError.video(.blocked)) { try await read { _ in .ok("<div class=\"g-recaptcha\">") } }
        await #expect(throws: FetchError.failed(status: 503)) { try await read { _ in HTTPResponse(status: 503) } }
        await #expect(throws: FetchError.video(.unexpected)) { try await read { _ in .ok("<html></html>") } }
        await #expect(throws: FetchError.video(.isPrivate)) {
            try await read { request in
                request.method == .post
                    ? .ok(#"{"playabilityStatus":{"status":"LOGIN_REQUIRED","reason":"This video is private"}}"#)
                    : Self.usual(request)
            }
        }
        await #expect(throws: FetchError.video(.protected)) {
            try await read { request in
                request.method == .post ? .ok(Self.player("https://www.youtube.com/t?exp=xpe")) : Self.usual(request)
            }
        }
    }
}
