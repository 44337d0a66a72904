import Broker

/// What a person who started the service at a terminal can open and try next.
struct ServeHint {
    let url: String
    let settings: Settings

    var text: String {
        var rows: [(String, String)] = []
        if settings.hasConsole { rows.append(("Console", "\(url)/console/")) }
        rows.append(("API", "\(url)/docs"))
        if case .development = settings.authentication {
            let server = url == "http://127.0.0.1:5001" ? "" : " --server \(url)"
            rows.append(("Try", "dossier research AAPL --persona buffett\(server)"))
        }
        if !hasModel {
            rows.append(("Models", "none is set up: start again with a key, or with what 'dossier simulate' prints"))
        }
        let width = rows.map(\.0.count).max() ?? 0
        let lines = rows.map { "  \($0.0)\(String(repeating: " ", count: width - $0.0.count))  \($0.1)" }
        return "\nDossier \(BuildInfo.version) listens on \(url); Ctrl-C drains and stops it.\n\n"
            + lines.joined(separator: "\n") + "\n"
    }

    /// Whether a worker of this process could ask a model.
    private var hasModel: Bool {
        settings.anthropic.key != nil || settings.gemini.key != nil || settings.openAI.baseURL != nil
    }
}
