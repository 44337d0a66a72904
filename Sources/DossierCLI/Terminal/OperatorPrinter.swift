import Foundation
import JSON

/// Prints what operators see, from the members that `--json` shows.
enum OperatorPrinter {
    static func line(_ job: JSON) -> String {
        let parts = [
            text(job["id"]), text(job["kind"]), text(job["user"]?["subject"]), text(job["status"]),
            text(job["created_at"]), dollars(job["cost_micro_dollars"]), text(job["why"]?["sentence"]),
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: "  ")
    }

    static func pause(_ pause: JSON) -> String {
        let target = pause["kind"]?.string.map { "kind \($0)" } ?? "lane \(text(pause["lane"]))"
        let end = pause["until"]?.string.map { "until \($0)" } ?? "until it is ended"
        return [
            text(pause["id"]), target, "by \(text(pause["by"]))", "since \(text(pause["since"]))", end,
            text(pause["note"]),
        ]
        .filter { !$0.isEmpty }.joined(separator: "  ")
    }

    static func job(_ job: JSON) -> String {
        var lines = [
            ("id", text(job["id"])), ("kind", text(job["kind"])), ("user", text(job["user"]?["subject"])),
            ("status", "\(text(job["status"])) (\(text(job["lane"])), attempt \(text(job["attempt"])))"),
            ("why", text(job["why"]?["sentence"])), ("created", text(job["created_at"])),
            ("started", text(job["started_at"])), ("ended", text(job["completed_at"])),
            ("deadline", text(job["deadline"])), ("worker", text(job["worker"])),
            ("error", text(job["error"]?["message"])), ("cost", dollars(job["cost_micro_dollars"])),
            ("bundle", text(job["bundle"])), ("request", text(job["request_id"])),
        ]
        for attempt in job["attempts"]?.array ?? [] {
            let code = text(attempt["error"]?["code"])
            lines.append(
                (
                    "attempt",
                    "\(text(attempt["number"])) on \(text(attempt["worker"])) from \(text(attempt["started_at"])) to "
                        + "\(attempt["ended_at"]?.string ?? "now"): \(text(attempt["outcome"]))"
                        + (code.isEmpty ? "" : " (\(code))")
                ))
        }
        for wait in job["waits"]?.array ?? [] {
            lines.append(("wait", "\(text(wait["from"])) \(text(wait["code"])): \(text(wait["sentence"]))"))
        }
        for step in job["steps"]?.array ?? [] {
            lines.append(("step", "\(text(step["sequence"])) \(text(step["name"])), \(text(step["bytes"])) bytes"))
        }
        for call in job["model_calls"]?.array ?? [] {
            let tokens = "\(text(call["input_tokens"])) in, \(text(call["output_tokens"])) out"
            lines.append(
                (
                    "call",
                    "\(text(call["step"])) \(text(call["provider"]))/\(text(call["model"])) \(text(call["state"])), "
                        + "\(tokens), \(dollars(call["cost_micro_dollars"]))"
                ))
        }
        for entry in job["ledger"]?.array ?? [] {
            lines.append(("ledger", "\(text(entry["at"])) \(text(entry["type"])) \(text(entry["amount"]))"))
        }
        for delivery in job["deliveries"]?.array ?? [] {
            lines.append(("webhook", "\(text(delivery["id"])) \(text(delivery["status"]))"))
        }
        for name in ["input", "result"] {
            if let value = job[name] { lines.append((name, value.compact)) }
        }
        return table(lines)
    }

    static func overview(_ overview: JSON) -> String {
        var lines: [(String, String)] = []
        for (name, queue) in overview["queues"]?.object ?? [:] {
            let counts = ["ready", "scheduled", "waiting", "blocked", "running"].map { "\(text(queue[$0])) \($0)" }
            lines.append((name, counts.joined(separator: ", ")))
        }
        let workers = overview["workers"]
        lines.append(
            (
                "workers",
                "\(text(workers?["alive"])) alive, \(text(workers?["draining"])) drained, "
                    + "\(text(workers?["busy"])) of \(text(workers?["places"])) places taken"
            ))
        for name in ["hour", "day"] {
            let ends = overview["ended"]?[name]
            let codes = (ends?["by_code"]?.object ?? [:]).map { "\($0.key) \(text($0.value))" }.joined(separator: ", ")
            lines.append(
                (
                    "last \(name)",
                    "\(text(ends?["completed"])) completed, \(text(ends?["failed"])) failed"
                        + (codes.isEmpty ? "" : " (\(codes))") + ", \(text(ends?["cancelled"])) cancelled"
                ))
        }
        let pickup = overview["pickup_ms"]
        if pickup?["p50"]?.integer != nil {
            lines.append(("pickup", "\(text(pickup?["p50"])) ms, \(text(pickup?["p99"])) ms at the 99th percentile"))
        }
        let cap = overview["spend"]?["cap_micro_dollars"]
        lines.append(
            (
                "spent today",
                dollars(overview["spend"]?["today_micro_dollars"]) + (cap?.integer == nil ? "" : " of \(dollars(cap))")
            ))
        lines.append(("held credits", text(overview["held_credits"])))
        for alert in overview["alerts"]?.array ?? [] { lines.append(("alert", text(alert["sentence"]))) }
        return table(lines)
    }

    static func provider(_ provider: JSON) -> String {
        let hour = provider["hour"]
        let state = text(provider["breaker"]?["state"])
        let isConfigured = provider["configured"] == true
        let parts = [
            text(provider["name"]), isConfigured ? "" : "no worker can reach it",
            state == "closed" ? "" : "breaker \(state) until \(text(provider["breaker"]?["until"]))",
            text(provider["blocked_until"]).isEmpty ? "" : "blocked until \(text(provider["blocked_until"]))",
            "\(text(provider["in_flight"])) calls run",
            text(provider["last_error"]?["code"]).isEmpty
                ? "" : "last error \(text(provider["last_error"]?["code"])) at \(text(provider["last_error"]?["at"]))",
            "last hour \(text(hour?["ok"])) ok, \(text(hour?["failed"])) failed",
            "today \(dollars(provider["today_micro_dollars"]))",
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: "  ")
    }

    static func audit(_ entry: JSON) -> String {
        let details = entry["details"]?.object?.isEmpty == false ? entry["details"]?.compact ?? "" : ""
        let parts = [
            text(entry["at"]), "\(text(entry["actor"]?["type"])) \(text(entry["actor"]?["name"]))",
            text(entry["action"]), text(entry["target"]), Terminal.sanitized(details),
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: "  ")
    }

    private static func table(_ lines: [(String, String)]) -> String {
        let shown = lines.filter { !$0.1.isEmpty }
        let width = shown.map(\.0.count).max() ?? 0
        return shown.map { $0.padding(toLength: width, withPad: " ", startingAt: 0) + "  " + $1 }
            .joined(separator: "\n")
    }

    private static func text(_ value: JSON?) -> String {
        guard let value, !value.isNull else { return "" }
        return Terminal.sanitized(value.string ?? value.compact)
    }

    private static func dollars(_ value: JSON?) -> String {
        guard let amount = value?.integer else { return "" }
        return "$" + String(format: "%.4f", Double(amount) / 1_000_000)
    }
}
