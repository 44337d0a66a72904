/// Sources that tell of themselves: authorities, central banks, filings, and companies' pages for investors.
enum PrimarySources {
    private static let hosts = [
        "sec.gov", "federalreserve.gov", "ecb.europa.eu", "bankofengland.co.uk", "bls.gov", "bea.gov", "treasury.gov",
        "fred.stlouisfed.org", "imf.org", "bis.org",
    ]

    static func contain(_ url: String) -> Bool {
        let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        let host = rest.prefix { !"/?#:".contains($0) }.lowercased()
        return hosts.contains { host == $0 || host.hasSuffix(".\($0)") } || host.hasSuffix(".gov")
            || host.hasPrefix("investor.") || host.hasPrefix("investors.") || host.hasPrefix("ir.")
    }
}
