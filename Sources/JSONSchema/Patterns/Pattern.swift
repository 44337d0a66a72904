/// A regular expression of ECMA-262 that is searched for in time proportional to the length of the text.
///
/// The pattern becomes a program that is run on all its paths at once (Thompson's construction), so nothing is tried
/// twice. A lookaround is a program of its own: one run over the text finds all places where it holds. A lookahead is
/// run backwards for this, from the end of the text to its start.
struct Pattern: Sendable {
    /// The longest text in Unicode scalars that every pattern is searched in. A short pattern allows a longer one.
    static let leastText = 8_192
    /// Scalars times instructions that one search may take beyond that, which is a few milliseconds.
    private static let longestSearch = 2_000_000
    /// The instructions of all programs of a pattern.
    static let longestProgram = 10_000

    /// The longest text in Unicode scalars that this pattern is searched in; a longer one is a violation.
    let longestText: Int
    private let program: PatternProgram

    /// - Throws: `PatternError` when the text is no regular expression, or one that is not supported.
    init(_ pattern: String) throws(PatternError) {
        let syntax = try PatternParser.parse(pattern)
        var compiler = PatternCompiler(isReversed: false, limit: Self.longestProgram)
        program = try compiler.program(of: syntax)
        longestText = max(Self.leastText, Self.longestSearch / max(1, program.size))
    }

    /// Whether the pattern is found anywhere in a text; `nil` when the text is too long.
    func isFound(in text: String) -> Bool? {
        guard text.unicodeScalars.count <= longestText else { return nil }
        return program.isFound(in: text.unicodeScalars.map(\.value))
    }
}

/// A compiled pattern or lookaround.
struct PatternProgram: Sendable {
    enum Instruction: Sendable {
        case match
        case scalar(ScalarSet)
        case assertion(PatternAssertion)
        /// Goes on where the lookaround of this number holds.
        case lookaround(Int, isNegated: Bool)
        /// Goes on at both places.
        case split(Int, Int)
        case jump(Int)
    }

    /// Whether the text is read from its end to its start.
    let isReversed: Bool
    let instructions: [Instruction]
    let lookarounds: [PatternProgram]

    /// The number of instructions, those of lookarounds included.
    var size: Int { lookarounds.reduce(instructions.count) { $0 + $1.size } }

    func isFound(in text: [UInt32]) -> Bool {
        var isFound = false
        run(on: text) { _ in
            isFound = true
            return false
        }
        return isFound
    }

    /// Calls a closure with each place between two scalars where a match ends, until it returns false.
    private func run(on text: [UInt32], onMatch: (Int) -> Bool) {
        let holds = lookarounds.map { program in
            var places = Array(repeating: false, count: text.count + 1)
            program.run(on: text) { place in
                places[place] = true
                return true
            }
            return places
        }
        var threads = PatternThreads(program: self, text: text, lookarounds: holds)
        var place = isReversed ? text.count : 0
        while true {
            if threads.add(0, at: place), !onMatch(place) { return }
            guard isReversed ? place > 0 : place < text.count else { return }
            let matches = threads.step(
                over: text[isReversed ? place - 1 : place], to: isReversed ? place - 1 : place + 1)
            place += isReversed ? -1 : 1
            if matches, !onMatch(place) { return }
        }
    }
}

/// The places of a program that are reached at one place of the text.
private struct PatternThreads {
    let program: PatternProgram
    let text: [UInt32]
    let lookarounds: [[Bool]]
    /// The instructions that read a scalar next.
    private var waiting: [Int] = []
    private var pending: [Int] = []
    /// For each instruction the round in which it was last reached.
    private var reached: [Int]
    private var round = 1

    init(program: PatternProgram, text: [UInt32], lookarounds: [[Bool]]) {
        (self.program, self.text, self.lookarounds) = (program, text, lookarounds)
        reached = Array(repeating: 0, count: program.instructions.count)
    }

