import Foundation
import TestSupport
import Testing

/// Suites that need the shared data are skipped without it; continuous integration must not pass by skipping them.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["REQUIRE_SHARED_DATA"] != nil, "only for CI"))
struct SharedDataTests {
    @Test(arguments: ["articles", "dotprompt-spec", "feeds", "filings", "headlines", "sec", "youtube"])
    func theSharedDataIsBesideTheCheckout(folder: String) { #expect(SharedData.isThere(folder)) }
}
