import BrokerClient
import HTTP
import JSON
import JobQueue
import Prompts
import Testing

@testable import Broker

@Suite(.timeLimit(.minutes(10))) struct KindTests {
    @Test func kindsAreListedForEverybodyAndRevalidated() async throws {
        try await TestService.with { service in
            let list = try await service.ask(.get, "/api/v1/kinds")
            let names = list["data"]?.array?.compactMap { $0["kind"]?.string } ?? []
            let bundle = try SampleBundle.bundle()
            #expect(names == bundle.kinds.values.filter { !$0.isForOperators }.map(\.name).sorted())
            #expect(names.contains("research"))
            let tag = try #require(list.header("ETag"))
            let again = try await service.ask(.get, "/api/v1/kinds", headers: ["If-None-Match": tag])
            #expect(again.status == 304)
            let one = try await service.ask(.get, "/api/v1/kinds/research")
            let kind = try #require(bundle.kinds["research"])
            #expect(one["data"]?["input"] == kind.inputSchema && one["data"]?["title"]?.string == kind.title)
            #expect(one["data"]?["credits"] == JSON(kind.credits))
            #expect(one["data"]?["lane"]?.string == kind.queue.rawValue)
            #expect(one["data"]?["deadline_seconds"]?.integer == kind.deadline.components.seconds)
            #expect(one["data"]?["stages"]?.array?.count == kind.stages.count)
            let hidden = bundle.kinds.values.filter(\.isForOperators).map(\.name) + ["none"]
            for name in hidden {
                let answer = try await service.ask(.get, "/api/v1/kinds/" + name)
                #expect(answer.status == 404 && answer.code == "BIZ_2005", "\(name)")
            }
        }
    }
}
