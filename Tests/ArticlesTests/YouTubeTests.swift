import Foundation
import JSON
import TestSupport
import Testing

@testable import Articles

@Suite struct YouTubeTests {
    @Test(arguments: [
        "https://www.youtube.com/watch?v=GJLlxj_dtq8", "http://youtube.com/watch?app=desktop&v=GJLlxj_dtq8&t=10s#x",
        "https://youtu.be/GJLlxj_dtq8?si=abc", "https://m.youtube.com/watch?v=GJLlxj_dtq8",
        "https://music.youtube.com/watch?v=GJLlxj_dtq8&list=x", "https://www.youtube.com/shorts/GJLlxj_dtq8",
        "https://www.youtube.com/embed/GJLlxj_dtq8?start=1", "https://www.youtube-nocookie.com/embed/GJLlxj_dtq8",
        "https://www.youtube.com/live/GJLlxj_dtq8?feature=share", "https://www.youtube.com/v/GJLlxj_dtq8",
        "youtu.be/GJLlxj_dtq8", "https://WWW.YouTube.com/watch?v=GJLlxj_dtq8",
        "https://www.youtube.com/attribution_link?u=%2Fwatch%3Fv%3DGJLlxj_dtq8%26feature%3Dshare",
    ])
    func everyFormOfAddressLeadsToTheVideo(url: String) {
        #expect(VideoAddress(url)?.id == "GJLlxj_dtq8")
    }

    @Test(arguments: [
        "https://example.com/watch?v=GJLlxj_dtq8", "https://www.youtube.com/", "https://www.youtube.com/watch?v=short",
        "https://www.youtube.com/@channel", "https://www.youtube.com/watch?v=GJLlxj_dtq8x", "https://youtu.be/",
        "https://www.youtube.com/watch?v=GJLlx/_dtq8", "https://youtube.com.evil.example/watch?v=GJLlxj_dtq8",
        "https://evil.example/?u=https://youtu.be/GJLlxj_dtq8", "", "ftp://youtu.be/GJLlxj_dtq8",
    ])
    func otherAddressesAreNoVideos(url: String) {
        #expect(VideoAddress(url) == nil)
    }

    private func track(_ language: String, asr: Bool = false, query: String = "") -> JSON {
        [
            "baseUrl": JSON("https://www.youtube.com/api/timedtext?v=x&lang=\(language)&fmt=srv3\(query)"),
            "languageCode": JSON(language), "kind": asr ? "asr" : .null,
        ]
    }

    private func player(_ tracks: [JSON], status: JSON = ["status": "OK"], details: JSON? = nil) -> JSON {
        [
            "playabilityStatus": status,
            "videoDetails": details ?? ["videoId": "x", "title": "T", "author": "C", "lengthSeconds": "61"],
            "captions": ["playerCaptionsTracklistRenderer": ["captionTracks": .array(tracks)]],
        ]
    }

    @Test func captionsByPeopleInAPreferredLanguageAreChosen() throws {
        let all = [track("de"), track("en", asr: true), track("en-GB"), track("fr", asr: true)]
        let details = try VideoDetails(player: player(all), id: "x")
        #expect(details.duration == 61 && details.title == "T" && details.channel == "C")
        #expect(details.track(preferring: ["en"])?.language == "en-GB")
        #expect(details.track(preferring: ["fr", "en"])?.language == "fr")
        #expect(details.track(preferring: ["it"])?.language == "en-GB")
        #expect(try VideoDetails(player: player([track("ja")]), id: "x").track(preferring: ["en"])?.language == "ja")
        #expect(details.tracks.allSatisfy { !$0.url.contains("fmt=") && !$0.isProtected })
        #expect(try VideoDetails(player: player([track("en", query: "&exp=xpe")]), id: "x").openTracks.tracks.isEmpty)
    }

