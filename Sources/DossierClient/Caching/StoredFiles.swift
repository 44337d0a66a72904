internal import Foundation

/// Files in folders, each replaced atomically.
struct StoredFiles: Sendable {
    /// As sensitive as the user's own documents, but there for work in the background.
    static func write(_ data: Data, to file: URL) throws {
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        #if canImport(Darwin)
            try data.write(to: file, options: [.atomic, .completeFileProtectionUntilFirstUserAuthentication])
        #else
            try data.write(to: file, options: .atomic)
        #endif
    }

    /// Removes what a process left behind that was killed while it wrote: the files that Foundation renames when they are
    /// whole. No write takes a minute.
    static func removeHalfWritten(in folder: URL) {
        for (file, _, usedAt) in list(folder)
        where file.lastPathComponent.hasPrefix(".dat.nosync") && usedAt.timeIntervalSinceNow < -60 {
            try? FileManager.default.removeItem(at: file)
        }
    }

    /// Has the system put a file, or the names in a folder, on the disk: a power cut must not lose them.
    static func synchronize(_ file: URL) throws {
        let handle = try FileHandle(forReadingFrom: file)
        defer { try? handle.close() }
        try handle.synchronize()
    }

    /// A name for a file that shows nothing of the text: 128 bits of FNV-1a, which are the same everywhere and always.
    static func name(of text: String) -> String {
        var (first, second): (UInt64, UInt64) = (0xcbf2_9ce4_8422_2325, 0x6c62_272e_07bb_0142)
        for byte in text.utf8 {
            first = (first ^ UInt64(byte)) &* 0x100_0000_01b3
            second = (second ^ UInt64(byte) ^ (first >> 32)) &* 0x100_0000_01b3
        }
        return [first, second].map { number in
            let digits = String(number, radix: 16)
            return String(repeating: "0", count: 16 - digits.utf8.count) + digits
        }.joined()
    }

    /// All files below a folder with size and time of the last use.
    static func list(_ folder: URL) -> [(file: URL, size: Int, usedAt: Date)] {
        let keys: Set<URLResourceKey> = [.isRegularFileKey, .fileSizeKey, .contentModificationDateKey]
        guard let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: Array(keys)) else {
            return []
        }
        return files.compactMap { item in
            guard let file = item as? URL, let values = try? file.resourceValues(forKeys: keys),
                values.isRegularFile == true
            else { return nil }
            return (file, values.fileSize ?? 0, values.contentModificationDate ?? .distantPast)
        }
    }
}
