import Basics
import Broker
import JobQueue
import JSON

extension Command {
    private static let endpoint = Option("--endpoint", "ID", "Only this endpoint")

    static let webhooks: [Command] = [
        Command(
            path: ["webhooks", "list"], summary: "List the endpoints of webhooks, or the deliveries to them",
            options: [
                Option("--deliveries", nil, "List deliveries, newest first"), endpoint,
                Option(
                    "--status", "STATUS", "Only deliveries that are pending, delivered, failed or held",
                    choices: ["pending", "delivered", "failed", "held"]),
                Option("--limit", "N", "The number of lines, up to 1000 (default 50)"), .database, .json,
            ]
        ) { invocation in
            let limit = try invocation.integer("--limit", in: 1...1000, default: 50)
            let status = try invocation.options["--status"].map(deliveryStatus)
            try await withStore(invocation) { store, _ in
                if invocation.has("--deliveries") {
                    let filter = WebhookDeliveryFilter(endpoint: invocation.options["--endpoint"], status: status)
                    let found = try await store.webhookDeliveries(of: nil, filter, below: .max, limit: limit)
                    for delivery in found {
                        Terminal.print(invocation.has("--json") ? delivery.json.compact : delivery.line)
                    }
                } else {
                    var found = try await store.webhookEndpoints(of: nil, limit: limit)
                    if let id = invocation.options["--endpoint"] {
                        found = try await store.webhookEndpoint(id, of: nil).map { [$0] } ?? []
                    }
                    for endpoint in found {
                        Terminal.print(invocation.has("--json") ? endpoint.json.compact : endpoint.line)
                    }
                }
            }
        },
        Command(
            path: ["webhooks", "replay"], summary: "Deliver events again, by their ids or those of an endpoint",
            arguments: [
                Argument(name: "ID", help: "The ids of deliveries (webhook-id)", isRequired: false, isRepeated: true)
            ],
            options: [
                Option("--endpoint", "ID", "To this endpoint; without ids its held and failed deliveries"),
                Option("--from", "TIME", "Only events from this time on, such as 2026-11-22T14:00:00Z"),
                .database, .json,
            ]
        ) { invocation in
            let ids = invocation.words("ID")
            let endpoint = invocation.options["--endpoint"]
            var start = Timestamp(milliseconds: 0)
            if let text = invocation.options["--from"] {
                guard ids.isEmpty, let time = Timestamp(iso8601: text) else {
                    throw CommandFailure.usage("--from is a time such as 2026-11-22T14:00:00Z, and takes no ids")
                }
                start = time
            }
            guard !ids.isEmpty || endpoint != nil else { throw CommandFailure.usage("name ids, or an --endpoint") }
            try await withStore(invocation) { store, _ in
                let now = try await store.now()
                var queued = 0
                for id in ids {
                    guard try await store.hasWebhook(id, of: nil, to: endpoint) else {
                        throw CommandFailure.failed("there is no delivery \(id)")
                    }
                    queued += try await store.replayWebhook(
                        id, of: nil, to: endpoint, audit: .commandLine("webhooks.replay", at: now, target: id))
                }
                if ids.isEmpty, let endpoint {
                    guard try await store.webhookEndpoint(endpoint, of: nil) != nil else {
                        throw CommandFailure.failed("there is no endpoint \(endpoint)")
                    }
                    queued = try await store.replayWebhooks(
                        to: endpoint, of: nil, [.held, .failed], in: start..<Timestamp(milliseconds: .max),
                        audit: .commandLine("webhooks.replay", at: now, target: endpoint))
                }
                let answer: JSON = ["queued": JSON(queued)]
                Terminal.print(invocation.has("--json") ? answer.compact : "\(queued) deliveries queued")
            }
        },
        Command(
            path: ["webhooks", "test"], summary: "Send an event of type webhook.test to an endpoint",
            arguments: [Argument(name: "ENDPOINT", help: "The id of the endpoint")], options: [.database, .json]
        ) { invocation in
            let endpoint = try invocation.argument("ENDPOINT")
            try await withStore(invocation) { store, _ in
                let event = "msg_test_" + SHA256.hex(RandomBytes.make(16)).prefix(32)
                let audit = AuditEntry.commandLine("webhooks.test", at: try await store.now(), target: endpoint)
                guard try await store.addWebhookTest(event, to: endpoint, of: nil, audit: audit) != nil else {
                    throw CommandFailure.failed("there is no endpoint \(endpoint)")
                }
                let answer: JSON = ["delivery_id": JSON(event)]
                Terminal.print(invocation.has("--json") ? answer.compact : event)
            }
        },
    ]

    private static func deliveryStatus(_ text: String) throws(CommandFailure) -> WebhookDelivery.Status {
        guard let status = WebhookDelivery.Status(rawValue: text) else {
            throw .usage("--status must be pending, delivered, failed or held, not '\(text)'")
        }
        return status
    }
}

extension WebhookEndpoint {
    fileprivate var line: String {
        let state = disabledBecause.map { "disabled (\($0.rawValue))" } ?? (failingSince == nil ? "enabled" : "failing")
        let owner = owner == Self.operators ? "operators" : "user \(owner.rawValue)"
        return "\(id)  \(owner)  \(state)  \(events.names.joined(separator: " "))  \(url)"
    }
}

extension WebhookDelivery {
    fileprivate var line: String {
        let last = tries.last.map { "\($0.status.map(String.init) ?? $0.error ?? "")" } ?? "-"
        let job = job?.description ?? "-"
        return "\(event)  \(endpoint)  \(type)  \(job)  \(status.rawValue)  tries \(tries.count)  last \(last)"
    }
}
