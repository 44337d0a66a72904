internal import Articles
internal import HTTP
internal import HTTPServer
internal import JSON

/// YouTube's pages of videos, the answers to its player, and captions.
struct YouTubeService: Sendable {
    /// The video with captions; one without; all others are not available.
    static let video = "simulated01"
    static let silentVideo = "simulated02"

    private static let lines = [
        "Welcome to this simulated video.", "Today we look at how interest rates move the price of a bond.",
        "When rates rise, a bond that pays less than new ones do is worth less.",
        "When rates fall, it is worth more, because its payments are higher than those of new bonds.",
        "The longer a bond runs, the more its price moves.",
        "Nothing in this video is advice, and all of it is simulated.",
    ]

    /// - Throws: a `404`.
    func answer(_ request: ServiceRequest) throws(Refusal) -> Answer {
        switch request.path {
        case "/watch":
            let date = PublishedDate(secondsSinceEpoch: request.context.now - 86_400)
            return Answer(text: Self.page(publishedAt: date.description), type: "text/html; charset=utf-8")
        case "/youtubei/v1/player":
            return Answer(json: Self.player(request.body?["videoId"]?.string ?? "", NewsSite.base(of: request)))
        case "/api/timedtext": return Answer(text: Self.captions, type: "text/xml; charset=utf-8")
        default: throw Refusal(answer: Answer(status: 404, text: "Not found", type: "text/plain"))
        }
    }

    func failure(_ failure: ServiceFailure) -> Answer {
        switch failure.cause {
        case .status(let status): Answer(status: status == 529 ? 503 : status, text: "", type: "text/html")
        case .rateLimit:
            Answer(
                status: 429, text: "<html><body><form><div class=\"g-recaptcha\"></div></form></body></html>",
                type: "text/html")
        }
    }

    private static func page(publishedAt date: String) -> String {
        """
        <!DOCTYPE html><html lang="en"><head><title>Simulated - YouTube</title></head><body>
        <script>ytcfg.set({"INNERTUBE_API_KEY":"simulated_key","INNERTUBE_API_VERSION":"v1"});</script>
        <script>var ytPage = {"microformat":{"publishDate":"\(date)"}};</script></body></html>
        """
    }

    private static func player(_ id: String, _ base: String) -> JSON {
        guard id == video || id == silentVideo else {
            return ["playabilityStatus": ["status": "ERROR", "reason": "This video is unavailable"]]
        }
        let details: JSON = [
            "videoId": JSON(id), "title": "How interest rates move bonds (simulated)", "author": "Simulated Channel",
            "lengthSeconds": JSON("\(lines.count * 4)"), "shortDescription": "A simulated video.", "viewCount": "1",
        ]
        var answer: JSON = ["playabilityStatus": ["status": "OK"], "videoDetails": details]
        if id == video {
            let track: JSON = [
                "baseUrl": JSON("\(base)/youtube/api/timedtext?v=\(id)&lang=en&fmt=srv3"),
                "name": ["runs": [["text": "English"]]], "languageCode": "en", "isTranslatable": true,
            ]
            answer["captions"] = ["playerCaptionsTracklistRenderer": ["captionTracks": [track]]]
        }
        return answer
    }

    private static let captions: String = {
        let texts = lines.enumerated().map { index, line in
            "<text start=\"\(index * 4)\" dur=\"4\">\(Markup.escaped(line))</text>"
        }
        return "<?xml version=\"1.0\" encoding=\"utf-8\" ?><transcript>\(texts.joined())</transcript>"
    }()
}
