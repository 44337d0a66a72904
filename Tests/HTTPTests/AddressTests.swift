import Synchronization
import TestSupport
import Testing

@testable import HTTP

@Suite struct IPAddressTests {
    @Test(arguments: [
        ("0.0.0.0", "0.0.0.0"), ("1.2.3.4", "1.2.3.4"), ("255.255.255.255", "255.255.255.255"),
        ("::", "::"), ("::1", "::1"), ("2001:DB8::1", "2001:db8::1"), ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"),
        ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"), ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"),
        ("::ffff:1.2.3.4", "::ffff:102:304"), ("64:ff9b::192.0.2.33", "64:ff9b::c000:221"), ("fe80::", "fe80::"),
        ("1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304"), ("1::8", "1::8"), ("1:0:0:0:0:0:0:8", "1::8"),
    ])
    func anAddressIsParsedAndPrintedCanonically(text: String, canonical: String) throws {
        let address = try #require(IPAddress(text))
        #expect(address.description == canonical)
        #expect(IPAddress(canonical) == address)
    }

    @Test(arguments: [
        "", "1.2.3", "1.2.3.4.5", "256.1.1.1", "01.2.3.4", "1.2.3.4 ", "+1.2.3.4", "1..3.4", "a.b.c.d", "1.2.3.0x4",
        ":", ":::", "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "12345::", "::1%eth0", "[::1]", "::1.2.3", "g::",
        "1:2:3:4:5:6:7:1.2.3.4", "::+1", "1:2:3:4::5:6:7:8", "::1.2.3.4:5",
    ])
    func otherTextIsNotAnAddress(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1"), ("127.1", "127.0.0.1"), ("127.0.257", "127.0.1.1"), ("2130706433", "127.0.0.1"),
        ("0x7F000001", "127.0.0.1"), ("0x7f.0x1", "127.0.0.1"), ("017700000001", "127.0.0.1"), ("0177.1", "127.0.0.1"),
        ("0", "0.0.0.0"), ("0x", "0.0.0.0"), ("127.0.0.1.", "127.0.0.1"), ("1.16777215", "1.255.255.255"),
        ("4294967295", "255.255.255.255"), ("0300.0250.1.1", "192.168.1.1"),
    ])
    func looseNotationsAreParsed(text: String, canonical: String) throws {
        #expect(IPAddress(looseIPv4: text)?.description == canonical)
    }

    @Test(arguments: [
        "", ".", "1.2.3.4.5", "4294967296", "1.16777216", "256.1.1.1", "08.1.1.1", "1.2.3.256", "abc", "1..2",
        "1.2.3.4..",
        "0xg", "-1", "+1", "1.-1", "::1",
    ])
    func otherTextIsNotALooseAddress(text: String) {
        #expect(IPAddress(looseIPv4: text) == nil)
    }

    @Test(arguments: [
        "0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255", "127.0.0.1",
        "127.255.255.255", "169.254.0.0", "169.254.169.254", "172.16.0.0", "172.31.255.255", "192.0.0.0", "192.0.0.255",
        "192.0.2.1", "192.88.99.1", "192.168.0.0", "192.168.255.255", "198.18.0.0", "198.19.255.255", "198.51.100.7",
        "203.0.113.255", "224.0.0.1", "239.255.255.255", "240.0.0.0", "255.255.255.255",
        "::", "::1", "::ffff:8.8.8.8", "::8.8.8.8", "64:ff9b::8.8.8.8", "64:ff9b:1::1", "100::1", "2001::1",
        "2001:0:4136:e378::1", "2001:10::1", "2001:20::1", "2001:1ff::1", "2001:db8::1", "2002:808:808::1", "3fff::1",
        "3fff:fff:ffff::1", "4000::1", "5f00::1", "fc00::1", "fdff:ffff::1", "fe80::1", "febf::1", "fec0::1", "ff02::1",
        "fd00:ec2::254",
    ])
    func specialAddressesAreNotPublic(text: String) throws {
        #expect(try #require(IPAddress(text)).isPublic == false)
    }

    @Test(arguments: [
        "1.0.0.0", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
        "128.0.0.0",
        "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "191.255.255.255", "192.0.1.0", "192.0.3.0",
        "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "198.51.99.255", "203.0.114.0",
        "223.255.255.255", "2001:200::1", "2001:4860:4860::8888", "2001:db7::1", "2001:db9::1", "2003::1",
        "2606:4700:4700::1111", "2a00:1450::1", "3ffe::1",
    ])
    func neighboursOfSpecialAddressesArePublic(text: String) throws {
        #expect(try #require(IPAddress(text)).isPublic)
    }
}