    @Test(arguments: [
        (#"{"status": "ERROR", "reason": "This video is unavailable"}"#, VideoError.unavailable),
        (#"{"status": "ERROR", "reason": "This video is private"}"#, .isPrivate),
        (#"{"status": "LOGIN_REQUIRED", "messages": ["This is a private video. Please sign in."]}"#, .isPrivate),
        (#"{"status": "LOGIN_REQUIRED", "reason": "Sign in to confirm you’re not a bot"}"#, .blocked),
        (#"{"status": "LOGIN_REQUIRED", "reason": "Sign in to confirm your age"}"#, .ageRestricted),
        (#"{"status": "LOGIN_REQUIRED"}"#, .blocked), (#"{"status": "AGE_CHECK_REQUIRED"}"#, .ageRestricted),
        (#"{"status": "LIVE_STREAM_OFFLINE", "reason": "Premieres in 2 hours"}"#, .live),
        (#"{"status": "UNPLAYABLE", "reason": "Not available in your country"}"#, .unavailable),
        (#"{"status": "SOMETHING_NEW"}"#, .unavailable), ("null", .unexpected),
    ])
    func anUnplayableVideoSaysWhy(status: String, expected: VideoError) throws {
        let player = player([track("en")], status: try JSON(parsing: status))
        #expect(throws: expected) { try VideoDetails(player: player, id: "x") }
    }

    @Test func aVideoWithoutCaptionsDiffersFromALiveOne() {
        #expect(throws: VideoError.noCaptions) { try VideoDetails(player: player([]), id: "x") }
        let live: JSON = ["videoId": "x", "isLive": true, "lengthSeconds": "0"]
        #expect(throws: VideoError.live) { try VideoDetails(player: player([], details: live), id: "x") }
    }

    @Test func captionsAreReadInAllFormats() throws {
        let expected = [
            Transcript.Line(start: 1.5, duration: 4, text: "it's a <test>"),
            Transcript.Line(start: 6, duration: nil, text: "end"),
        ]
        let xml = """
            <?xml version="1.0" encoding="utf-8" ?><transcript><text start="1.5" dur="4">it&amp;#39;s &lt;i&gt;a&lt;/i&gt;
            &amp;lt;test&amp;gt;</text><text start="5"></text><text start="6">end</text></transcript>
            """
        #expect(try Transcript(Array(xml.utf8)).lines == expected)
        let srv3 = """
            <timedtext format="3"><head><ws id="0"/></head><body><p t="1500" d="4000"><s>it's</s><s t="9"> a &amp;lt;test&amp;gt;</s></p>
            <p t="5000" d="10" a="1">\n</p><p t="6000">end</p></body></timedtext>
            """
        #expect(try Transcript(Array(srv3.utf8)).lines == expected)
        let json3 =
            #"{"events":[{"tStartMs":0},{"tStartMs":1500,"dDurationMs":4000,"segs":[{"utf8":"it's"},{"utf8":" a &lt;test>"}]},"#
            + #"{"tStartMs":5000,"segs":[{"utf8":"\n"}]},{"tStartMs":6000,"segs":[{"utf8":"end"}]}]}"#
        #expect(try Transcript(Array(json3.utf8)).lines == expected)
    }

    @Test func aBodyWithoutCaptionsIsAnError() {
        #expect(throws: VideoError.protected) { try Transcript([]) }
        #expect(throws: VideoError.noCaptions) { try Transcript(Array("<transcript></transcript>".utf8)) }
        #expect(throws: VideoError.unexpected) { try Transcript(Array("<html></html>".utf8)) }
        #expect(throws: VideoError.unexpected) { try Transcript(Array("{}".utf8)) }
    }

    @Test func theFormOfConsentAndTheRobotCheckAreKnown() {
        let form =
            "<form action=\"https://consent.youtube.com/s\"><input type=\"hidden\" name=\"v\" value=\"cb.2026-p0\"></form>"
        #expect(WatchPage(Array(form.utf8)).consentToken == "cb.2026-p0")
        let evil = form.replacing("cb.2026-p0", with: "x; a=b\r\nHost: evil")
        #expect(WatchPage(Array(evil.utf8)).consentToken == nil && WatchPage(Array(evil.utf8)).isConsentForm)
        #expect(WatchPage(Array("<div class=\"g-recaptcha\">".utf8)).isRobotCheck)
    }

    @Test(.enabled(if: SharedData.isThere("youtube"), "needs the pages in ../shared/data/youtube"))
    func recordedPagesAreRead() throws {
        func bytes(_ name: String) throws -> [UInt8] { try SharedData.bytes("youtube/\(name)") }
        let page = WatchPage(try bytes("youtube.html"))
        #expect(page.apiKey?.hasPrefix("AIza") == true && page.consentToken == nil && !page.isRobotCheck)
        #expect(page.publishedAt?.description == "2018-08-02T06:00:08-07:00")
        let inPage = try VideoDetails(player: try #require(page.player), id: "x")
        #expect(inPage.openTracks.tracks.isEmpty && inPage.tracks.count == 9)
        let details = try VideoDetails(player: JSON(parsing: bytes("youtube.innertube.json")), id: "x")
        #expect(details.id == "GJLlxj_dtq8" && details.channel == "Dave2D" && details.duration == 316)
        let english = try #require(details.track(preferring: ["en"]))
        #expect(english.language == "en" && !english.isGenerated && !english.isProtected)
        #expect(throws: VideoError.noCaptions) {
            try VideoDetails(player: JSON(parsing: bytes("youtube_transcripts_disabled.innertube.json")), id: "x")
        }
        #expect(throws: VideoError.unavailable) {
            try VideoDetails(player: JSON(parsing: bytes("youtube_video_unavailable.innertube.json")), id: "x")
        }
        #expect(WatchPage(try bytes("youtube_too_many_requests.html")).isRobotCheck)
        #expect(
            try Transcript(bytes("transcript.xml")).lines.map(\.text).contains("this is not the original transcript"))
    }
}
