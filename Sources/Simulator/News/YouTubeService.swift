internal import Articles
internal import HTTP
internal import HTTPServer
internal import JSON

/// YouTube's pages of videos, the answers to its player, and captions.
struct YouTubeService: Sendable {
    /// A video: its captions by lines; without any, it has none.
    private struct Video {
        var title: String
        var lines: [String]
    }

    /// The videos by their ids; all others are not available. The last has the id that the documents of apps use.
    private static let videos: [String: Video] = [
        "simulated01": Video(title: "How interest rates move bonds (simulated)", lines: bonds),
        "simulated02": Video(title: "How interest rates move bonds (simulated)", lines: []),
        "dQw4w9WgXcQ": Video(title: "How models learn in small steps (simulated)", lines: models),
    ]

    private static let bonds = [
        "Welcome to this simulated video.", "Today we look at how interest rates move the price of a bond.",
        "When rates rise, a bond that pays less than new ones do is worth less.",
        "When rates fall, it is worth more, because its payments are higher than those of new bonds.",
        "The longer a bond runs, the more its price moves.",
        "Nothing in this video is advice, and all of it is simulated.",
    ]

    private static let models = [
        "This video is simulated: nobody recorded it.",
        "Machine learning means that a program gets better by examples and not by rules.",
        "Gradient descent is a method that makes a model better in small steps.",
        "A loss function measures how far the answers of the model are from the right ones.",
        "The gradient says in which direction the error grows fastest, and gradient descent takes a step the other way.",
        "The learning rate says how long each step is.",
        "A learning rate that is too large jumps over the lowest point, and the error grows.",
        "A learning rate that is too small needs so many steps that training takes days.",
        "Momentum keeps a part of the last step, so that steps in the same direction add up.",
        "Optimization of a network is therefore a question of direction and step length.",
        "A model that fits its examples too well has overfitted, and fails on new ones.",
        "Regularization adds a price for large weights, which keeps a model simple.",
    ]

    /// - Throws: a `404`.
    func answer(_ request: ServiceRequest) throws(Refusal) -> Answer {
        switch request.path {
        case "/watch":
            let date = PublishedDate(secondsSinceEpoch: request.context.now - 86_400)
            return Answer(text: Self.page(publishedAt: date.description), type: "text/html; charset=utf-8")
        case "/youtubei/v1/player":
            return Answer(json: Self.player(request.body?["videoId"]?.string ?? "", NewsSite.base(of: request)))
        case "/api/timedtext":
            return Answer(text: Self.captions(of: request.request.query("v") ?? ""), type: "text/xml; charset=utf-8")
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
        guard let video = videos[id] else {
            return ["playabilityStatus": ["status": "ERROR", "reason": "This video is unavailable"]]
        }
        let details: JSON = [
            "videoId": JSON(id), "title": JSON(video.title), "author": "Simulated Channel",
            "lengthSeconds": JSON("\(max(video.lines.count, 6) * 4)"), "shortDescription": "A simulated video.",
            "viewCount": "1",
        ]
        var answer: JSON = ["playabilityStatus": ["status": "OK"], "videoDetails": details]
        if !video.lines.isEmpty {
            let track: JSON = [
                "baseUrl": JSON("\(base)/youtube/api/timedtext?v=\(id)&lang=en&fmt=srv3"),
                "name": ["runs": [["text": "English"]]], "languageCode": "en", "isTranslatable": true,
            ]
            answer["captions"] = ["playerCaptionsTracklistRenderer": ["captionTracks": [track]]]
        }
        return answer
    }

    private static func captions(of id: String) -> String {
        let texts = (videos[id]?.lines ?? []).enumerated().map { index, line in
            "<text start=\"\(index * 4)\" dur=\"4\">\(Markup.escaped(line))</text>"
        }
        return "<?xml version=\"1.0\" encoding=\"utf-8\" ?><transcript>\(texts.joined())</transcript>"
    }
}
