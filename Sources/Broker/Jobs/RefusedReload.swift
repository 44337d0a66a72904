internal import Basics
internal import JSON
package import JobQueue

/// Content files or plans that a reload did not take, so that the old ones hold.
package struct RefusedReload: Hashable, Sendable {
    package var at: Timestamp
    /// What is wrong, a line for each problem, with its file and line where it has one.
    package var problems: [String]

    package init(at: Timestamp, problems: [String]) { (self.at, self.problems) = (at, problems) }

    var json: JSON { ["at": JSON(at.iso8601), "problems": .array(problems.map { JSON($0) })] }
}
