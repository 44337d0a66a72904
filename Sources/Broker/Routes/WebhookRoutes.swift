internal import Basics
internal import DossierAPI
internal import HTTP
internal import HTTPServer
package import JobQueue
package import JSON

/// A request about endpoints: of a user about their own, or of an operator about those that hear of all users.
protocol WebhookContext: RequestReading {
    var owner: UserID { get }

    /// The entry about a write of an operator.
    func webhookAudit(_ verb: String, target: String, details: JSON) -> AuditEntry?
}

extension WebhookContext {
    func webhookAudit(_ verb: String, target: String) -> AuditEntry? {
        webhookAudit(verb, target: target, details: [:])
    }
}

extension RequestContext: WebhookContext {
    var owner: UserID { user }

    func webhookAudit(_ verb: String, target: String, details: JSON) -> AuditEntry? { nil }
}

extension AdminContext: WebhookContext {
    var owner: UserID { WebhookEndpoint.operators }

    func webhookAudit(_ verb: String, target: String, details: JSON) -> AuditEntry? {
        audit("webhooks.\(verb)", target: target, details: details)
    }
}

/// `/api/v1/webhooks`, and the same for operators below `/api/v1/admin`.
struct WebhookRoutes: Sendable {
    /// The endpoints of operators.
    static let mostOfOperators = 50
    /// The endpoints of a user whose plan sets no limit.
    private static let mostOfUser = 1000
    private static let longestURL = 2048
    private static let longestDescription = 200
    private static let longestExpiry: Int64 = 604_800
    private static let secretBytes = 32

    let store: any WebhookRepository
    let plans: CurrentPlans
    /// Hosts and blocks that endpoints may have although they are private.
    let allowing: [String]
    let now: @Sendable () -> Timestamp

    // MARK: Endpoints

    func create(_ context: some WebhookContext) async throws(APIError) -> APIResponse {
        let (sent, body) = try context.request.jsonBodies()
        try body.allowOnly(["url", "events", "description"])
        let fields = try Fields(sent, allowing: allowing)
        guard let url = fields.url else { throw .invalid("url", "is missing") }
        let isForOperators = context.owner == WebhookEndpoint.operators
        let limit = isForOperators ? Self.mostOfOperators : plans.plan(of: context.owner).webhookEndpoints
        let endpoint = WebhookEndpoint(
            id: Self.makeID("ep"), owner: context.owner, url: url, events: fields.events ?? .all,
            description: fields.description.flatMap { $0.isEmpty ? nil : $0 }, secrets: [makeSecret()],
            createdAt: now())
        let idempotency = try context.idempotency(body)
        let audit = context.webhookAudit("create", target: endpoint.id, details: ["url": JSON(url)])
        let creation = try await stored { [store] () async throws(StoreError) in
            try await store.createWebhookEndpoint(
                endpoint, idempotency: idempotency, limit: min(limit ?? Self.mostOfUser, Self.mostOfUser),
                audit: audit)
        }
        switch creation {
        case .created(let endpoint): return APIResponse(Self.created(endpoint), status: 201)
        case .existing(let endpoint):
            return APIResponse(Self.created(endpoint), status: 201, headers: [("Idempotent-Replayed", "true")])
        case .conflict: throw .conflict("key_reused")
        case .full: throw .tooManyEndpoints(limit: limit ?? Self.mostOfUser)
        }
    }

    func list(_ context: some WebhookContext) async throws(APIError) -> APIResponse {
        let owner = context.owner
        let all = try await stored { [store] () async throws(StoreError) in
            try await store.webhookEndpoints(of: owner, limit: Self.mostOfUser)
        }
        let size = try context.queryInteger("per_page", in: 1...200, default: 50)
        var rest = all[...]
        if let cursor = context.query("cursor") {
            guard let place = all.firstIndex(where: { $0.id == cursor }) else {
                throw .notFound("The endpoint that the cursor names")
            }
            rest = all[(place + 1)...]
        }
        let page = rest.prefix(size)
        return APIResponse(
            .array(page.map(\.json)),
            pagination: Cursor.pagination(size: size, next: rest.count > size ? page.last?.id : nil))
    }

    func one(_ context: some WebhookContext) async throws(APIError) -> APIResponse {
        APIResponse(try await endpoint(context).json)
    }

