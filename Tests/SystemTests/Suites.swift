import Testing

/// Tests of the whole product with real processes, in three lanes that run side by side: within a lane one at a time,
/// since processes are dear, and tests that measure time do not share their lane with those that keep the machine busy.
enum SystemTests {
    /// Processes die, and nothing is lost.
    @Suite(.serialized) struct Crashes {}

    /// What is held to a clock: rescues, drains, deadlines, cancels.
    @Suite(.serialized) struct Timing {}

    /// What users and operators see, whatever providers do.
    @Suite(.serialized) struct Surface {}
}
