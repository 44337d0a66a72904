internal import Glibc

/// A process that other processes of its machine can recognise after its end, although its number may be given out
/// again.
package struct ProcessIdentity: Sendable, Hashable {
    /// The boot of the machine, its name and the space of process numbers; processes of two containers have two. Empty
    /// where `/proc` cannot be read, so that no process is recognised.
    ///
    /// Virtual machines that resume from one snapshot have the same boot, and the same processes, under other names.
    package let machine: String
    package let processID: Int32
    /// The start of the process in the kernel's ticks since the boot.
    package let start: Int64

    /// This process, under the name that its machine has now: a copy of the machine may get its own at any time.
    package static var current: ProcessIdentity {
        let processID = getpid()
        let boot = text(of: "/proc/sys/kernel/random/boot_id")?.split(separator: "\n").first
        guard let boot, let space = target(of: "/proc/self/ns/pid"), let start = start(of: processID) else {
            return ProcessIdentity(machine: "", processID: processID, start: 0)
        }
        guard let machine = machine(boot: String(boot), host: hostName, space: space) else {
            return ProcessIdentity(machine: "", processID: processID, start: 0)
        }
        return ProcessIdentity(machine: machine, processID: processID, start: start)
    }

    /// The text that tells machines apart; `nil` without a name, since a copy of the machine could not be told from it.
    static func machine(boot: String, host: String, space: String) -> String? {
        host.isEmpty ? nil : "\(boot) \(host) \(space)"
    }

    private static var hostName: String {
        var name = utsname()
        guard uname(&name) == 0 else { return "" }
        return withUnsafeBytes(of: name.nodename) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    /// Whether a process of this machine, which had this number and this start, has ended.
    ///
    /// What `/proc` hides is no sign of an end: a service with `ProtectProc=invisible` and users of its own does not see
    /// the processes of others there.
    package static func hasEnded(_ processID: Int32, start: Int64) -> Bool {
        guard let status = status(of: processID) else { return kill(processID, 0) != 0 && errno == ESRCH }
        return self.start(in: status) != start
    }

    private static func start(of processID: Int32) -> Int64? { status(of: processID).flatMap(start(in:)) }

    private static func status(of processID: Int32) -> String? { text(of: "/proc/\(processID)/stat") }

    /// The start of a process that runs, by its status; `nil` when only its remains are there.
    private static func start(in text: String) -> Int64? {
        // The name of the program, in parentheses, may hold anything.
        guard let end = text.utf8.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = text[end...].split(separator: " ").dropFirst()
        guard let state = fields.first, state != "Z", state != "X", fields.count > 19 else { return nil }
        return Int64(fields[fields.startIndex + 19])
    }

    private static func text(of path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(file, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
    }

    private static func target(of link: String) -> String? {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = bytes.withUnsafeMutableBytes { buffer in
            buffer.bindMemory(to: CChar.self).baseAddress.map { readlink(link, $0, buffer.count) } ?? -1
        }
        return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
    }
}
