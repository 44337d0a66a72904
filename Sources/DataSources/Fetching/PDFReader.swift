internal import Articles
internal import Basics
internal import Glibc
internal import Synchronization

/// Reads the text of PDF documents with `pdftotext` of poppler-utils.
///
/// Documents of strangers crash such programs and make them grow, so it is a process of its own with bounds of memory,
/// processor time, time and output; one runs at a time.
enum PDFReader {
    private static let program = "/usr/bin/pdftotext"
    private static let bounds = ["/usr/bin/prlimit", "--as=1073741824", "--cpu=5", "--core=0", "--fsize=0"]
    private static let arguments = ["-q", "-enc", "UTF-8", "-eol", "unix", "-nopgbrk", "-l", "300", "/dev/stdin", "-"]
    private static let longest: Duration = .seconds(10)
    private static let mostOutput = 4 << 20
    private static let turn = Mutex(())

    /// Whether the program is installed.
    static var isAvailable: Bool { access(program, X_OK) == 0 && access(bounds[0], X_OK) == 0 }

    static func isDocument(_ body: [UInt8]) -> Bool { body.starts(with: Array("%PDF-".utf8)) }

    /// The document as an article, whose title is its first line.
    ///
    /// - Throws: `notAPage` without the program, `unreadableDocument` for one that is damaged or protected or that takes
    ///   too long.
    static func read(_ body: [UInt8]) async throws(FetchError) -> Article {
        guard isAvailable else { throw .notAPage }
        let text = await withCheckedContinuation { continuation in
            let hasStarted = Thread.start { continuation.resume(returning: turn.withLock { _ in convert(body) }) }
            if !hasStarted { continuation.resume(returning: nil) }
        }
        guard let text else { throw .unreadableDocument }
        let paragraphs = paragraphs(of: String(decoding: text, as: UTF8.self))
        let title = paragraphs.first.flatMap { $0.utf8.count <= longestTitle ? $0 : nil }
        return Article(title: title, text: paragraphs.joined(separator: "\n\n"))
    }

    private static let longestTitle = 200

    /// Lines of a paragraph become one, and words that a line cuts in two become whole.
    static func paragraphs(of text: String) -> [String] {
        var paragraphs: [String] = []
        var paragraph = ""
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let line = line.unicodeScalars.filter { $0.value != 0xC && $0.value != 0xAD }
            let words = String(String.UnicodeScalarView(line)).trimmed
            if words.isEmpty {
                if !paragraph.isEmpty { paragraphs.append(paragraph) }
                paragraph = ""
            } else if paragraph.isEmpty {
                paragraph = words
            } else if paragraph.hasSuffix("-"), words.first?.isLowercase == true {
                paragraph.removeLast()
                paragraph += words
            } else {
                paragraph += " " + words
            }
        }
        return paragraph.isEmpty ? paragraphs : paragraphs + [paragraph]
    }

    // MARK: The process

    /// Runs the program; blocks. `nil` when it fails or exceeds a bound.
    private static func convert(_ body: [UInt8]) -> [UInt8]? {
        // A file in memory, without a name from here on.
        let name = "/dossier-document-\(getpid())"
        shm_unlink(name)
        let input = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0o600)
        guard input >= 0 else { return nil }
        shm_unlink(name)
        defer { close(input) }
        guard write(body, to: input), lseek(input, 0, SEEK_SET) == 0 else { return nil }
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let child = start(input: input, output: ends[1])
        close(ends[1])
        defer { close(ends[0]) }
        guard let child else { return nil }
        let output = readAll(ends[0])
        if output == nil { kill(child, SIGKILL) }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return status == 0 ? output : nil
    }

    private static func write(_ body: [UInt8], to file: Int32) -> Bool {
        var rest = body[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private static func start(input: Int32, output: Int32) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        guard posix_spawn_file_actions_init(&actions) == 0 else { return nil }
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        let words = bounds + [program] + arguments
        var pointers = words.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        // Nothing of this process's environment: it holds keys.
        var environment: [UnsafeMutablePointer<CChar>?] = [nil]
        var child: pid_t = 0
        return posix_spawn(&child, words[0], &actions, nil, &pointers, &environment) == 0 ? child : nil
    }

    /// All output; `nil` when it is too long or takes too long.
    private static func readAll(_ file: Int32) -> [UInt8]? {
        let end = ContinuousClock.now + longest
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let left = ContinuousClock.now.duration(to: end) / .milliseconds(1)
            var ready = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
            let found = left > 0 ? poll(&ready, 1, Int32(left.rounded(.up))) : 0
            if found < 0, errno == EINTR { continue }
            guard found > 0 else { return nil }
            let count = Glibc.read(file, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { return output }
            output += buffer[..<count]
            guard output.count <= mostOutput else { return nil }
        }
    }
}
