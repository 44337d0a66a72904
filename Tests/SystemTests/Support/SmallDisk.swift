import Foundation
import Glibc

/// A file system in memory of a few mebibytes, which can be filled to the last byte. Mounting it takes rights that not
/// every user has.
final class SmallDisk: Sendable {
    let path: String
    private let ballast: String

    /// `nil` where nothing may be mounted.
    init?(at path: String, mebibytes: Int) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(mebibytes)m") == 0 else { return nil }
        self.path = path
        ballast = path + "/ballast"
    }

    /// Whether this process may mount one.
    static let isAllowed: Bool = {
        let path = FileManager.default.temporaryDirectory.appending(path: "dossier-disk-\(UUID().uuidString)").path
        guard let disk = try? SmallDisk(at: path, mebibytes: 1) else { return false }
        disk.remove()
        return true
    }()

    /// Leaves no room for another byte.
    func fill() {
        let file = open(ballast, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        guard file >= 0 else { return }
        defer { close(file) }
        for size in [1 << 20, 1 << 12, 1] {
            let bytes = [UInt8](repeating: 0, count: size)
            while write(file, bytes, size) == size {}
        }
    }

    /// Makes room again.
    func free() { unlink(ballast) }

    func remove() {
        umount2(path, Int32(MNT_DETACH))
        rmdir(path)
    }
}

/// A file on a disk of its own that can be filled.
struct SQLiteOnSmallDisk: FleetDatabase {
    let disk: SmallDisk
    private let file: SQLiteFleetDatabase

    init?(in folder: String) throws {
        guard let disk = try SmallDisk(at: folder + "/disk", mebibytes: 64) else { return nil }
        self.disk = disk
        file = SQLiteFleetDatabase(in: disk.path)
    }

    var url: String { file.url }
    var engine: DatabaseEngine { .sqlite }
    func query(_ sql: String) throws -> [String] { try file.query(sql) }
    func change(_ sql: String) throws { try file.change(sql) }
    func isWritable() throws -> Bool { try file.isWritable() }
    func remove() async { disk.remove() }
}