    /// Starts at an instruction; true when a match ends here.
    mutating func add(_ start: Int, at place: Int) -> Bool {
        var isMatch = false
        pending.append(start)
        while let index = pending.popLast() {
            guard reached[index] != round else { continue }
            reached[index] = round
            switch program.instructions[index] {
            case .match: isMatch = true
            case .scalar: waiting.append(index)
            case .assertion(let assertion): if holds(assertion, at: place) { pending.append(index + 1) }
            case .lookaround(let number, let isNegated):
                if lookarounds[number][place] != isNegated { pending.append(index + 1) }
            case .split(let one, let other):
                pending.append(one)
                pending.append(other)
            case .jump(let target): pending.append(target)
            }
        }
        return isMatch
    }

    /// Reads one scalar; true when a match ends after it.
    mutating func step(over scalar: UInt32, to place: Int) -> Bool {
        var isMatch = false
        let before = waiting
        waiting.removeAll(keepingCapacity: true)
        round += 1
        for index in before {
            guard case .scalar(let set) = program.instructions[index], set.contains(scalar) else { continue }
            if add(index + 1, at: place) { isMatch = true }
        }
        return isMatch
    }

    private func holds(_ assertion: PatternAssertion, at place: Int) -> Bool {
        switch assertion {
        case .start: return place == 0
        case .end: return place == text.count
        case .wordBoundary, .noWordBoundary:
            let isBefore = place > 0 && ScalarSet.isWord(text[place - 1])
            let isAfter = place < text.count && ScalarSet.isWord(text[place])
            return (isBefore != isAfter) == (assertion == .wordBoundary)
        }
    }
}

/// Writes the program of a pattern.
private struct PatternCompiler {
    private let isReversed: Bool
    private var instructions: [PatternProgram.Instruction] = []
    private var lookarounds: [PatternProgram] = []
    /// The parts and instructions that may still be written.
    private var limit: Int

    init(isReversed: Bool, limit: Int) { (self.isReversed, self.limit) = (isReversed, limit) }

    mutating func program(of syntax: PatternSyntax) throws(PatternError) -> PatternProgram {
        try write(syntax)
        instructions.append(.match)
        return PatternProgram(isReversed: isReversed, instructions: instructions, lookarounds: lookarounds)
    }

    private mutating func write(_ syntax: PatternSyntax) throws(PatternError) {
        limit -= 1
        guard limit > 0 else { throw PatternError(problem: "it is too large") }
        switch syntax {
        case .empty: break
        case .scalar(let set): instructions.append(.scalar(set))
        case .assertion(let assertion): instructions.append(.assertion(assertion))
        case .sequence(let parts): for part in isReversed ? parts.reversed() : parts { try write(part) }
        case .alternatives(let parts): try write(alternatives: parts[...])
        case .repetition(let part, let least, let most):
            for _ in 0..<least { try write(part) }
            if let most { try write(part, upTo: most - least) } else { try writeLoop(part) }
        case .lookaround(let body, let isAhead, let isNegated):
            var compiler = PatternCompiler(isReversed: isAhead, limit: limit)
            lookarounds.append(try compiler.program(of: body))
            limit = compiler.limit
            instructions.append(.lookaround(lookarounds.count - 1, isNegated: isNegated))
        }
    }

    private mutating func write(alternatives: ArraySlice<PatternSyntax>) throws(PatternError) {
        var jumps: [Int] = []
        for (index, part) in zip(alternatives.indices, alternatives) {
            guard index < alternatives.endIndex - 1 else {
                try write(part)
                break
            }
            let split = instructions.count
            instructions.append(.split(split + 1, 0))
            try write(part)
            jumps.append(instructions.count)
            instructions.append(.jump(0))
            instructions[split] = .split(split + 1, instructions.count)
        }
        for jump in jumps { instructions[jump] = .jump(instructions.count) }
    }

    private mutating func write(_ part: PatternSyntax, upTo most: Int) throws(PatternError) {
        var splits: [Int] = []
        for _ in 0..<most {
            splits.append(instructions.count)
            instructions.append(.split(0, 0))
            try write(part)
        }
        for split in splits { instructions[split] = .split(split + 1, instructions.count) }
    }

    private mutating func writeLoop(_ part: PatternSyntax) throws(PatternError) {
        let split = instructions.count
        instructions.append(.split(0, 0))
        try write(part)
        instructions.append(.jump(split))
        instructions[split] = .split(split + 1, instructions.count)
    }
}
