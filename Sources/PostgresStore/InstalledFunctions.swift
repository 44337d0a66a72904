/// The functions of a database that a migrator has made, beside those of a program.
struct InstalledFunctions {
    private struct Function {
        var interface: String
        var digest: String
        /// The newest migration of the program that had no use for the function any more.
        var retiredBy: Int64?
    }

    private let functions: [String: Function]

    /// Reads a database of any version: the row as JSON has `retired_by` only where the column exists.
    static let query = """
        SELECT name, interface, digest, coalesce(to_jsonb(stored_function) ->> 'retired_by', '') FROM stored_function
        """

    init(_ rows: [[String]]) {
        functions = Dictionary(
            rows.map { ($0[0], Function(interface: $0[1], digest: $0[2], retiredBy: Int64($0[3]))) },
            uniquingKeysWith: { $1 })
    }

    /// The first function of a program that the database lacks, or has with other parameters or results.
    func firstWithoutInterface(among wanted: [StoredFunction]) -> String? {
        wanted.first { functions[$0.name]?.interface != $0.interface }?.name
    }

    /// The number of a program's functions that have another text in the database.
    func countOfOthers(than wanted: [StoredFunction]) -> Int {
        wanted.count { functions[$0.name]?.digest != $0.digest }
    }

    /// The statements that give a database the functions of a program.
    ///
    /// A function that the program has no use for stays until no program runs any more that may call it: such a program
    /// knows no migration after the one by which the function was retired.
    ///
    /// - Parameters:
    ///   - wanted: The functions of the program.
    ///   - newest: The newest migration of the program.
    ///   - oldestProgram: The newest migration that a program must know to use the database.
    /// - Returns: The statements, in their order.
    func changes(to wanted: [StoredFunction], by newest: Int64, oldestProgram: Int64) -> [String] {
        var statements: [String] = []
        for function in wanted {
            let found = functions[function.name]
            if let found, found.digest == function.digest, found.retiredBy == nil { continue }
            if let found, found.interface != function.interface {
                statements.append("DROP FUNCTION IF EXISTS \(function.name)")
            }
            statements.append(function.text)
            statements.append(
                """
                INSERT INTO stored_function (name, interface, digest)
                VALUES ('\(function.name)', '\(function.interface)', '\(function.digest)')
                ON CONFLICT (name) DO UPDATE
                SET interface = excluded.interface, digest = excluded.digest, retired_by = NULL
                """)
        }
        let names = Set(wanted.map(\.name))
        for (name, function) in functions.sorted(by: { $0.key < $1.key }) where !names.contains(name) {
            if function.retiredBy.map({ $0 < oldestProgram }) ?? false {
                statements.append("DROP FUNCTION IF EXISTS \(name)")
                statements.append("DELETE FROM stored_function WHERE name = '\(name)'")
            } else if function.retiredBy == nil {
                statements.append("UPDATE stored_function SET retired_by = \(newest) WHERE name = '\(name)'")
            }
        }
        return statements
    }
}
