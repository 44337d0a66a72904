/// Keeps the endpoints of users and operators, and the deliveries to them.
///
/// The end of a job stores its deliveries in its own transaction. Where an owner is optional, `nil` is any. Writes of
/// operators take an entry of the audit along.
package protocol WebhookRepository: Sendable {
    // MARK: Endpoints

    /// Stores an endpoint unless its owner has `limit` of them. The key makes one endpoint, however often it comes.
    func createWebhookEndpoint(
        _ endpoint: WebhookEndpoint, idempotency: Idempotency?, limit: Int, audit: AuditEntry?
    ) async throws(StoreError) -> WebhookEndpointCreation

    /// The endpoints of an owner, newest first.
    func webhookEndpoints(of owner: UserID?, limit: Int) async throws(StoreError) -> [WebhookEndpoint]

    func webhookEndpoint(_ id: String, of owner: UserID?) async throws(StoreError) -> WebhookEndpoint?

    /// Changes an endpoint. Open deliveries of one that is disabled are held; one that is enabled again sends nothing by
    /// itself.
    ///
    /// - Returns: The endpoint afterwards; `nil` when the owner has none with this id.
    func changeWebhookEndpoint(
        _ id: String, of owner: UserID, _ change: WebhookEndpointChange, audit: AuditEntry?
    ) async throws(StoreError) -> WebhookEndpoint?

    /// Replaces the secrets of an endpoint.
    ///
    /// - Returns: Whether they were `old` (or `new` already).
    func replaceWebhookSecrets(
        of id: String, of owner: UserID, _ old: [WebhookSecret], by new: [WebhookSecret],
        audit: AuditEntry?
    ) async throws(StoreError) -> Bool

    /// Deletes an endpoint with its deliveries.
    func deleteWebhookEndpoint(_ id: String, of owner: UserID, audit: AuditEntry?) async throws(StoreError) -> Bool

    // MARK: Deliveries

    /// Stores an event of type `webhook.test` for an endpoint.
    ///
    /// - Returns: Whether the event was there before; `nil` when the owner has no such endpoint.
    func addWebhookTest(
        _ event: String, to endpoint: String, of owner: UserID?, audit: AuditEntry?
    ) async throws(StoreError) -> Bool?

    /// The deliveries to endpoints of an owner below a number, newest first.
    func webhookDeliveries(
        of owner: UserID?, _ filter: WebhookDeliveryFilter, below number: Int64, limit: Int
    ) async throws(StoreError) -> [WebhookDelivery]

    /// Delivers an event again, to all enabled endpoints that it was for, or to one of them.
    ///
    /// - Returns: The number of deliveries. A try that is under way goes on and does not count.
    func replayWebhook(
        _ event: String, of owner: UserID?, to endpoint: String?, audit: AuditEntry?
    ) async throws(StoreError) -> Int

    /// Whether an event was for an endpoint of the owner, or for one of them.
    func hasWebhook(_ event: String, of owner: UserID?, to endpoint: String?) async throws(StoreError) -> Bool

    /// Delivers events of an endpoint again, those of the given statuses that happened in the range.
    func replayWebhooks(
        to endpoint: String, of owner: UserID?, _ statuses: [WebhookDelivery.Status], in range: Range<Timestamp>,
        audit: AuditEntry?
    ) async throws(StoreError) -> Int

    // MARK: Work

    /// Whether a delivery waits for a try, or the lease of a try has ended.
    func hasDueWebhooks(at now: Timestamp) async throws(StoreError) -> Bool

    /// Leases due deliveries for `time`: at most `each` at once for an endpoint, `limit` in all, from the endpoint after
    /// number `after` on, so that all endpoints have their turn.
    func claimWebhooks(
        as lease: String, for time: Duration, limit: Int, each: Int, after endpoint: Int64
    ) async throws(StoreError) -> [ClaimedWebhook]

    /// Records a try of a leased delivery; a lease that another claim or a replay has ended changes nothing.
    ///
    /// - Returns: The endpoint that this try disabled, and why.
    func finishWebhook(
        _ webhook: ClaimedWebhook, lease: String, _ outcome: WebhookOutcome, after attempt: WebhookTry,
        disablingAfter limit: Duration
    ) async throws(StoreError) -> (endpoint: String, reason: WebhookEndpoint.DisabledReason)?

    /// Hands a leased delivery back untried.
    func releaseWebhook(_ webhook: ClaimedWebhook, lease: String) async throws(StoreError)

    /// Deletes deliveries that were last tried or stored before a time and are not open.
    func deleteWebhookDeliveries(before timestamp: Timestamp, limit: Int) async throws(StoreError) -> Int
}

extension WebhookRepository {
    /// Writes of users, which are not audited.
    package func createWebhookEndpoint(
        _ endpoint: WebhookEndpoint, idempotency: Idempotency?, limit: Int
    ) async throws(StoreError) -> WebhookEndpointCreation {
        try await createWebhookEndpoint(endpoint, idempotency: idempotency, limit: limit, audit: nil)
    }

    package func changeWebhookEndpoint(
        _ id: String, of owner: UserID, _ change: WebhookEndpointChange
    ) async throws(StoreError) -> WebhookEndpoint? {
        try await changeWebhookEndpoint(id, of: owner, change, audit: nil)
    }

    package func replaceWebhookSecrets(
        of id: String, of owner: UserID, _ old: [WebhookSecret], by new: [WebhookSecret]
    ) async throws(StoreError) -> Bool {
        try await replaceWebhookSecrets(of: id, of: owner, old, by: new, audit: nil)
    }

    package func deleteWebhookEndpoint(_ id: String, of owner: UserID) async throws(StoreError) -> Bool {
        try await deleteWebhookEndpoint(id, of: owner, audit: nil)
    }

    package func addWebhookTest(
        _ event: String, to endpoint: String, of owner: UserID?
    ) async throws(StoreError) -> Bool? {
        try await addWebhookTest(event, to: endpoint, of: owner, audit: nil)
    }

    package func replayWebhook(
        _ event: String, of owner: UserID?, to endpoint: String?
    ) async throws(StoreError) -> Int {
        try await replayWebhook(event, of: owner, to: endpoint, audit: nil)
    }

    package func replayWebhooks(
        to endpoint: String, of owner: UserID?, _ statuses: [WebhookDelivery.Status], in range: Range<Timestamp>
    ) async throws(StoreError) -> Int {
        try await replayWebhooks(to: endpoint, of: owner, statuses, in: range, audit: nil)
    }
}
