public import Foundation

/// A session of a signed-in user: exchanges a token of Supabase, renews access tokens, keeps both safe.
///
/// - One renewal at a time: however many requests meet an expired token, the server sees one `POST /auth/refresh`, and
///   all of them are sent again with its tokens. A request that was rejected with an older token than the present one
///   is sent again without a renewal.
/// - Renews ahead of time when the access token ends within 60 s by its `exp`, and after `AUTH_1001`.
/// - A renewal that fails for want of an answer changes nothing: the error is thrown, the user stays signed in, and the
///   access token is used while it holds. Only a refusal (401) signs out.
/// - A renewal that returns after ``signOut()``, or after another process has stored newer tokens, stores nothing.
///
/// ```swift
/// let session = TokenSession(server: url, storage: FileTokenStorage(file: file))
/// try await session.signIn(supabaseToken: token)
/// let dossier = Dossier(server: url, authentication: session)
/// ```
public actor TokenSession: Authentication {
    /// Whether somebody is signed in.
    public enum State: Sendable, Hashable {
        /// Nobody.
        case signedOut
        /// The server refused to renew: ask the user to sign in again.
        case expired
        /// Somebody, known by the token's `sub`.
        case signedIn(account: String)
    }

    private static let renewsAhead: TimeInterval = 60

    private let sender: RequestSender
    private let storage: any TokenStorage
    private let now: @Sendable () -> Date
    private let renewals = RequestDeduplicator<String, TokenPair>()
    private let changes = Broadcast<State>()
    private var tokens: TokenPair?
    private var isLoaded = false
    private var isExpired = false

    /// Makes a session; the tokens are read when they are first needed.
    public init(
        server: URL, storage: any TokenStorage, transport: any Transport = URLSessionTransport(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.init(server: server, storage: storage, transport: transport, now: now, pacing: .standard)
    }

    package init(
        server: URL, storage: any TokenStorage, transport: any Transport, now: @escaping @Sendable () -> Date,
        pacing: Pacing
    ) {
        var configuration = Dossier.Configuration(directory: nil, now: now)
        configuration.transport = transport
        configuration.pacing = pacing
        configuration.connectivity = ConnectivityMonitor()
        sender = RequestSender(server: server, authentication: AnonymousAuthentication(), configuration: configuration)
        self.storage = storage
        self.now = now
    }

    /// Whether somebody is signed in.
    public var state: State {
        get async {
            try? await load()
            return present
        }
    }

    /// The present state, then each change.
    public nonisolated var states: Updates<State> {
        Updates { [self] in
            let changes = changes.listen()
            let shown = Locked<State?>(nil)
            return UpdatesSource(
                next: { [self] in
                    if shown.withLock({ $0 }) == nil {
                        let first = await state
                        shown.withLock { $0 = first }
                        return first
                    }
                    while let state = try await changes.next() {
                        let isNews = shown.withLock { shown in
                            defer { shown = state }
                            return shown != state
                        }
                        if isNews { return state }
                    }
                    return nil
                }, end: changes.end)
        }
    }

    /// Exchanges a token of Supabase for tokens of the server's, and stores them.
    public func signIn(supabaseToken: String) async throws {
        let new = try await exchange(
            "/api/v1/auth/token", ["supabase_token": supabaseToken], isRepeatable: true)
        try await stored {
            while true {
                let old = try await self.storage.load()
                if try await self.storage.replace(old, with: new) { return }
            }
        }
        hold(new)
    }

    /// Removes the tokens from storage.
    public func signOut() async throws {
        isExpired = false
        hold(nil)
        try await stored {
            while let old = try await self.storage.load() {
                if try await self.storage.replace(old, with: nil) { return }
            }
        }
    }

    // MARK: Authentication

    /// The `sub` of the token; nothing when nobody is signed in.
    public func account() async -> String {
        try? await load()
        return tokens.map { AccessToken($0.accessToken).subject } ?? ""
    }

    /// Signs a request, with a new token where the present one is about to end.
    public func authorize(_ request: inout TransportRequest) async throws {
        try await load()
        guard var tokens else { throw signedOut }
        if tokens.expiresAt.timeIntervalSince(now()) <= Self.renewsAhead {
            do {
                tokens = try await renewed(tokens)
            } catch let error as DossierError where error.isRetryable && tokens.expiresAt > now() {
                // It still holds; a later request tries again.
            }
        }
        request.headers["Authorization"] = "Bearer \(tokens.accessToken)"
    }

    /// Renews the tokens that a request was rejected with, unless that has been done.
    public func renew(after error: DossierError, rejected request: TransportRequest) async throws -> Bool {
        try await load()
        guard let tokens else { throw signedOut }
        if request.headers["Authorization"] != "Bearer \(tokens.accessToken)" { return true }
        guard error.code == .tokenExpired else { return false }
        _ = try await renewed(tokens)
        return true
    }

    // MARK: Renewal

    private func renewed(_ old: TokenPair) async throws -> TokenPair {
        try await renewals.value(for: old.refreshToken) { try await self.refresh(old) }
    }

    private func refresh(_ old: TokenPair) async throws -> TokenPair {
        // Another process may have been faster.
        if let other = try await stored({ try await self.storage.load() }), other != old {
            hold(other)
            return other
        }
        let new: TokenPair
        do {
            new = try await exchange(
                "/api/v1/auth/refresh", ["refresh_token": old.refreshToken], isRepeatable: true)
        } catch let error as DossierError where error.status == 401 && error.code != .foreignAnswer {
            return try await refused(old, error)
        }
        guard tokens == old else {
            guard let tokens else { throw signedOut }
            return tokens
        }
        guard try await stored({ try await self.storage.replace(old, with: new) }) else {
            guard let winner = try await stored({ try await self.storage.load() }) else {
                hold(nil)
                throw signedOut
            }
            hold(winner)
            return winner
        }
        guard tokens == old else {
            // Signed out while the tokens were being stored.
            _ = try await stored { try await self.storage.replace(new, with: nil) }
            throw signedOut
        }
        hold(new)
        return new
    }

    private func refused(_ old: TokenPair, _ error: DossierError) async throws -> TokenPair {
        if let other = try await stored({ try await self.storage.load() }), other != old {
            hold(other)
            return other
        }
        _ = try await stored { try await self.storage.replace(old, with: nil) }
        if tokens == old {
            isExpired = true
            hold(nil)
        }
        throw DossierError(
            .tokenInvalid, status: error.status, message: "The session could not be renewed.",
            userMessage: error.userMessage, requestID: error.requestID)
    }

    private func exchange(_ path: String, _ body: [String: String], isRepeatable: Bool) async throws -> TokenPair {
        struct Answer: Decodable, Sendable {
            let accessToken: String
            let refreshToken: String
            let expiresIn: Double
        }
        let answer: Answer = try await sender.value(
            Endpoint(
                method: .post, path: path, body: try JSONEncoder.dossier.encode(body), isRepeatable: isRepeatable))
        return TokenPair(
            accessToken: answer.accessToken, refreshToken: answer.refreshToken,
            expiresAt: AccessToken(answer.accessToken).expiresAt ?? now().addingTimeInterval(answer.expiresIn))
    }

    // MARK: Tokens

    private var signedOut: DossierError {
        isExpired
            ? DossierError(.tokenInvalid, message: "The session has ended.")
            : DossierError(.signedOut, message: "Nobody is signed in.")
    }

    private var present: State {
        if let tokens { return .signedIn(account: AccessToken(tokens.accessToken).subject) }
        return isExpired ? .expired : .signedOut
    }

    private func load() async throws {
        if isLoaded { return }
        let found = try await stored { try await self.storage.load() }
        // Somebody may have signed in meanwhile.
        if isLoaded { return }
        isLoaded = true
        tokens = found
    }

    private func hold(_ new: TokenPair?) {
        isLoaded = true
        tokens = new
        if new != nil { isExpired = false }
        changes.send(present)
    }

    private func stored<Value>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch {
            try Task.checkCancellation()
            throw DossierError(.storageFailed, message: "The tokens could not be read or stored.")
        }
    }
}

/// What an access token says of itself, unverified: the server alone decides.
struct AccessToken {
    private struct Claims: Decodable {
        let sub: String?
        let exp: Double?
    }

    let subject: String
    let expiresAt: Date?

    init(_ token: String) {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        var text = parts.count == 3 ? String(parts[1]) : ""
        text = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        while text.utf8.count % 4 != 0 { text += "=" }
        let claims = Data(base64Encoded: text).flatMap { try? JSONDecoder().decode(Claims.self, from: $0) }
        subject = claims?.sub ?? ""
        expiresAt = claims?.exp.map { Date(timeIntervalSince1970: $0) }
    }
}
