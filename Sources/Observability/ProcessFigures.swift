internal import Glibc

/// The figures of this process that every service of a fleet has, by the names that Prometheus's own clients use.
package struct ProcessFigures: Sendable {
    private var processorSeconds: Double
    private var residentBytes: Int
    private var virtualBytes: Int
    private var startedAt: Double
    private var openFiles: Int
    private var mostFiles: Int

    /// Reads them from `/proc`; `nil` where that is not mounted.
    package init?() {
        guard let stat = Self.text("/proc/self/stat"), let end = stat.lastIndex(of: UInt8(ascii: ")")),
            let boot = Self.bootTime()
        else { return nil }
        // The fields after the name, which may contain anything.
        let fields = stat[stat.index(after: end)...].split(separator: UInt8(ascii: " ")).compactMap {
            Int(String(decoding: $0, as: UTF8.self))
        }
        let perSecond = Double(sysconf(Int32(_SC_CLK_TCK)))
        // Without the state, which is no number: the fields 4 and following of proc(5).
        guard fields.count > 20, perSecond > 0 else { return nil }
        processorSeconds = Double(fields[10] + fields[11]) / perSecond
        startedAt = boot + Double(fields[18]) / perSecond
        virtualBytes = fields[19]
        residentBytes = fields[20] * Int(sysconf(Int32(_SC_PAGESIZE)))
        openFiles = Self.openFiles()
        var limit = rlimit()
        mostFiles =
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 ? Int(clamping: limit.rlim_cur) : 0
    }

    package func write(to text: inout PrometheusText) {
        text.family("process_cpu_seconds_total", .counter, "Processor time of this process.")
        text.sample("process_cpu_seconds_total", processorSeconds)
        for (name, help, value) in [
            ("process_resident_memory_bytes", "Memory of this process.", residentBytes),
            ("process_virtual_memory_bytes", "Address space of this process.", virtualBytes),
            ("process_open_fds", "Open files of this process.", openFiles),
            ("process_max_fds", "The files that this process may open.", mostFiles),
        ] {
            text.family(name, .gauge, help)
            text.sample(name, value)
        }
        text.family("process_start_time_seconds", .gauge, "When this process started, in seconds since 1970.")
        text.sample("process_start_time_seconds", startedAt)
    }

    private static func text(_ path: String) -> [UInt8]? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = fread(&bytes, 1, bytes.count, file)
        return Array(bytes.prefix(count))
    }

    private static func bootTime() -> Double? {
        guard let stat = text("/proc/stat") else { return nil }
        for line in stat.split(separator: UInt8(ascii: "\n")) where line.starts(with: "btime ".utf8) {
            return Double(String(decoding: line.dropFirst("btime ".utf8.count), as: UTF8.self))
        }
        return nil
    }

    private static func openFiles() -> Int {
        guard let folder = opendir("/proc/self/fd") else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        // Without `.`, `..` and the folder itself.
        return max(count - 3, 0)
    }
}
