import HTTP

/// Which private hosts fetched addresses may lead to.
enum FetchAllowance {
    /// Reads hosts, addresses and CIDR blocks, apart by commas or spaces.
    static func checked(_ text: String) throws(ConfigurationError) -> [String] {
        let entries = text.split { $0 == "," || $0 == " " }.map(String.init)
        for entry in entries where CIDRBlock(entry) == nil && !isHostName(entry) {
            throw ConfigurationError("must be hosts, addresses or CIDR blocks, apart by commas; '\(entry)' is none")
        }
        return entries
    }

    /// A name that ends in a number would be an address, and this is none that can be read.
    private static func isHostName(_ text: String) -> Bool {
        let labels = text.split(separator: ".")
        guard let last = labels.last, last.contains(where: { !$0.isNumber }) else { return false }
        return text.utf8.count <= 253 && text.first != "-"
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "." || $0 == "_") }
    }
}
