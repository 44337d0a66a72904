/// The answers of the AI Value Investor document, as it prints them: the envelopes of its section 8, and what its
/// polling reads of a report. Its app converts from snake case; what it does not read is left out.
enum InvestorClient {
    struct Success<Payload: Decodable>: Decodable {
        let success: Bool
        let data: Payload
        let meta: Meta
    }

    struct Page: Decodable {
        let success: Bool
        let data: [Anything]
        let pagination: Pagination
        let meta: Meta
    }

    struct Failure: Decodable {
        let success: Bool
        let error: APIError
        let meta: FailureMeta
    }

    struct Meta: Decodable {
        let requestId: String
        let timestamp: String
        let cacheHit: Bool?
        let version: String
    }

    struct FailureMeta: Decodable {
        let requestId: String
        let timestamp: String
    }

    struct APIError: Decodable {
        let code: String
        let message: String
        let userMessage: String
        let action: String?
        let retryAfter: Int?
    }

    struct Pagination: Decodable {
        let page: Int
        let perPage: Int
        let totalItems: Int
        let totalPages: Int
        let hasNext: Bool
        let hasPrev: Bool
    }

    struct ResearchJobResponse: Decodable {
        let reportId: String
        let status: String
        let estimatedSeconds: Int
        let pollUrl: String
    }

    struct ReportStatusResponse: Decodable {
        let status: String
        let progress: Int
        let currentStep: String?
        let errorMessage: String?
        let completedAt: String?
    }

    struct CreditBalance: Decodable {
        let remaining: Int
        let used: Int
    }

    /// An element whose members a test does not look at.
    struct Anything: Decodable {}
}
