package import JobQueue

extension Gathering {
    /// Reads provider, model, lines, bytes, the times of the first and the last line, and the two flags.
    package init(_ row: inout some StoredRow) {
        self.init(
            provider: row.text(), model: row.text(), lines: row.int(), bytes: row.int(), firstAt: row.timestamp(),
            lastAt: row.timestamp(), isHurried: row.flag(), hasAlone: row.flag())
    }
}

extension BatchLine {
    /// Reads the columns in their order.
    package init(_ row: inout some StoredRow) {
        self.init(
            key: BatchLineKey(job: row.jobID(), step: row.text(), inputHash: row.text()), customID: row.text(),
            callID: row.text(), request: row.largeText(), addedAt: row.timestamp(), number: row.int(),
            isAlone: row.flag())
    }
}

extension ModelBatch {
    /// Reads id, provider, model and value.
    package init(_ row: inout some StoredRow) throws {
        let (id, provider, model) = (row.text(), row.text(), row.text())
        guard let batch = ModelBatch(id: id, provider: provider, model: model, encoded: row.text()) else {
            throw StoreError.unexpected(reason: "the batch \(id) cannot be read")
        }
        self = batch
    }
}

extension BatchSummary {
    /// Reads a batch, the lines with an outcome, and the cost.
    package init(_ row: inout some StoredRow) throws {
        self.init(batch: try ModelBatch(&row), done: row.int(), costMicroDollars: row.integer())
    }
}

extension Texts {
    package static func rejectNUL(in question: BatchQuestion) throws(StoreError) {
        try rejectNUL([
            ("step", question.key.step), ("provider", question.provider), ("model", question.model),
            ("request", question.request),
        ])
    }

    package static func rejectNUL(in outcomes: [BatchLineOutcome]) throws(StoreError) {
        for outcome in outcomes {
            if case .answered(let text, _) = outcome.kind { try rejectNUL([("answer", text)]) }
        }
    }
}
