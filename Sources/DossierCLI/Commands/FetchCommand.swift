import Articles
import DataSources
import HTTP
import JSON

extension Command {
    static let fetch = Command(
        path: ["fetch"], summary: "Fetch an article or a video's captions and print the text as JSON",
        arguments: [Argument(name: "URL", help: "A web article, or a video on YouTube")],
        options: [
            Option(
                "--language", "CODES",
                "Languages of a video's captions in order of preference, as in de,en (default en)"),
            .json,
        ],
        notes: """
            Prints title, byline, site, language, published_at and text; a value that the page does not give is null.
            Only addresses of the public web are fetched, and those that DOSSIER_FETCH_ALLOW names.
            """
    ) { invocation in
        let settings = try Settings(environment: invocation.environment)
        let url = try invocation.argument("URL")
        guard WebAddress(url).scheme != nil else {
            throw CommandFailure.usage("URL must begin with http:// or https://, not '\(url)'")
        }
        let languages = (invocation.options["--language"] ?? "en").split(separator: ",").map { String($0) }
        guard !languages.isEmpty, languages.allSatisfy({ $0.allSatisfy { $0.isLetter || $0 == "-" || $0.isNumber } })
        else { throw CommandFailure.usage("--language must be language codes separated by commas, as in de,en") }
        let transport = HTTPClient()
        let fetcher = ContentFetcher(
            web: WebFetcher(transport: transport, allowing: settings.fetchAllow),
            videos: YouTubeClient(base: settings.youTubeBaseURL, transport: transport))
        let outcome: Result<FetchedContent, FetchError>
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
