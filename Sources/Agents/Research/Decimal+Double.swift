internal import FoundationEssentials

extension Decimal {
    var asDouble: Double { Double(description) ?? .nan }
}
