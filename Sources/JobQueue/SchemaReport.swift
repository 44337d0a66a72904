/// The tables of a database beside those that a program knows.
package struct SchemaReport: Sendable, Hashable {
    /// The newest migration of the database.
    package var applied: Int64
    /// The newest migrations of the databases that the program serves.
    package var served: ClosedRange<Int64>
    /// The functions of the database whose text is not the program's, though their parameters are.
    package var otherFunctions: Int

    package init(applied: Int64, served: ClosedRange<Int64>, otherFunctions: Int = 0) {
        self.applied = applied
        self.served = served
        self.otherFunctions = otherFunctions
    }

    /// Whether the program itself would have made the database like this.
    package var isCurrent: Bool { applied == served.upperBound && otherFunctions == 0 }

    /// The report for operators. A database of another version that is served is no fault: an upgrade has begun.
    package var reading: HealthReading {
        let range = "this program serves databases from \(served.lowerBound) on and knows \(served.upperBound)"
        let state =
            if applied < served.upperBound {
                "the newest migration is \(applied), and newer ones wait for 'dossier migrate'"
            } else if applied > served.upperBound {
                "the newest migration is \(applied), of a newer version that this program can work beside"
            } else if otherFunctions > 0 {
                "the newest migration is \(applied), and \(otherFunctions) functions are those of another version"
            } else {
                "the newest migration is \(applied)"
            }
        return HealthReading(name: "schema", value: applied, text: "\(state); \(range)", isGood: true)
    }
}
