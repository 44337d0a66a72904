package import JobQueue

extension JobLimit {
    /// - Throws: `overLimit` when the effects of one step or completion are too many or too large.
    package static func check(_ effects: [Effect]) throws(StoreError) {
        try JobLimit.effects.check(effects.count)
        var bytes = 0
        for case .record(let change) in effects {
            for field in change.record.texts { bytes += field.text?.utf8.count ?? 0 }
        }
        try JobLimit.effectTexts.check(bytes)
    }
}
