internal import Basics
internal import CConsole

/// The files of the console, which are parts of the program. Their addresses name one hash over all of them, so that
/// modules import each other by relative paths and a browser may keep them for ever.
struct ConsoleFiles: Sendable {
    struct File: Sendable {
        let type: String
        let bytes: [UInt8]
        /// `nil` where compression saves nothing.
        let compressed: [UInt8]?

        init(type: String, bytes: [UInt8]) {
            self.type = type
            self.bytes = bytes
            compressed = bytes.withUnsafeBufferPointer { Deflate.compressed($0, as: .gzip, level: 9, room: $0.count) }
        }
    }

    /// Compressed once for each process, when they are first asked for.
    static let shared = ConsoleFiles(embedded())

    /// The page of every screen.
    let page: File
    /// 32 hexadecimal digits.
    let hash: String
    private let files: [String: File]

    /// - Parameter contents: The bytes of each file by its path. `index.html` may contain `{{HASH}}`, and a comment that
    ///   is replaced by a link to each module.
    init(_ contents: [String: [UInt8]]) {
        let paths = contents.keys.sorted()
        let digest = SHA256.hex(
            paths.map { "\($0) \(SHA256.hex(contents[$0] ?? []))" }.joined(separator: "\n"))
        let hash = String(digest.prefix(32))
        let modules = paths.filter { $0.hasSuffix(".js") && !$0.hasSuffix("-worker.js") }
            .map { "<link rel=\"modulepreload\" href=\"/console/assets/\(hash)/\($0)\">" }
        let page = String(decoding: contents["index.html"] ?? [], as: UTF8.self)
            .replacing("<!-- {{MODULES}} -->", with: modules.joined(separator: "\n"))
            .replacing("{{HASH}}", with: hash)
        self.hash = hash
        self.page = File(type: "text/html; charset=utf-8", bytes: Array(page.utf8))
        let scripts = Minifier.scripts(contents.filter { $0.key.hasSuffix(".js") })
        files = contents.filter { $0.key != "index.html" }.reduce(into: [:]) { files, entry in
            let bytes = entry.key.hasSuffix(".css") ? Minifier.style(entry.value) : scripts[entry.key] ?? entry.value
            files[entry.key] = File(type: Self.type(of: entry.key), bytes: bytes)
        }
    }

    /// An asset by the hash in its address and its path.
    func asset(_ path: String, hash: String) -> File? { hash == self.hash ? files[path] : nil }

    private static func embedded() -> [String: [UInt8]] {
        (0..<cconsole_count()).reduce(into: [:]) { contents, index in
            let file = cconsole_file_at(index)
            contents[String(cString: file.path)] = Array(UnsafeBufferPointer(start: file.bytes, count: file.size))
        }
    }

    private static func type(of path: String) -> String {
        if path.hasSuffix(".css") { return "text/css; charset=utf-8" }
        if path.hasSuffix(".svg") { return "image/svg+xml" }
        return "text/javascript; charset=utf-8"
    }
}