    func change(_ context: some WebhookContext) async throws(APIError) -> APIResponse {
        let (sent, body) = try context.request.jsonBodies()
        try body.allowOnly(["url", "events", "description", "enabled"])
        let fields = try Fields(sent, allowing: allowing)
        let change = WebhookEndpointChange(
            url: fields.url, events: fields.events, description: fields.description, isEnabled: fields.isEnabled)
        let (id, owner) = (try id(context), context.owner)
        let audit = context.webhookAudit("change", target: id, details: body.value ?? [:])
        let changed = try await stored { [store] () async throws(StoreError) in
            try await store.changeWebhookEndpoint(id, of: owner, change, audit: audit)
        }
        guard let changed else { throw .noEndpoint }
        return APIResponse(changed.json)
    }

    func delete(_ context: some WebhookContext) async throws(APIError) -> APIResponse {
        let (id, owner) = (try id(context), context.owner)
        let audit = context.webhookAudit("delete", target: id)
        let isDeleted = try await stored { [store] () async throws(StoreError) in
            try await store.deleteWebhookEndpoint(id, of: owner, audit: audit)
        }
        guard isDeleted else { throw .noEndpoint }
        return APIResponse(["deleted": true])
    }

    /// `POST …/{id}/rotate`: the old secret signs beside the new one for a while.
    func rotate(_ context: some WebhookContext) async throws(APIError) -> APIResponse {
        let body = try optionalBody(context, ["previous_expires_in"])
        var seconds: Int64 = 86_400
        do throws(JSONFieldError) {
            if let field = body["previous_expires_in"].optional {
                seconds = try field.integer()
                guard (0...Self.longestExpiry).contains(seconds) else {
                    throw field.failure("must be from 0 to \(Self.longestExpiry)")
                }
            }
        } catch {
            throw .invalid(error)
        }
        let owner = context.owner
        while true {
            let endpoint = try await endpoint(context)
            let now = now()
            let secret = makeSecret()
            var previous = endpoint.secrets.filter { $0.expiresAt.map { $0 > now } ?? true }
            for index in previous.indices {
                previous[index].expiresAt = min(
                    previous[index].expiresAt ?? Timestamp(milliseconds: .max), now + .seconds(seconds))
            }
            let secrets =
                [secret]
                + previous.filter { $0.expiresAt.map { $0 > now } ?? true }
                .prefix(WebhookEndpoint.mostSecrets - 1)
            let audit = context.webhookAudit("rotate", target: endpoint.id)
            let isReplaced = try await stored { [store] () async throws(StoreError) in
                try await store.replaceWebhookSecrets(
                    of: endpoint.id, of: owner, endpoint.secrets, by: secrets, audit: audit)
            }
            // Another rotation may have come between.
            if isReplaced { return APIResponse(["secret": JSON(secret.shown)]) }
        }
    }

    /// `POST …/{id}/test`
    func test(_ context: some WebhookContext) async throws(APIError) -> APIResponse {
        let (id, owner) = (try id(context), context.owner)
        _ = try optionalBody(context, [])
        var event = Self.makeID("msg_test")
        if let key = try context.idempotency(JSONField([:])) {
            event = "msg_test_" + SHA256.hex("\(id)\n\(key.key)").prefix(32)
        }
        let audit = context.webhookAudit("test", target: id)
        let isKnown = try await stored { [store, event] () async throws(StoreError) in
            try await store.addWebhookTest(event, to: id, of: owner, audit: audit)
        }
        guard let isKnown else { throw .noEndpoint }
        return APIResponse(
            ["delivery_id": JSON(event)], status: 202, headers: isKnown ? [("Idempotent-Replayed", "true")] : [])
    }

    // MARK: Shared

    /// An endpoint's id from the path; a malformed one is not found.
    func id(_ context: some WebhookContext) throws(APIError) -> String {
        guard let id = context.request.parameters["id"], id.utf8.count <= 100, id.utf8.allSatisfy({ $0 > 0x20 }) else {
            throw .noEndpoint
        }
        return id
    }

    /// The body; an empty object where there is none.
    func optionalBody(_ context: some WebhookContext, _ names: [String]) throws(APIError) -> JSONField {
        let body = context.request.body.isEmpty ? JSONField([:]) : try context.body()
        try body.allowOnly(names)
        return body
    }

    func endpoint(_ context: some WebhookContext) async throws(APIError) -> WebhookEndpoint {
        let (id, owner) = (try id(context), context.owner)
        let endpoint = try await stored { [store] () async throws(StoreError) in
            try await store.webhookEndpoint(id, of: owner)
        }
        guard let endpoint else { throw .noEndpoint }
        return endpoint
    }

    func stored<Value>(_ body: () async throws(StoreError) -> Value) async throws(APIError) -> Value {
        do {
            return try await body()
        } catch {
            throw APIError(error)
        }
    }

