import JobQueue
import LanguageModels

/// What the calls of models show: budgets, clocks, batches and caches.
extension Doctor {
    /// The batches that are looked at.
    private static let batches = 200
    /// The share of a prompt from which on its marks are worth their price.
    private static let cacheShare = 50

    static func findings(of catalogue: ModelCatalogue, in store: any Store) async throws -> [Finding] {
        let status = try await FleetStatus(of: catalogue, in: store)
        let now = try await store.now()
        var findings = status.budgets.map { finding(of: $0) } + status.models.map { finding(of: $0) }
        findings += Self.findings(of: try await store.batches(limit: batches), at: now)
        let prompts = try await store.modelCosts(by: .prompt, since: now - .seconds(86_400))
        return findings + prompts.compactMap { cacheFinding(of: $0) }
    }

    private static func finding(of budget: FleetStatus.Budget) -> Finding {
        let limits = budget.limits.map { bucket in
            let source = bucket.source == .told ? "by the provider" : "by models.yaml"
            return "\(bucket.limit) \(bucket.kind.words) a minute \(source), \(percent(bucket.fill)) full"
        }
        let blocked = budget.blockedFor.map { ["stopped by the provider for \(seconds($0))"] } ?? []
        let refusals = ["\(budget.refusalsHour) calls of the last hour refused"]
        return Finding(
            subject: "budget \(budget.name)", isGood: true,
            detail: ((limits.isEmpty ? ["no limits are known"] : limits) + blocked + refusals).joined(separator: "; "),
            value: budget.refusalsHour)
    }

    private static func finding(of model: FleetStatus.Model) -> Finding {
        let state =
            switch model.state {
            case .closed: "answers"
            case .open: "stopped after stalls or failures for \(seconds(model.opensAgainIn ?? .zero))"
            case .probing: "stopped; a call finds out whether it is back"
            }
        let clocks = model.clocks.filter { $0.clock != .gap }.map { reading in
            let measured = zip([reading.median, reading.p95], ["median", "0.95 quantile"]).compactMap { time, name in
                time.map { "\(seconds($0)) \(name), " }
            }
            return "\(reading.clock.phrase): \(measured.joined())limit \(seconds(reading.limit)), "
                + "\(seconds(reading.interactiveLimit)) interactive"
        }
        return Finding(
            subject: "model \(model.id)", isGood: model.state == .closed,
            detail: ([state] + clocks + ["\(model.stallsHour) stalls in the last hour"]).joined(separator: "; "),
            value: model.stallsHour)
    }

    /// One finding for what is out, and one for each batch that a provider may have and that nobody finds.
    static func findings(of batches: [BatchSummary], at now: Timestamp) -> [Finding] {
        let out = batches.filter { $0.batch.state == .out }
        let ages = out.compactMap { $0.batch.outAt.map { now - $0 } }
        let eldest = ages.max().map { ", the eldest for \($0.components.seconds / 60) min" } ?? ""
        let unclear = batches.filter { $0.batch.state == .unclear }
        return [
            Finding(
                subject: "batches", isGood: true, detail: "\(out.count) are at a provider\(eldest)",
                value: Int64(out.count))
        ]
            + unclear.map { summary in
                let age = summary.batch.unclearAt.map { (now - $0).components.seconds / 60 } ?? 0
                return Finding(
                    subject: "batch \(summary.batch.id)", isGood: false,
                    detail: "unclear for \(age) min: \(summary.batch.provider) may have its \(summary.batch.lines) "
                        + "calls; its list of batches is read until one fits, and for 15 min at least",
                    value: age)
            }
    }

    /// The part of a prompt that was read from a cache; `nil` for calls without a prompt.
    static func cacheFinding(of line: CostLine) -> Finding? {
        guard !line.group.isEmpty, line.inputTokens > 0 else { return nil }
        let share = Int(line.cacheReadTokens * 100 / line.inputTokens)
        let isLow = share < cacheShare && line.markedCalls > 0
        return Finding(
            subject: "cache of \(line.group)", isGood: true,
            detail: "\(share) % of \(line.inputTokens) prompt tokens of the last day were read"
                + (isLow ? "; that is little for a prompt with marks (see `dossier costs --saved --by prompt`)" : ""),
            value: Int64(share))
    }

    private static func percent(_ fill: Double) -> String { "\(Int(fill * 100)) %" }

    private static func seconds(_ duration: Duration) -> String {
        "\(Double(duration.wholeMilliseconds / 100) / 10) s"
    }
}

extension LimitKind {
    fileprivate var words: String {
        switch self {
        case .requests: "requests"
        case .input: "input tokens"
        case .output: "output tokens"
        case .tokens: "tokens"
        }
    }
}
