import Foundation
import Glibc
import Synchronization

/// A PostgreSQL server for tests, in a temporary folder, on a port of the loopback interface and a socket in that
/// folder.
///
/// It is stopped and removed when it is closed, or when this process ends for any reason.
package final class PostgresCluster: Sendable {
    /// The settings of a server.
    package struct Options: Sendable {
        /// Whether a commit waits for the disk. Most tests do not need that: no test cuts the power.
        package var isDurable = false
        /// Further settings, as in `postgresql.conf`.
        package var settings: [String: String] = [:]
        /// A library that the server loads before all others; a copy of it, since the server runs as another user.
        package var library: String?

        package init() {}
    }

    /// The ways to stop a server: `fast` ends all sessions in order, `crash` kills all its processes. (The server's own
    /// immediate shutdown sometimes waits a minute for a session that began at the same time.)
    package enum Stop: String, Sendable {
        case fast, crash
    }

    /// The superuser's name and password.
    static let user = "postgres"
    static let password = "geheim"

    package let folder: String
    package let port: UInt16
    private let keeper: ServerKeeper
    private let databases: DatabaseMaker

    // MARK: Starting and stopping

    /// The server that all tests of this process share. It starts at the first call and ends with the process.
    package static func shared() async throws -> PostgresCluster { try await sharedTask.value }

    private static let sharedTask = Task { try await PostgresCluster.start() }

    /// Creates and starts a server.
    package static func start(_ options: Options = Options()) async throws -> PostgresCluster {
        let cluster = try PostgresCluster(options)
        try await cluster.keeper.tell("create")
        try await cluster.start()
        return cluster
    }

    private init(_ options: Options) throws {
        var template = Array("/tmp/dossier-postgres-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw TestingFailure("no temporary folder can be made") }
        folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        port = try Self.freePort()
        let configuration = Self.configuration(port: port, folder: folder, options)
        try Data(configuration.utf8).write(to: URL(filePath: folder + "/settings.conf"))
        try Data(Self.password.utf8).write(to: URL(filePath: folder + "/password"))
        if let library = options.library {
            try FileManager.default.copyItem(atPath: library, toPath: folder + "/preload.so")
        }
        keeper = try ServerKeeper(script: Self.script, arguments: [folder, try Self.binaries()])
        databases = DatabaseMaker()
    }

    /// Starts the server again after a `stop`.
    package func start() async throws { try await keeper.tell("start") }

    /// Stops the server, without waiting for its clients.
    package func stop(_ how: Stop = .fast) async throws { try await keeper.tell("stop \(how.rawValue)") }

    /// Suspends all processes of the server: connections stay open, new ones are accepted by the kernel, and nobody
    /// answers.
    package func freeze() async throws { try await keeper.tell("freeze") }

    /// Lets the processes of a frozen server go on.
    package func thaw() async throws { try await keeper.tell("thaw") }

    /// Stops the server for good and removes its files.
    package func close() async { await keeper.close() }

    /// The file whose existence lets commits hang, where the server has loaded `StalledDisk`.
    package var stallFile: String { folder + "/stalled" }

    // MARK: Databases

    /// Creates a database for one test.
    ///
    /// - Parameters:
    ///   - template: The name of a template database. The first call with a name creates it with `prepare`; this and
    ///     all further databases of the name are copies.
    ///   - prepare: Fills the database at a URL. It must close its connections before it returns.
    /// - Returns: The database, which its test removes.
    /// - Throws: `TestingFailure`, or the error that `prepare` throws.
    package func makeDatabase(
        from template: String = "plain", prepare: @escaping @Sendable (_ url: String) async throws -> Void = { _ in }
    ) async throws -> PostgresDatabase {
        let name = try await databases.make(on: self, from: template, prepare: prepare)
        return PostgresDatabase(name: name, cluster: self)
    }

    func remove(_ database: String) async { await databases.remove(database, on: self) }

    /// The address of a database, over TCP with a password.
    package func url(of database: String) -> String {
        "postgres://\(Self.user):\(Self.password)@127.0.0.1:\(port)/\(database)"
    }

    /// Runs statements as the superuser, over the socket; each row of the answers as `psql -At` prints it.
    @discardableResult
    package func sql(_ statements: String, in database: String = "postgres") async throws -> [String] {
        let output = try await Program.output(
            of: [
                try Self.binaries() + "/psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", folder, "-p",
                "\(port)", "-U", Self.user, "-d", database, "-f", "-",
            ],
            input: statements)
        return output.split(separator: "\n").map(String.init)
    }

    // MARK: Settings

    /// The folder of `initdb`, `pg_ctl` and `psql`, which is not in Debian's search path.
    static func binaries() throws -> String { try knownBinaries.get() }

    private static let knownBinaries: Result<String, any Error> = Result {
        let process = try StartedProcess(["/usr/bin/pg_config", "--bindir"])
        process.closeInput()
        let line = process.readLine() ?? ""
        _ = process.waitForEnd()
        guard FileManager.default.isExecutableFile(atPath: line + "/initdb") else {
            throw TestingFailure("PostgreSQL's server is not installed; run Scripts/setup")
        }
        return line
    }

    private static func configuration(port: UInt16, folder: String, _ options: Options) -> String {
        var settings = [
            "port": "\(port)", "listen_addresses": "127.0.0.1", "unix_socket_directories": folder,
            "max_connections": "600", "shared_buffers": "256MB", "fsync": options.isDurable ? "on" : "off",
            "full_page_writes": options.isDurable ? "on" : "off", "autovacuum_naptime": "5s",
            "max_wal_size": "4GB", "log_line_prefix": "%m [%p] %a ", "jit": "off",
        ]
        settings.merge(options.settings) { $1 }
        return settings.sorted { $0.key < $1.key }.map { "\($0.key) = '\($0.value)'\n" }.joined()
    }

    /// Finds a free port.
    static func freePort() throws -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw TestingFailure("no socket can be made") }
        defer { Glibc.close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else { throw TestingFailure("no port is free") }
        return UInt16(bigEndian: address.sin_port)
    }

    private static let script = """
        binaries=$2
        ctl() { as_server "$binaries/pg_ctl" -D "$folder/data" -w -t 120 "$@" >>"$folder/keeper.log" 2>&1; }
        create() {
            as_server "$binaries/initdb" -D "$folder/data" -U postgres -E UTF8 --locale=C.UTF-8 --no-sync \\
                --auth-local=trust --auth-host=scram-sha-256 --pwfile="$folder/password" >"$folder/initdb.log" 2>&1 &&
                cat "$folder/settings.conf" >>"$folder/data/postgresql.conf"
        }
        start() {
            if [ -e "$folder/preload.so" ]; then
                export LD_PRELOAD="$folder/preload.so" STALLED_DISK_FILE="$folder/stalled"
            fi
            ctl -l "$folder/server.log" start
            started=$?
            unset LD_PRELOAD
            return "$started"
        }
        state() { read -r _ _ state _ 2>/dev/null <"/proc/$1/stat" && echo "$state" || echo gone; }
        crash() {
            server=$(head -n 1 "$folder/data/postmaster.pid") || return 1
            kill -STOP "$server" || return 1
            until [ "$(state "$server")" = T ]; do sleep 0.01; done
            all="$server $(cat "/proc/$server/task/$server/children")"
            kill -KILL $all
            for one in $all; do
                until case $(state "$one") in Z | gone) ;; *) false ;; esac do sleep 0.01; done
            done
            # A zombie server still counts as alive, so its lock files are removed here.
            rm "$folder/data/postmaster.pid" "$folder"/.s.PGSQL.*.lock
        }
        processes() {
            server=$(head -n 1 "$folder/data/postmaster.pid") || return 1
            echo "$server $(cat "/proc/$server/task/$server/children")"
        }
        freeze() {
            kill -STOP "$(head -n 1 "$folder/data/postmaster.pid")" && kill -STOP $(processes)
        }
        thaw() { kill -CONT $(processes); }
        while read -r command how; do
            case $command,$how in
                create,) create ;;
                start,) start ;;
                stop,fast) ctl -m fast stop ;;
                stop,crash) crash 2>>"$folder/keeper.log" ;;
                freeze,) freeze 2>>"$folder/keeper.log" ;;
                thaw,) thaw 2>>"$folder/keeper.log" ;;
            esac && echo ok || { tail -n 5 "$folder"/*.log >&2; echo failed; }
        done
        [ ! -e "$folder/data/postmaster.pid" ] || crash
        rm -rf "$folder"
        """
}
