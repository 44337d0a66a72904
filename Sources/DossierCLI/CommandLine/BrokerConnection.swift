import Broker
import BrokerClient
import HTTP

/// A connection of a client command to a broker.
struct BrokerConnection: Sendable {
    let client: BrokerClient
    private let transport: HTTPClient

    /// Connects as a user, with a token of its own where the broker requires one.
    init(url: String, user: String?, authentication: Authentication = .development) throws {
        transport = HTTPClient()
        // The token is made for this command alone, so that no sign-out of the user concerns it.
        let token = try authentication.tokens?.issue(to: user ?? "1", generation: .max).accessToken
        client = BrokerClient(baseURL: url, user: user, accessToken: token, transport: transport)
    }

    /// Calls the body with a client of the broker that the flags and variables name, then closes the connection.
    static func with<Result: Sendable>(
        _ invocation: Invocation, _ body: (BrokerClient) async throws -> Result
    ) async throws -> Result {
        let settings = try Settings(environment: invocation.environment)
        let url: String
        do {
            url = try invocation.options["--server"].map(BaseURL.checked) ?? "http://\(settings.listen)"
        } catch {
            throw CommandFailure.usage("--server \(error.message)")
        }
        let connection = try BrokerConnection(
            url: url, user: invocation.options["--user"], authentication: settings.authentication)
        do {
            let result = try await body(connection.client)
            await connection.close()
            return result
        } catch {
            await connection.close()
            if let error = error as? ClientError {
                if case .noAnswer = error {
                    throw CommandFailure.failed("\(error); is the broker running? ('dossier serve')")
                }
                throw CommandFailure.failed(error.description)
            }
            throw error
        }
    }

    func close() async { await transport.shutdown() }
}
