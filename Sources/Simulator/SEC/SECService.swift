internal import HTTP
internal import HTTPServer
internal import JSON

/// SEC EDGAR: the ticker list, company facts, submissions and filings of the companies that the simulator carries.
struct SECService: Sendable {
    private static let bodies: [String: JSON] = {
        let companies = CompanyFile.all
        var bodies = ["/files/company_tickers.json": CompanyFile.tickers(of: companies)]
        for company in companies {
            bodies["/api/xbrl/companyfacts/CIK\(company.paddedCIK).json"] = company.companyFacts
            bodies["/submissions/CIK\(company.paddedCIK).json"] = company.submissions
        }
        return bodies
    }()

    /// - Throws: the SEC's error, as an answer.
    func answer(_ request: ServiceRequest) throws(Refusal) -> Answer {
        let agent = request.request.headers["user-agent"] ?? ""
        guard agent.contains(where: { !$0.isWhitespace }) else { throw Refusal(answer: Self.undeclared) }
        guard request.request.method == .get || request.request.method == .head else {
            throw Refusal(answer: Self.page(405, "Method Not Allowed"))
        }
        if let answer = InventedFiling.answer(request.path, companies: CompanyFile.all) { return answer }
        guard let body = Self.bodies[request.path] else {
            throw Refusal(answer: request.path.hasPrefix("/files/") ? Self.page(404, "Not Found") : Self.noSuchKey)
        }
        return Answer(json: body)
    }

    func failure(_ failure: ServiceFailure) -> Answer {
        switch failure.cause {
        case .status(let status): return Self.page(status == 529 ? 503 : status, "SEC.gov is unavailable")
        case .rateLimit(_, let retryAfter):
            var answer = Self.page(429, "Request Rate Threshold Exceeded")
            if let retryAfter { answer.headers["retry-after"] = retryAfter.secondsText }
            return answer
        }
    }

    /// The answer to a client without a user agent.
    private static let undeclared = page(403, "Your Request Originates from an Undeclared Automated Tool")

    private static func page(_ status: Int, _ title: String) -> Answer {
        Answer(
            status: status,
            text:
                "<!DOCTYPE html><html><head><title>SEC.gov | \(title)</title></head><body><h1>\(title)</h1></body></html>",
            type: "text/html")
    }

    /// Files of companies that are not there come from a bucket.
    private static let noSuchKey = Answer(
        status: 404,
        text: """
            <?xml version="1.0" encoding="UTF-8"?>
            <Error><Code>NoSuchKey</Code><Message>The specified key does not exist.</Message></Error>
            """,
        type: "application/xml")
}
