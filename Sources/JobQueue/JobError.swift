/// Why a job failed, as it is stored and shown. Holds nothing secret and no text from outside.
public struct JobError: Error, Hashable, Sendable {
    /// A code of the API (`EXT_4004`).
    public var code: String
    /// For developers.
    public var message: String
    /// For the person who asked: calm, plain, with what to do next.
    public var userMessage: String

    public init(code: String, message: String, userMessage: String) {
        self.code = code
        self.message = message
        self.userMessage = userMessage
    }

    /// The job's deadline passed, retries included.
    public static let deadlinePassed = JobError(
        code: "SYS_5003", message: "The job did not finish before its deadline.",
        userMessage: "This took longer than it should. Nothing was charged. Please try again.")

    /// Workers died again and again while they ran this job.
    public static let poison = JobError(
        code: "SYS_5001", message: "Worker after worker died while running this job, without a new step in between.",
        userMessage: "Something went wrong on our side. Nothing was charged.")
}
