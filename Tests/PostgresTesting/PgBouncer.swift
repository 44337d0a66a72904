import Foundation
import Glibc

/// Debian's PgBouncer in transaction mode, in front of a cluster.
package final class PgBouncer: Sendable {
    package let port: UInt16
    private let keeper: ServerKeeper

    /// Starts a pooler, which ends when it is closed or when this process ends.
    package static func start(before cluster: PostgresCluster, poolSize: Int = 10) async throws -> PgBouncer {
        let bouncer = try PgBouncer(before: cluster, poolSize: poolSize)
        try await bouncer.keeper.tell("start")
        return bouncer
    }

    private init(before cluster: PostgresCluster, poolSize: Int) throws {
        port = try PostgresCluster.freePort()
        var template = Array("/tmp/dossier-pgbouncer-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw TestingFailure("no temporary folder can be made") }
        let folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        let configuration = """
            [databases]
            * = host=127.0.0.1 port=\(cluster.port)
            [pgbouncer]
            listen_addr = 127.0.0.1
            listen_port = \(port)
            unix_socket_dir =
            pool_mode = transaction
            default_pool_size = \(poolSize)
            max_client_conn = 500
            auth_type = plain
            auth_file = \(folder)/users
            ignore_startup_parameters = extra_float_digits
            logfile = \(folder)/pgbouncer.log
            pidfile = \(folder)/pgbouncer.pid

            """
        try Data(configuration.utf8).write(to: URL(filePath: folder + "/pgbouncer.ini"))
        let users = "\"\(PostgresCluster.user)\" \"\(PostgresCluster.password)\"\n"
        try Data(users.utf8).write(to: URL(filePath: folder + "/users"))
        keeper = try ServerKeeper(script: Self.script, arguments: [folder])
    }

    package func close() async { await keeper.close() }

    /// The address of a database of the cluster through the pooler.
    package func url(of database: String) -> String {
        "postgres://\(PostgresCluster.user):\(PostgresCluster.password)@127.0.0.1:\(port)/\(database)"
    }

    private static let script = """
        is_up() { [ -s "$folder/pgbouncer.pid" ] && grep -q 'process up' "$folder/pgbouncer.log"; }
        start() {
            as_server /usr/sbin/pgbouncer -q -d "$folder/pgbouncer.ini" >&2 || return 1
            waited=0
            until is_up; do
                [ "$waited" -lt 600 ] || return 1
                waited=$((waited + 1))
                sleep 0.1
            done
        }
        while read -r command; do
            start && echo ok || { cat "$folder/pgbouncer.log" >&2; echo failed; }
        done
        [ ! -f "$folder/pgbouncer.pid" ] || kill -QUIT "$(cat "$folder/pgbouncer.pid")"
        rm -rf "$folder"
        """
}
