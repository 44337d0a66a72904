package import JobQueue

/// Tests write users as numbers.
extension UserID: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int64) { self.init(rawValue: value) }
}

/// Tests write short times as milliseconds since 1970.
extension Timestamp: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int64) { self.init(milliseconds: value) }
}
