import Foundation
import Testing

@testable import DossierClient

/// Names, times and errors on the wire.
@Suite struct WireTests {
    @Test(arguments: [
        ("job_id", "jobID"), ("image_url", "imageURL"), ("url_to_image", "urlToImage"), ("user_id_hash", "userIDHash"),
        ("is_etf", "isEtf"), ("id", "id"), ("what_would_change_the_view", "whatWouldChangeTheView"),
    ])
    func namesAreInLowerCamelCase(_ wire: String, _ swift: String) {
        #expect(WireNames.swiftName(of: wire) == swift)
        #expect(WireNames.wireName(of: WireName(stringValue: swift)) == wire)
    }

    @Test func namesInCamelCaseAreRead() {
        #expect(WireNames.swiftName(of: "textOrUrl") == "textOrURL")
        #expect(WireNames.swiftName(of: "lookbackDays") == "lookbackDays")
        #expect(WireNames.swiftName(of: "pValue") == "pValue")
    }

    @Test(arguments: [
        "2026-01-04T15:16:46.000Z", "2026-01-04T15:16:46Z", "2026-01-04 15:16:46", "2026-01-04T16:16:46+01:00",
    ])
    func allFormsOfTimesAreRead(_ text: String) throws {
        let date = try #require(WireTime.date(text))
        #expect(date.timeIntervalSince1970 == 1_767_539_806)
        #expect(WireTime.text(date) == "2026-01-04T15:16:46.000Z")
    }

    @Test(arguments: ["", "2026-01-04", "2026-13-04T15:16:46Z", "2026-01-04T15:16:46X", "soon"])
    func otherTextsAreNoTimes(_ text: String) { #expect(WireTime.date(text) == nil) }

    @Test func timesKeepTheirMillisecondsForCenturies() {
        for milliseconds in stride(from: Int64(-2_208_988_800_000), through: 4_102_444_800_000, by: 86_399_999_937) {
            let text = WireTime.text(Date(timeIntervalSince1970: Double(milliseconds) / 1000))
            let read = WireTime.date(text).map { Int64(($0.timeIntervalSince1970 * 1000).rounded()) }
            #expect(read == milliseconds, "\(text)")
        }
    }

    @Test func whatTheDocumentsPrintInCamelCaseIsWrittenSo() throws {
        let json = #"{"lookbackDays":90,"symbol":"AAPL","timeframe":"d1"}"#
        let input = try JSONDecoder.dossier.decode(TrainingInput.self, from: Data(json.utf8))
        #expect(input == TrainingInput(symbol: "AAPL"))
        #expect(String(decoding: try JSONEncoder.dossier.encode(input), as: UTF8.self) == json)
        let text = try JSONEncoder.dossier.encode(InterpretationInput("x"))
        #expect(String(decoding: text, as: UTF8.self) == #"{"textOrUrl":"x"}"#)
    }

    @Test func valuesOfAnyFormLoseNothing() throws {
        let json = #"{"a_b":[1,2.5,null,true,"x"],"cD":{"e_f":-9007199254740993}}"#
        let value = try JSONDecoder.dossier.decode(JSONValue.self, from: Data(json.utf8))
        #expect(value["a_b"] == .array([.integer(1), .number(2.5), .null, .bool(true), .string("x")]))
        #expect(String(decoding: try JSONEncoder.dossier.encode(value), as: UTF8.self) == json)
    }

    // MARK: Errors

    private func error(_ status: Int, _ body: String, _ headers: [String: String] = [:]) -> DossierError {
        DossierError(refusal: Data(body.utf8), status: status, headers: headers)
    }

    @Test func theEnvelopesErrorIsRead() {
        let error = error(
            422,
            """
            {"success": false, "error": {"code": "VAL_3003", "message": "m", "user_message": "u", "action": "go_back",
            "retry_after": 4, "details": {"field": "input.persona", "n": 1}}, "meta": {"request_id": "r-1"}}
            """)
        #expect(error.code == .invalidPersona)
        #expect(error.status == 422)
        #expect(error.message == "m")
        #expect(error.userMessage == "u")
        #expect(error.action == .goBack)
        #expect(error.retryAfter == .seconds(4))
        #expect(error.requestID == "r-1")
        #expect(error.fields.map(\.path) == [["input", "persona"]])
        #expect(error.details["n"] == .integer(1))
        #expect(error.category == .invalidInput)
    }

    @Test func theErrorOfCalmNewsIsRead() {
        let error = error(
            429, #"{"error":"Rate limit exceeded","details":"Wait.","code":"VAL_3006"}"#, ["retry-after": "7"])
        #expect(error.code == .rateLimited)
        #expect(error.message == "Rate limit exceeded: Wait.")
        #expect(error.retryAfter == .seconds(7))
        #expect(error.isRetryable)
    }

    @Test func theErrorOfAnalysesIsRead() {
        let error = error(
            504,
            """
            {"error": "Timeout", "message": "m", "code": "SYS_5003", "trace_id": "t", "job_id": "j",
            "details": [{"path": ["known_concepts", 1], "message": "too long"}]}
            """)
        #expect(error.jobID == "j")
        #expect(error.fields.first?.path == ["known_concepts", "1"])
        #expect(!error.isRetryable, "an error that names a job is an outcome")
        #expect(error.category == .job)
    }

    @Test(arguments: [
        (429, DossierError.Category.rateLimit), (401, .authentication), (404, .notFound), (415, .invalidInput),
        (502, .server), (409, .other),
    ])
    func unknownCodesGoByStatus(_ status: Int, _ category: DossierError.Category) {
        #expect(error(status, #"{"error":{"code":"NEW_1","message":""}}"#).category == category)
    }

    @Test func presentationsHaveNeitherCodesNorTypes() throws {
        let codes: [DossierError.Code] = [
            .tokenExpired, .insufficientCredits, .spendLimitReached, .generationFailed, .stockNotFound, .notFound,
            .conflict, .validationFailed, .invalidTicker, .rateLimited, .database, .internal, .deadlinePassed, .offline,
            .cannotConnect, .timedOut, .foreignAnswer, .unreadableAnswer, .notCached, .submissionExpired, .jobCancelled,
            .signedOut, .storageFailed,
        ]
        for code in codes {
            let shown = try #require(ErrorPresentation(DossierError(code, requestID: "r-9")))
            #expect(shown.supportCode == "\(code) · r-9")
            #expect(!shown.message.contains("_") && !shown.title.isEmpty && shown.message.hasSuffix("."))
        }
        #expect(ErrorPresentation(CancellationError()) == nil)
        #expect(ErrorPresentation(URLError(.cancelled)) == nil)
        #expect(ErrorPresentation(URLError(.timedOut))?.systemImage == "wifi.exclamationmark")
        let limited = ErrorPresentation(DossierError(.rateLimited, retryAfter: .seconds(42)))
        #expect(limited?.message.contains("in 42 seconds") == true)
        #expect(ErrorPresentation(DossierError(.database, userMessage: "Ours."))?.message == "Ours.")
    }
}
