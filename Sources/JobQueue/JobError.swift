/// Why a job failed, as it is stored and shown. Holds nothing secret and no text from outside.
package struct JobError: Error, Hashable, Sendable {
    /// A code of the API (`EXT_4004`).
    package var code: String
    /// For developers.
    package var message: String
    /// For the person who asked: calm, plain, with what to do next.
    package var userMessage: String

    package init(code: String, message: String, userMessage: String) {
        self.code = code
        self.message = message
        self.userMessage = userMessage
    }

    /// The job's deadline passed, retries included.
    package static let deadlinePassed = JobError(
        code: "SYS_5003", message: "The job did not finish before its deadline.",
        userMessage: "This took longer than it should. Nothing was charged. Please try again.")

    /// Workers died again and again while they ran this job.
    package static let poison = JobError(
        code: "SYS_5001", message: "Worker after worker died while running this job, without a new step in between.",
        userMessage: "Something went wrong on our side. Nothing was charged.")
}
