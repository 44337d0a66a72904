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
}
