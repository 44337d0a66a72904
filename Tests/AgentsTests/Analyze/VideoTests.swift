import DataSources
import Foundation
import HTTP
import JobQueue
import JSON
import LanguageModels
import Testing
import TestSupport

@testable import Agents

/// Videos by recorded pages of YouTube.
@Suite(.enabled(if: SharedData.isThere("youtube"), "../shared/data/youtube is not there"))
struct VideoTests {
    private static let video = "https://www.youtube.com/watch?v=GJLlxj_dtq8"

    private func bytes(_ name: String) throws -> [UInt8] { try SharedData.bytes("youtube/" + name) }

    /// YouTube with the recorded pages; `player` is the answer that describes the video.
    private func youTube(player: String, watch: String = "youtube.html") throws -> ScriptedWeb {
        let web = ScriptedWeb()
        let (page, details, captions) = (try bytes(watch), try bytes(player), try bytes("transcript.xml"))
        web.set("https://www.youtube.com/watch") { _ in HTTPResponse(status: 200, body: page) }
        web.set("https://www.youtube.com/youtubei/v1/player") { _ in HTTPResponse(status: 200, body: details) }
        web.set("https://www.youtube.com/api/timedtext") { _ in HTTPResponse(status: 200, body: captions) }
        return web
    }

    private func agent(_ web: ScriptedWeb, _ model: ScriptedModel) throws -> AnalyzeAgent {
        AnalyzeAgent(
            reader: ContentFetcher(web: WebFetcher(transport: web), videos: YouTubeClient(transport: web)),
            cards: NoRecallCards(),
            models: ModelCalls(try model.router()), now: { 5 })
    }

    private static func order(_ url: String = video) -> JSON {
        ["content_url": JSON(url), "user_id_hash": "h", "goal_id": "g", "goal_description": "Learn from videos"]
    }

    @Test func modelReadsTheTranscriptOfARecordedVideo() async throws {
        let model = ScriptedModel(.refusal)
        try await AgentFixture.run { fixture in
            let web = try youTube(player: "youtube.innertube.json")
            let content = try await ContentFetcher(
                web: WebFetcher(transport: web), videos: YouTubeClient(transport: web)
            ).read(Self.video, languages: ["en"])
            #expect(content.kind == .video && !content.text.isEmpty)
            let job = try await fixture.job("analyze", Self.order())
            let failure = try await fixture.failure(job, try agent(web, model))
            #expect(failure.error.code == "BIZ_2003")
            let prompt = model.prompt(0)
            let words = content.text.split(whereSeparator: \.isWhitespace).prefix(3)
            #expect(words.allSatisfy { prompt.contains($0) } && prompt.contains("Learn from videos"))
            #expect(prompt.contains("(text)"), "the transcript is fenced")
        }
    }

    @Test(arguments: [
        ("youtube_transcripts_disabled.innertube.json", "youtube.html"),
        ("youtube_video_unavailable.innertube.json", "youtube.html"),
        ("youtube.innertube.json", "youtube_too_many_requests.html"),
    ]) func aVideoThatCannotBeReadFailsWithItsReason(player: String, watch: String) async throws {
        let model = ScriptedModel()
        try await AgentFixture.run { fixture in
            let job = try await fixture.job("analyze", Self.order("https://youtu.be/dsMFmonKDD4"))
            let failure = try await fixture.failure(
                job, try agent(try youTube(player: player, watch: watch), model))
            #expect(failure.error.code == "EXT_4006" && failure.error.message.contains("video"), "\(failure.error)")
            #expect(failure.error.userMessage == "We could not read what is said in that video.")
            #expect(model.requests.isEmpty && !failure.isTransient)
        }
    }
}
