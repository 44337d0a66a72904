import Broker
import DossierClient
import Foundation
import HTTP

/// A connection of a client command to a broker.
struct BrokerConnection: Sendable {
    let client: Dossier
    private let transport: HTTPClient

    /// Connects as a user, with a token of its own where the broker requires one.
    init(url: String, user: String?, token: String? = nil) throws {
        guard let server = URL(string: url) else { throw CommandFailure.usage("'\(url)' is not an address") }
        transport = HTTPClient()
        var configuration = Dossier.Configuration(directory: nil)
        configuration.transport = CurlTransport(client: transport)
        // A person waits at a terminal and sees at once whether there is a broker.
        configuration.retryPolicy = RetryPolicy(
            maximumAttempts: 3, initialDelay: .milliseconds(100), maximumDelay: .seconds(1), multiplier: 2)
        client = Dossier(
            server: server, authentication: CommandAuthentication(user: user, token: token),
            configuration: configuration)
    }

    /// Calls the body with a client of the broker that the flags and variables name, then closes the connection.
    static func with<Result: Sendable>(
        _ invocation: Invocation, _ body: (Dossier) async throws -> Result
    ) async throws -> Result {
        let settings = try Settings(environment: invocation.environment)
        let url: String
        do {
            url = try invocation.options["--server"].map(BaseURL.checked) ?? "http://\(settings.listen)"
        } catch {
            throw CommandFailure.usage("--server \(error.message)")
        }
        let user = invocation.options["--user"]
        // The token is made for this command alone, so that no sign-out of the user concerns it.
        let token = try settings.authentication.tokens?.issue(to: user ?? "1", generation: .max).accessToken
        let connection = try BrokerConnection(url: url, user: user, token: token)
        do {
            let result = try await body(connection.client)
            await connection.close()
            return result
        } catch {
            await connection.close()
            throw (error as? DossierError).map(CommandFailure.init) ?? error
        }
    }

    func close() async { await transport.shutdown() }
}

extension CommandFailure {
    /// An error of the client library in one line.
    init(_ error: DossierError) {
        // The library's messages are sentences.
        let message = error.message.hasSuffix(".") ? String(error.message.dropLast()) : error.message
        self =
            switch error.code {
            case .foreignAnswer: .failed("\(message); does the address name a broker?")
            case _ where error.category == .network:
                .failed("no answer from the broker: \(message); is the broker running? ('dossier serve')")
            default: .failed("\(error.message) (\(error.code))")
            }
    }
}
