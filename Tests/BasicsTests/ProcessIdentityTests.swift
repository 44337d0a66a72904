import Foundation
import Testing

@testable import Basics

@Suite struct ProcessIdentityTests {
    @Test func copiesOfAMachineWithOneBootAreTwoMachines() {
        let names = ["web-1", "web-2"].map {
            ProcessIdentity.machine(boot: "7a0c", host: $0, space: "pid:[4026531836]")
        }
        #expect(names[0] != nil && names[0] != names[1])
        #expect(ProcessIdentity.machine(boot: "7a0c", host: "", space: "pid:[4026531836]") == nil)
    }

    @Test func theMachineOfAProcessHasItsHostName() {
        let parts = ProcessIdentity.current.machine.split(separator: " ")
        #expect(parts.count == 3)
        #expect(
            parts.dropFirst().first.map(String.init)
                == ProcessInfo.processInfo.hostName.split(separator: ".").first.map(String.init))
    }

    @Test func aProcessHasEndedWhenItsNumberIsFreeOrBelongsToALaterOne() {
        let own = ProcessIdentity.current
        #expect(!ProcessIdentity.hasEnded(own.processID, start: own.start))
        #expect(ProcessIdentity.hasEnded(own.processID, start: own.start - 1))
        #expect(ProcessIdentity.hasEnded(.max, start: 1))
    }
}
