import Synchronization
import Testing

@testable import HTTP

@Suite struct NameResolverTests {
    private let loopback = IPAddress.v4(0x7F00_0001)

    private func failure(_ resolver: NameResolver, within time: Duration) async -> HTTPClientError? {
        do throws(HTTPClientError) {
            _ = try await resolver.addresses(of: "name.example", within: time)
            return nil
        } catch {
            return error
        }
    }

    @Test func theSystemKnowsLocalhost() async throws {
        let addresses = try await NameResolver().addresses(of: "localhost", within: .seconds(60))
        #expect(!addresses.isEmpty)
        #expect(addresses.allSatisfy { $0 == loopback || $0 == .v6(high: 0, low: 1) })
    }

    @Test func aLookupThatHangsEndsWithItsTime() async throws {
        let end = Signal()
        let resolver = NameResolver { _ in
            end.waitOnThread()
            return .success([])
        }
        #expect(await failure(resolver, within: .milliseconds(50)) == .timedOut(host: "name.example"))
        end.fire()
    }

    @Test func aLookupThatHangsEndsWithItsTask() async throws {
        let begun = Signal()
        let end = Signal()
        let resolver = NameResolver { _ in
            begun.fire()
            end.waitOnThread()
            return .success([])
        }
        let task = Task { await failure(resolver, within: .seconds(600)) }
        await begun.wait()
        task.cancel()
        #expect(await task.value == .cancelled)
        end.fire()
    }

    @Test func noMoreLookupsRunAtOnceThanTheLimitAllows() async throws {
        let lookups = Mutex((running: 0, most: 0))
        let address = loopback
        let resolver = NameResolver(limit: 3) { _ in
            lookups.withLock {
                $0.running += 1
                $0.most = max($0.most, $0.running)
            }
            defer { lookups.withLock { $0.running -= 1 } }
            return .success([address])
        }
        try await withThrowingTaskGroup { group in
            for _ in 0..<100 {
                group.addTask { try await resolver.addresses(of: "name.example", within: .seconds(120)) }
            }
            for try await addresses in group { #expect(addresses == [loopback]) }
        }
        #expect((1...3).contains(lookups.withLock(\.most)))
    }
}
