import DossierAPI
import Foundation
import Glibc
import JSON
import Testing

extension SystemTests.Surface {
    @Suite(.serialized) struct DemoTests {
        @Test(.timeLimit(.minutes(10)))
        func theDemoPrintsAReportAndLeavesNothingBehind() async throws {
            try await Fleet.with { fleet in
                let demo = try await fleet.run("demo", "--ticker", "SNOW", "--persona", "fisher")
                #expect(demo.exit == .code(0), "\(demo)")
                for words in ["SNOWFLAKE", "100 % Done", "Sources", "10 before, 9 after", "simulated"] {
                    #expect(demo.output.uppercased().contains(words.uppercased()), "the demo does not say '\(words)'")
                }
                #expect(try fleet.files() == [])
                #expect(Self.processes(naming: fleet.folder) == [])
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func anInterruptedDemoLeavesNothingBehind() async throws {
            try await Fleet.with { fleet in
                let demo = try fleet.start(["demo"])
                for await line in demo.output.follow() where line.contains("Writing the report") { break }
                // It is stopped during the check, or it might end before it is interrupted.
                demo.signal(SIGSTOP)
                #expect(Self.processes(naming: fleet.folder).count == 2, "demo and worker")
                demo.signal(SIGINT)
                demo.signal(SIGCONT)
                #expect(try await demo.ended() == .code(1), "\(demo.output.text)")
                #expect(demo.errors.text.contains("interrupted"))
                #expect(try fleet.files() == [])
                #expect(Self.processes(naming: fleet.folder) == [])
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func aKilledDemoEndsItsWorker() async throws {
            try await Fleet.with { fleet in
                let demo = try fleet.start(["demo"])
                for await line in demo.output.follow() where line.contains("Writing the report") { break }
                demo.signal(SIGSTOP)
                #expect(Self.processes(naming: fleet.folder).count == 2, "demo and worker")
                try await demo.crash()
                try await eventually("the worker ends") { Self.processes(naming: fleet.folder) == [] }
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func aDemoThatFailsSaysWhyAndLeavesNothingBehind() async throws {
            try await Fleet.with { fleet in
                let demo = try await fleet.run("demo", "--ticker", "ZZZZ")
                #expect(demo.exit == .code(1) && demo.errors.contains("BIZ_2004"), "\(demo)")
                let unknown = try await fleet.run("demo", "--persona", "nobody")
                #expect(unknown.exit == .code(1) && unknown.errors.contains("persona"), "\(unknown)")
                #expect(try fleet.files() == [])
                #expect(Self.processes(naming: fleet.folder) == [])
            }
        }

        /// The processes whose environment names a folder.
        private static func processes(naming folder: String) -> [String] {
            let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
            return all.filter { Int($0) != nil }.filter { number in
                let environment = FileManager.default.contents(atPath: "/proc/\(number)/environ") ?? Data()
                return environment.range(of: Data(folder.utf8)) != nil
            }
        }
    }
}
