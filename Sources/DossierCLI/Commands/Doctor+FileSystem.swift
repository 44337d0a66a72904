import Foundation

/// Where a database file is: SQLite's locks and shared memory work within one machine only.
enum FileSystem {
    /// The types in `/proc/mounts` of file systems that other machines have, too.
    private static let shared: Set<String> = [
        "nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "ceph", "afs", "glusterfs", "fuse.glusterfs", "fuse.sshfs",
        "fuse.s3fs", "lustre", "gpfs", "ocfs2", "gfs2",
    ]

    static func finding(for path: String) -> Doctor.Finding {
        let folder = URL(filePath: path).deletingLastPathComponent().resolvingSymlinksInPath()
        let mounts = try? String(contentsOfFile: "/proc/self/mounts", encoding: .utf8)
        return finding(for: folder.path(percentEncoded: false), mounts: mounts ?? "")
    }

    /// - Parameters:
    ///   - folder: The folder of the database, without links in its path.
    ///   - mounts: The text of `/proc/self/mounts`.
    /// - Returns: Whether other machines may use the file.
    static func finding(for folder: String, mounts: String) -> Doctor.Finding {
        // The last one at the longest path is in force.
        var found: (place: String, type: String)?
        for line in mounts.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count > 2 else { continue }
            let place = String(words[1]).replacing("\\040", with: " ")
            let isAbove = place == "/" || folder == place || folder.hasPrefix(place + "/")
            if isAbove, place.utf8.count >= found?.place.utf8.count ?? 0 { found = (place, String(words[2])) }
        }
        let type = found?.type ?? "of an unknown type"
        let isShared = shared.contains(type)
        return Doctor.Finding(
            subject: "file system", isGood: !isShared,
            detail: isShared
                ? "the database file is on \(type), which other machines share; it needs a local disk"
                : "the database file is on a local file system (\(type))")
    }
}