    private func makeSecret() -> WebhookSecret {
        WebhookSecret(base64: Base64.encode(RandomBytes.make(Self.secretBytes)), createdAt: now())
    }

    private static func makeID(_ prefix: String) -> String {
        let digits = RandomBytes.make(16).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }
        return prefix + "_" + digits.joined()
    }

    private static func created(_ endpoint: WebhookEndpoint) -> JSON {
        var json = endpoint.json
        // The first secret, also when it was replaced since and the request comes again.
        json["secret"] = JSON(endpoint.secrets.last?.shown ?? "")
        return json
    }
}

extension WebhookRoutes {
    /// The members of a body, as it was sent, that describe an endpoint.
    fileprivate struct Fields {
        var url: String?
        var events: WebhookEvents?
        /// Empty for none.
        var description: String?
        var isEnabled: Bool?

        init(_ body: JSONField, allowing: [String]) throws(APIError) {
            do throws(JSONFieldError) {
                if body["url"].value != nil { url = try Self.url(body["url"], allowing) }
                if let field = body["events"].optional { events = try Self.events(field) }
                if let field = body["description"].optional {
                    let text = try field.string()
                    guard text.unicodeScalars.count <= WebhookRoutes.longestDescription else {
                        throw field.failure("must have at most \(WebhookRoutes.longestDescription) characters")
                    }
                    description = text.sanitized
                } else if body["description"].value != nil {
                    description = ""
                }
                if let field = body["enabled"].optional { isEnabled = try field.bool() }
            } catch {
                throw .invalid(error)
            }
        }

        private static func url(_ field: JSONField, _ allowing: [String]) throws(JSONFieldError) -> String {
            let text = try field.string()
            guard text.utf8.count <= WebhookRoutes.longestURL else {
                throw field.failure("must have at most \(WebhookRoutes.longestURL) bytes")
            }
            do throws(EndpointURL.Problem) {
                return try EndpointURL.check(text, allowing: allowing)
            } catch {
                switch error {
                case .invalid: throw field.failure("must be an absolute https URL")
                case .hasUser: throw field.failure("must not contain a user name or a password")
                case .insecure: throw field.failure("must begin with https://")
                case .notPublic: throw field.failure("must be an address of the public internet")
                }
            }
        }

        private static func events(_ field: JSONField) throws(JSONFieldError) -> WebhookEvents {
            var events: WebhookEvents = []
            for element in try field.array() {
                let name = try element.string()
                guard let known = WebhookEvents.names.first(where: { $0.name.hasSameBytes(as: name) }) else {
                    let names = WebhookEvents.names.map(\.name).joined(separator: ", ")
                    throw element.failure("must be one of \(names)")
                }
                events.insert(known.events)
            }
            guard !events.isEmpty else { throw field.failure("must name one type at least") }
            return events
        }
    }
}

extension WebhookSecret {
    /// The form in which receivers keep it.
    fileprivate var shown: String { "whsec_" + base64 }
}

extension WebhookEndpoint {
    /// The endpoint as answers and commands show it, without its secrets.
    package var json: JSON {
        let failure: JSON =
            lastFailure.map { failure in
                [
                    "at": JSON(failure.at.iso8601), "status": failure.status.map { JSON($0) } ?? .null,
                    "error": failure.error.map { JSON($0) } ?? .null,
                ]
            } ?? .null
        let secrets: [JSON] = secrets.map { secret in
            [
                "created_at": JSON(secret.createdAt.iso8601),
                "expires_at": secret.expiresAt.map { JSON($0.iso8601) } ?? .null,
            ]
        }
        return [
            "id": JSON(id), "url": JSON(url), "events": JSON(events.names),
            "description": description.map { JSON($0) } ?? .null, "enabled": JSON(disabledBecause == nil),
            "disabled_because": disabledBecause.map { JSON($0.rawValue) } ?? .null,
            "created_at": JSON(createdAt.iso8601), "failing_since": failingSince.map { JSON($0.iso8601) } ?? .null,
            "last_success_at": lastSuccessAt.map { JSON($0.iso8601) } ?? .null, "last_failure": failure,
            "secrets": .array(secrets),
        ]
    }
}

extension APIError {
    static var noEndpoint: APIError { .notFound("The endpoint") }

    static func tooManyEndpoints(limit: Int) -> APIError {
        var error = APIError(
            429, .limitReached, "There are \(limit) endpoints, which is the limit.",
            user: "You have as many endpoints as your plan allows.",
            details: ["what": "webhook_endpoints", "limit": JSON(limit)])
        error.setting = "plans.yaml: webhook_endpoints"
        return error
    }
}
