extension DossierError {
    /// The server's codes, and those of this library, which begin with `CLIENT_`.
    public struct Code: OpenEnum {
        /// As it is on the wire.
        public let rawValue: String
        /// Takes any code.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The access token has expired.
        public static let tokenExpired: Code = "AUTH_1001"
        /// The token is not valid here.
        public static let tokenInvalid: Code = "AUTH_1002"
        /// No user, or one that may not do this.
        public static let unauthorized: Code = "AUTH_1003"
        /// The account may not sign in: it is anonymous, barred or erased.
        public static let accountRefused: Code = "AUTH_1006"
        /// The credits do not suffice.
        public static let insufficientCredits: Code = "BIZ_2001"
        /// The user's jobs have cost what they may cost in a day.
        public static let spendLimitReached: Code = "BIZ_2002"
        /// The model refused, or its answer could not be used.
        public static let generationFailed: Code = "BIZ_2003"
        /// No source knows the stock.
        public static let stockNotFound: Code = "BIZ_2004"
        /// Not there, or another user's.
        public static let notFound: Code = "BIZ_2005"
        /// Another request has the key, or there is no result.
        public static let conflict: Code = "BIZ_2006"
        /// A field is missing or wrong.
        public static let validationFailed: Code = "VAL_3001"
        /// The text is no ticker.
        public static let invalidTicker: Code = "VAL_3002"
        /// There is no such persona.
        public static let invalidPersona: Code = "VAL_3003"
        /// The request cannot be read.
        public static let malformed: Code = "VAL_3004"
        /// The body is too large.
        public static let tooLarge: Code = "VAL_3005"
        /// Too many requests.
        public static let rateLimited: Code = "VAL_3006"
        /// Gemini failed.
        public static let gemini: Code = "EXT_4001"
        /// The source of prices failed.
        public static let marketData: Code = "EXT_4002"
        /// The server's database cannot be reached.
        public static let database: Code = "EXT_4003"
        /// Claude or another model failed.
        public static let model: Code = "EXT_4004"
        /// Another source failed.
        public static let dataSource: Code = "EXT_4005"
        /// The address has no text that can be read.
        public static let contentUnavailable: Code = "EXT_4006"
        /// An error of the server itself.
        public static let `internal`: Code = "SYS_5001"
        /// The server has too much to do.
        public static let overloaded: Code = "SYS_5002"
        /// The job took longer than it may.
        public static let deadlinePassed: Code = "SYS_5003"
        /// The request came to a server that has other users.
        public static let misdirected: Code = "SYS_5004"

        /// The device has no connection.
        public static let offline: Code = "CLIENT_OFFLINE"
        /// The server could not be reached: name, address, port or TLS.
        public static let cannotConnect: Code = "CLIENT_CANNOT_CONNECT"
        /// The connection broke before the answer was whole.
        public static let connectionLost: Code = "CLIENT_CONNECTION_LOST"
        /// No answer came in time.
        public static let timedOut: Code = "CLIENT_TIMED_OUT"
        /// The answer is not Dossier's (it lacks `X-API-Version`): a captive portal or a proxy.
        public static let foreignAnswer: Code = "CLIENT_FOREIGN_ANSWER"
        /// Dossier's answer, which this version of the library cannot read.
        public static let unreadableAnswer: Code = "CLIENT_UNREADABLE_ANSWER"
        /// Nothing is stored, and the network was not to be asked.
        public static let notCached: Code = "CLIENT_NOT_CACHED"
        /// The server may have forgotten the submission's key.
        public static let submissionExpired: Code = "CLIENT_SUBMISSION_EXPIRED"
        /// A job that was followed ended as cancelled.
        public static let jobCancelled: Code = "CLIENT_JOB_CANCELLED"
        /// Nobody is signed in.
        public static let signedOut: Code = "CLIENT_SIGNED_OUT"
        /// A submission or a token could not be stored.
        public static let storageFailed: Code = "CLIENT_STORAGE_FAILED"
    }
}
