import Glibc
import PostgresTesting
import SQLSupport
import Testing

@testable import PostgresStore

@Suite struct URLTests {
    @Test func thePasswordIsInNoDescription() throws {
        let url = try PostgresURL("postgres://app:s3cr%40t@db.example:6432/dossier?sslmode=require")
        #expect("\(url)" == "postgres://db.example:6432/dossier")
        var dumped = ""
        dump(url, to: &dumped)
        for text in ["\(url)", String(reflecting: url), String(describing: [url]), dumped] {
            #expect(!text.contains("s3cr") && !text.contains("app"))
        }
        #expect(url.address == "postgres://app:s3cr%40t@db.example:6432/dossier?sslmode=require")
    }

    @Test func theAddressForLibpqHasNoPoolerParameter() throws {
        let url = try PostgresURL("postgresql://h/db?pooler=transaction&sslmode=disable")
        #expect(url.isPooled && url.address == "postgresql://h/db?sslmode=disable")
        let alone = try PostgresURL("postgres://h/db?pooler=transaction")
        #expect(alone.isPooled && alone.address == "postgres://h/db")
        #expect(try !PostgresURL("postgres://h/db").isPooled)
    }

    @Test(arguments: [
        "", "mysql://h/db", "postgres://u:geheim@h:port/db", "postgres://u:ge%heim@h/db", "postgres://h/db?colour=red",
        "postgres://u:geheim@h/db?pooler=session", "postgres://h/d\0b",
    ])
    func anInvalidAddressIsRefusedWithoutRepeatingIt(_ text: String) {
        let error = #expect(throws: PostgresURL.Invalid.self) { try PostgresURL(text) }
        #expect(error?.description.contains("geheim") == false)
    }

    @Test func aParameterThatLibpqDoesNotKnowIsNamed() {
        let error = #expect(throws: PostgresURL.Invalid.self) {
            try PostgresURL("postgres://u:geheim@h/db?sslmod=require")
        }
        #expect(error?.description == "has a parameter that libpq does not know: sslmod")
    }

    @Test(arguments: [
        "postgres://u:Secr@etPw1@h:5432/db", "postgres://u:top@secret@h/db", "postgres://u:12/etPw1@h:5432/db",
    ])
    func aPasswordThatIsNotEscapedIsToldAndNotShown(address: String) {
        let error = #expect(throws: PostgresURL.Invalid.self) { try PostgresURL(address) }
        #expect(error?.description.contains("%40") == true && error?.description.contains("etPw1") == false)
    }

    @Test func severalServersAreReadInTheirOrder() throws {
        let url = try PostgresURL("postgres://u:geheim@a.example:5433,b.example,[::1]:6000/db?pooler=transaction")
        #expect(url.hosts.map(\.port) == ["5433", "5432", "6000"])
        #expect(url.hosts.map { $0.name ?? "" } == ["a.example", "b.example", "::1"])
        #expect("\(url)" == "postgres://a.example:5433,b.example:5432,::1:6000/db")
        let same = try PostgresURL("postgres://a,b/db?port=6000")
        #expect(same.hosts.map(\.port) == ["6000", "6000"])
        #expect(try PostgresURL("postgres:///db?host=/run/postgresql").hosts.map(\.name) == ["/run/postgresql"])
        #expect(throws: PostgresURL.Invalid.self) { try PostgresURL("postgres://a,b,c/db?port=1,2") }
    }

    /// The first of three servers is silent, and the second refuses connections.
    @Test func aConnectionFindsTheServerThatAnswersAndBeginsWithItLater() async throws {
        let database = try await PostgresFixture.makeDatabase()
        let silent = try SilentServer()
        let port = try await PostgresCluster.shared().port
        let text = database.url.replacing(
            "127.0.0.1:\(port)", with: "127.0.0.1:\(silent.port),127.0.0.1:1,127.0.0.1:\(port)")
        let url = try PostgresURL(text)
        #expect(url.hosts.count == 3)
        _ = try PostgresConnection(url, limit: .seconds(6))
        #expect(url.lastHost.value == 2)
        let start = ContinuousClock.now
        _ = try PostgresConnection(url, limit: .seconds(300))
        #expect(.now - start < .seconds(60), "the silent server was asked again")
        await database.remove()
    }

    /// A standby, and a primary that is one, take no writes.
    @Test func aServerThatTakesNoWritesIsPassedOver() async throws {
        let database = try await PostgresFixture.makeDatabase()
        let port = try await PostgresCluster.shared().port
        let text = database.url.replacing("127.0.0.1:\(port)", with: "127.0.0.1:\(port),127.0.0.1:\(port)")
        let both = try PostgresURL(text)
        _ = try PostgresConnection(both, limit: .seconds(60))
        try await database.sql(
            "ALTER DATABASE \"\(database.name)\" SET default_transaction_read_only = on")
        #expect(throws: PostgresFailure.self) { _ = try PostgresConnection(both, limit: .seconds(60)) }
        let separator = text.contains("?") ? "&" : "?"
        _ = try PostgresConnection(try PostgresURL(text + separator + "target_session_attrs=any"), limit: .seconds(60))
        await database.remove()
    }
}

/// Takes connections and says nothing.
private final class SilentServer: Sendable {
    private let descriptor: Int32
    let port: Int

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = descriptor
        port = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = bind(listener, address, size)
                _ = listen(listener, 8)
                _ = getsockname(listener, address, &size)
            }
            return Int(UInt16(bigEndian: pointer.pointee.sin_port))
        }
    }

    deinit { close(descriptor) }
}
