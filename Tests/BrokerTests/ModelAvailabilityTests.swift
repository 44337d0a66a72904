import JobQueue
import Testing

@testable import Broker

@Suite struct ModelAvailabilityTests {
    private let availability = ModelAvailability(areConfigured: true)
    private static let late = APIError.failure(of: JobID(high: 0, low: 1), .deadlinePassed)

    @Test func oneAnswerThatComesTooLateSaysLittle() {
        availability.note(Self.late)
        #expect(availability.problem == nil)
    }

    @Test func twoInARowThatComeTooLateAreAReason() {
        availability.note(Self.late)
        availability.note(Self.late)
        #expect(availability.problem == "models_failing")
        availability.note(nil)
        #expect(availability.problem == nil)
    }

    @Test func aJobThatEndsWellBetweenThemStartsTheCountAnew() {
        for _ in 0..<3 {
            availability.note(Self.late)
            availability.note(nil)
        }
        #expect(availability.problem == nil)
    }

    @Test func whatIsTheCallersFaultIsNoReason() {
        for _ in 0..<3 { availability.note(.notFound("The article")) }
        #expect(availability.problem == nil)
    }
}
