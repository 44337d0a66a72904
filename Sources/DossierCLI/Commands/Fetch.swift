import Articles
import DataSources
import HTTP
import JSON

extension Command {
    static let fetch = Command(
        path: ["fetch"], summary: "Print what the article and video fetcher reads at an address, as JSON",
        arguments: [Argument(name: "URL", help: "A web article, or a video on YouTube")],
        options: [
            Option("--language", "CODES", "Of a video's captions, preferred ones first, as in de,en (default en)"),
            .json,
        ],
        notes: """
            Prints title, byline, site, language, published_at and text; what the page does not say is null. Only addresses
            of the public web are fetched, except those that DOSSIER_FETCH_ALLOW names.
            """
    ) { invocation in
        let settings = try Settings(environment: invocation.environment)
        let url = try invocation.argument("URL")
        guard WebAddress(url).scheme != nil else {
            throw CommandFailure.usage("URL must begin with http:// or https://, not '\(url)'")
        }
        let languages = (invocation.options["--language"] ?? "en").split(separator: ",").map { String($0) }
        guard !languages.isEmpty, languages.allSatisfy({ $0.allSatisfy { $0.isLetter || $0 == "-" || $0.isNumber } })
        else { throw CommandFailure.usage("--language must be language codes, apart by commas, as in de,en") }
        let transport = HTTPClient()
        let fetcher = ContentFetcher(
            web: WebFetcher(transport: transport, allowing: settings.fetchAllow),
            videos: YouTubeClient(base: settings.youTubeBaseURL, transport: transport))
        let outcome: Result<Reading, FetchError>
        do throws(FetchError) {
            outcome = .success(try await fetcher.read(url, languages: languages))
        } catch {
            outcome = .failure(error)
        }
        await transport.shutdown()
        switch outcome {
        case .success(let reading): Terminal.print(reading.json.pretty)
        case .failure(let error): throw CommandFailure.failed("\(error)")
        }
    }
}
