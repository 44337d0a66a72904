internal import DataSources
internal import DossierAPI
internal import JSON
internal import Observability

/// One part of what is shown of a stock, with how it was come by. `DossierAPI.StockPartResource` reads it.
struct StockPart: Sendable {
    /// Null when it could not be had.
    var json: JSON
    /// What the questions behind it gave, each with the source that was asked.
    private let outcomes: [(source: DataSource, outcome: StockReader.Outcome)]

    /// - Parameters:
    ///   - json: The part as it is shown; null when it is not there.
    ///   - outcomes: The questions behind it.
    init(_ json: JSON, _ outcomes: [(source: DataSource, outcome: StockReader.Outcome)]) {
        self.json = json
        self.outcomes = outcomes
    }

    private var values: [(source: DataSource, value: CachedValue)] {
        outcomes.compactMap { source, outcome in outcome.value.map { (source, $0) } }
    }

    /// Whether no source had to be asked for it.
    var isHit: Bool {
        outcomes.allSatisfy { _, outcome in
            switch outcome {
            case .found(let value): value.isHit
            case .notConfigured: true
            case .missing, .failed, .pending: false
            }
        }
    }

    var status: JSON {
        [
            "status": JSON(json.isNull ? absence : "ok"), "reason": JSON(reason), "code": JSON(code),
            "sources": JSON(values.map(\.source.rawValue)),
            "fetched_at": JSON(values.map(\.value.storedAt).min().map { ISO8601.text(milliseconds: $0) }),
            "is_stale": JSON(values.contains { $0.value.isStale }),
        ]
    }

    /// Why there is nothing, the hope first: what is under way, what may work later, what is not there.
    private var absence: String {
        var states: Set<String> = []
        for (_, outcome) in outcomes {
            switch outcome {
            case .pending: states.insert("pending")
            case .failed: states.insert("unavailable")
            case .found, .missing: states.insert("missing")
            case .notConfigured: states.insert("not_configured")
            }
        }
        return ["pending", "unavailable", "missing", "not_configured"].first { states.contains($0) } ?? "missing"
    }

    private var reason: String? {
        let reasons = outcomes.compactMap { source, outcome -> String? in
            switch outcome {
            case .found(let value): value.json.isNull ? "\(source.rawValue) has nothing of this." : nil
            case .missing(let error), .failed(let error): "\(error).".capitalizedFirst
            case .pending: "\(source.rawValue) has not answered yet."
            case .notConfigured(let reason): reason
            }
        }
        return reasons.isEmpty ? nil : reasons.joined(separator: " ")
    }

    private var code: String? {
        for case (_, .failed(let error)) in outcomes { return APIError(error).code.rawValue }
        return nil
    }
}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
