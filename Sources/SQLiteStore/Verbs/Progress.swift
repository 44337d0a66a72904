import SQLSupport
package import JobQueue

extension SQLiteStore {
    package func report(_ progress: [ProgressReport]) async throws(StoreError) {
        for report in progress { try Texts.rejectNUL([("current_step", report.currentStep)]) }
        try await writer.perform { transaction in
            for report in progress {
                try transaction.database.run(
                    .jobReport, .id(report.lease.job), .integer(report.lease.epoch),
                    .integer(min(max(report.progress, 0), 100)), .text(report.currentStep))
                if transaction.database.changes > 0 { transaction.noteVisible() }
            }
        }
    }
}
