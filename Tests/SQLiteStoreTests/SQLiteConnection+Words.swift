@testable import SQLiteStore

extension SQLiteConnection {
    /// Runs a one-off statement that answers with one word.
    func word(_ sql: String) throws -> String { try words(sql).first ?? "" }

    /// Runs a one-off statement that answers with a word in each row.
    func words(_ sql: String) throws -> [String] {
        var words: [String] = []
        try oneOff(sql) { row in words.append(row.text()) }
        return words
    }
}