@Suite struct CIDRBlockTests {
    @Test(arguments: [
        ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.0", false), ("10.1.2.3/8", "10.9.9.9", true),
        ("0.0.0.0/0", "255.1.2.3", true), ("1.2.3.4/32", "1.2.3.4", true), ("1.2.3.4/32", "1.2.3.5", false),
        ("1.2.3.4", "1.2.3.4", true), ("1.2.3.4", "1.2.3.5", false), ("fd00::/8", "fdff::1", true),
        ("fd00::/8", "fe00::1", false), ("2001:db8::/64", "2001:db8::ffff:0:0:1", true),
        ("2001:db8::/64", "2001:db8:0:1::1", false), ("2001:db8::/65", "2001:db8::8000:0:0:1", false),
        ("2001:db8::1/128", "2001:db8::1", true), ("2001:db8::1/128", "2001:db8::2", false), ("::/0", "ff::1", true),
        ("::/0", "1.2.3.4", false), ("0.0.0.0/0", "::1", false), ("127.0.0.0/8", "::ffff:127.0.0.1", false),
    ])
    func aBlockContainsTheAddressesWithItsPrefix(block: String, address: String, expected: Bool) throws {
        #expect(try #require(CIDRBlock(block)).contains(#require(IPAddress(address))) == expected)
    }

    @Test(arguments: [
        "", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "::/129", "10.0.0.0/8/8", "host/8",
    ])
    func otherTextIsNotABlock(text: String) {
        #expect(CIDRBlock(text) == nil)
    }
}

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

    @Test func theSystemResolvesLocalhost() async throws {
        let addresses = try await NameResolver().addresses(of: "localhost", within: .seconds(60))
        #expect(!addresses.isEmpty)
        #expect(addresses.allSatisfy { $0 == loopback || $0 == .v6(high: 0, low: 1) })
    }

    @Test func aHangingLookupEndsWithItsTimeout() async throws {
        let end = Signal()
        let resolver = NameResolver { _ in
            end.waitOnThread()
            return .success([])
        }
        #expect(await failure(resolver, within: .milliseconds(50)) == .timedOut(host: "name.example"))
        end.fire()
    }

    @Test func aHangingLookupEndsWithItsTask() async throws {
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

    @Test func lookupsBeyondTheLimitWait() async throws {
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

    @Test("Names whose servers do not answer take the lookups of their requester alone")
    func lookupsOfOneRequesterLeaveRoomForOthers() async throws {
        let (begun, end, silent) = (Signal(), Signal(), Counter())
        let address = loopback
        let resolver = NameResolver(limit: 4, requesterLimit: 2) { host in
            guard host == "silent.example" else { return .success([address]) }
            if silent.increment() == 2 { begun.fire() }
            end.waitOnThread()
            return .success([address])
        }
        try await withThrowingTaskGroup { group in
            for _ in 0..<20 {
                group.addTask {
                    try await Requester.$current.withValue(1) {
                        try await resolver.addresses(of: "silent.example", within: .seconds(240))
                    }
                }
            }
            await begun.wait()
            for requester in [nil, 2] as [Int64?] {
                let found = try await Requester.$current.withValue(requester) {
                    try await resolver.addresses(of: "name.example", within: .seconds(120))
                }
                #expect(found == [address])
            }
            #expect(silent.count == 2)
            end.fire()
            try await group.waitForAll()
        }
        #expect(silent.count == 20)
    }
}
