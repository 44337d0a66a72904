import JobQueue
import SQLSupport

/// A setting of the server on which the promises of the store rest.
struct ServerSetting: Sendable {
    var name: String
    var value: String

    var reading: HealthReading {
        switch (name, value) {
        case ("fsync", "off"), ("full_page_writes", "off"):
            reading(isGood: false, "\(name) is off: a crash of the server's machine may destroy the database")
        case ("synchronous_commit", "off"):
            reading(isGood: false, "synchronous_commit is off: a crash of the server may lose accepted jobs")
        case ("synchronous_standby_names", ""):
            reading(isGood: true, "commits wait for no standby server; one that takes over may lack accepted jobs")
        case ("default_transaction_isolation", let level) where level != "read committed":
            reading(
                isGood: false,
                "default_transaction_isolation is '\(level)'; Dossier needs 'read committed', and cannot set it through "
                    + "a pooler in transaction mode")
        default: reading(isGood: true, "\(name) is '\(value)'")
        }
    }

    private func reading(isGood: Bool, _ text: String) -> HealthReading {
        HealthReading(name: name, value: nil, text: text, isGood: isGood)
    }
}

extension BatchOperation where Input == Void, Output == [ServerSetting] {
    static let settings = BatchOperation(
        statements: { _, _ in [Statement(.durabilitySettings)] },
        read: { answer, inputs in
            let settings = answer.rows.first?.map { ServerSetting(name: $0.text(), value: $0.text()) } ?? []
            return inputs.map { _ in .done(settings) }
        })
}
