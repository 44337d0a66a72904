import Basics
package import Articles
package import HTTP
import JSON

/// A video with its transcript.
package struct Video: Sendable, Hashable {
    package let details: VideoDetails
    package let publishedAt: PublishedDate?
    /// The captions that were read.
    package let track: CaptionTrack
    package let transcript: Transcript
}

/// Reads videos' captions from YouTube, the way its own pages do. Nothing of this is documented by YouTube.
package struct YouTubeClient: Sendable {
    package static let defaultBase = "https://www.youtube.com"

    private let base: String
    private let transport: any HTTPTransport

    /// The player to which YouTube gives captions that can be fetched without further proof.
    private static let player: JSON = ["clientName": "ANDROID", "clientVersion": "20.10.38"]

    /// `base` replaces all of YouTube's hosts, for the simulator and tests.
    package init(base: String? = nil, transport: any HTTPTransport) {
        self.base = base ?? Self.defaultBase
        self.transport = transport
    }

    /// A video and its captions.
    ///
    /// `languages`: preferred ones first; in each, captions by people go before those by machine.
    /// - Throws: `video` with the reason when there are none to be had.
    package func video(_ address: VideoAddress, languages: [String] = ["en"]) async throws(FetchError) -> Video {
        let page = try await watchPage(address.id)
        let details = try await details(address.id, page)
        let open = details.openTracks
        guard let track = open.track(preferring: languages) else { throw .video(.protected) }
        let response = try await send(request(.get, try trackURL(track.url)))
        if let error = Self.failure(response) { throw error }
        let transcript = try Self.reading { () throws(VideoError) in try Transcript(response.body) }
        return Video(details: details, publishedAt: page.publishedAt, track: track, transcript: transcript)
    }

    // MARK: - Steps

    /// The page, with the form of consent answered where it comes first.
    private func watchPage(_ id: String) async throws(FetchError) -> WatchPage {
        let url = URLPath.join(base, "watch", query: [("v", id)])
        var page = try await page(request(.get, url))
        if let token = page.consentToken {
            page = try await self.page(request(.get, url, headers: [("Cookie", "CONSENT=YES+\(token)")]))
        }
        guard !page.isConsentForm else { throw .video(.consentRequired) }
        guard !page.isRobotCheck || page.apiKey != nil else { throw .video(.blocked) }
        return page
    }

    private func page(_ request: HTTPRequest) async throws(FetchError) -> WatchPage {
        let response = try await send(request)
        if let error = Self.failure(response) { throw error }
        return WatchPage(response.body)
    }

    /// The answer of the player API, or else the data embedded in the page.
    private func details(_ id: String, _ page: WatchPage) async throws(FetchError) -> VideoDetails {
        var failure: FetchError = .video(.unexpected)
        if let key = page.apiKey {
            do throws(FetchError) {
                return try await askPlayer(id, key)
            } catch {
                failure = error
            }
        }
        guard failure != .cancelled, let player = page.player else { throw failure }
        do throws(VideoError) {
            let details = try VideoDetails(player: player, id: id)
            // Captions that only YouTube's players get are no better than the first answer.
            if !details.openTracks.tracks.isEmpty { return details }
        } catch {
            if failure == .video(.unexpected) { failure = .video(error) }
        }
        throw failure == .video(.unexpected) ? .video(.protected) : failure
    }

    private func askPlayer(_ id: String, _ key: String) async throws(FetchError) -> VideoDetails {
        let body: JSON = ["context": ["client": Self.player], "videoId": JSON(id)]
        var request = request(
            .post, URLPath.join(base, "youtubei/v1/player", query: [("key", key)]),
            headers: [("Content-Type", "application/json")])
        request.body = body.utf8
        let response = try await send(request)
        if let error = Self.failure(response) { throw error }
        guard let json = try? JSON(parsing: response.body).mapStrings(\.sanitized) else { throw .video(.unexpected) }
        return try Self.reading { () throws(VideoError) in try VideoDetails(player: json, id: id) }
    }

    /// Captions are fetched from YouTube itself, even if an answer has addresses of other hosts.
    private func trackURL(_ text: String) throws(FetchError) -> String {
        var address = WebAddress(base).resolving(text)
        guard let host = address.host else { throw .video(.unexpected) }
        if host == WebAddress(base).host { return address.description }
        guard host == "youtube.com" || host.hasSuffix(".youtube.com") else { throw .video(.unexpected) }
        guard base != Self.defaultBase else {
            address.scheme = "https"
            return address.description
        }
        return URLPath.join(base, address.path) + (address.query.map { "?" + $0 } ?? "")
    }

    // MARK: - Exchanges

    private func request(
        _ method: HTTPMethod, _ url: String, headers: [(String, String)] = []
    ) -> HTTPRequest {
        HTTPRequest(
            method, url,
            headers: HTTPHeaders(
                [("Accept-Language", "en-US"), ("User-Agent", "Mozilla/5.0 (compatible; Dossier)")] + headers),
            limits: WebFetcher.limits)
    }

    private func send(_ request: HTTPRequest) async throws(FetchError) -> HTTPResponse {
        do {
            return try await transport.send(request)
        } catch {
            throw FetchError(error)
        }
    }

    private static func failure(_ response: HTTPResponse) -> FetchError? {
        switch response.status {
        case 429: .video(.blocked)
        case 404, 410: .video(.unavailable)
        default: FetchError(status: response.status)
        }
    }

    private static func reading<Value>(_ body: () throws(VideoError) -> Value) throws(FetchError) -> Value {
        do throws(VideoError) {
            return try body()
        } catch {
            throw .video(error)
        }
    }
}
