import Foundation

extension Fleet {
    /// What a statement answers, read straight from the database.
    func query(_ sql: String) async throws -> [String] { try await database.query(sql) }

    /// Changes the data behind the product's back.
    func change(_ sql: String) async throws { try await database.change(sql) }

    /// The paths of all files in the fleet's folder.
    func files() throws -> [String] { try FileManager.default.subpathsOfDirectory(atPath: folder) }
}
