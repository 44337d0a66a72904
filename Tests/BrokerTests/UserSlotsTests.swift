import HTTP
import JSON
import JobQueue
import Testing

@testable import Broker

/// The users of a broker in a service with several databases.
@Suite(.timeLimit(.minutes(10))) struct UserSlotsTests {
    /// Gateways compute them, too, with the digests of `sha256sum`.
    @Test(arguments: [("1", 430), ("2", 849), ("ann", 294), ("", 910)])
    func theSlotIsTheFirstTenBitsOfTheDigest(_ subject: String, _ slot: Int) {
        #expect(UserSlots.slot(of: subject) == slot)
    }

    @Test func slotsAreReadAsRanges() throws {
        let some = try #require(UserSlots("0-299,430,1000-1023"))
        #expect(some.contains("1") && some.contains("ann") && !some.contains("2") && !some.isAll)
        #expect(UserSlots("0-1023") == .all)
        #expect(UserSlots.all.contains("2"))
    }

    @Test(arguments: ["", "-", "1-", "-1", "5-4", "0-1024", "0-5,5-9", "1,1", "0 - 5", "a", "0-1-2", "1,", "99999"])
    func otherTextsAreNoSlots(_ text: String) { #expect(UserSlots(text) == nil) }

    @Test func twoHalvesHaveEachUserOnce() throws {
        let halves = [try #require(UserSlots("0-511")), try #require(UserSlots("512-1023"))]
        for number in 0..<2000 { #expect(halves.count { $0.contains("user-\(number)") } == 1) }
    }

    @Test func aUserOfAnotherDatabaseIsRefusedAndGetsNoAccount() async throws {
        try await TestService.with {
            $0.slots = UserSlots("0-511") ?? .all
        } _: { service in
            let path = "/api/v1/users/me"
            let served = try await service.ask(.get, path, headers: ["X-User-ID": "1"])
            #expect(served.status == 200)
            let refused = try await service.ask(.get, path, headers: ["X-User-ID": "2"])
            #expect(refused.status == 421)
            #expect(refused["error"]?["code"]?.string == "SYS_5004")
            let accounts: any AccountRepository = service.store
            let account = try await accounts.knownAccount(of: "2")
            #expect(account == nil)
        }
    }

    @Test func creditsOpenNoAccountOfAUserOfAnotherDatabase() async throws {
        try await TestService.with {
            $0.slots = UserSlots("0-511") ?? .all
        } _: { service in
            let path = "/api/v1/admin/credits/grants"
            for (user, status) in [("1", 201), ("2", 421)] {
                let grant: JSON = [
                    "user": JSON(user), "amount": 5, "external_id": JSON("e" + user), "source": "gift", "create": true,
                ]
                let answer = try await service.ask(.post, path, grant)
                #expect(answer.status == status)
            }
            let accounts: any AccountRepository = service.store
            let account = try await accounts.knownAccount(of: "2")
            #expect(account == nil)
        }
    }

    /// An operator asks the broker of each database.
    @Test func anOperatorIsServedByTheBrokersOfAllDatabases() async throws {
        try await TestService.with {
            $0.slots = UserSlots("0-511") ?? .all
        } _: { service in
            let headers: HTTPHeaders = ["X-User-ID": "2"]
            for (path, status) in [("/api/v1/admin/workers", 200), ("/api/v1/users/me", 421)] {
                let answer = try await service.ask(.get, path, headers: headers)
                #expect(answer.status == status)
            }
        }
    }
}
