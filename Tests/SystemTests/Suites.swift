import Testing

/// Tests of the whole product with real processes, in three suites that run side by side: within a suite one at a time,
/// since processes are expensive, and tests that measure time are apart from those that keep the machine busy.
enum SystemTests {
    /// Processes die, and nothing is lost.
    @Suite(.serialized) struct Crashes {}

    /// Promises with a time: rescues, drains, deadlines, cancels.
    @Suite(.serialized) struct Timing {}

    /// The product as users and operators see it, with good and bad providers.
    @Suite(.serialized) struct Surface {}
}
