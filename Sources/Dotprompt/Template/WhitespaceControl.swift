/// Removes the whitespace around tags that `~` asks for, and the lines that hold only a block tag, a comment or a
/// partial.
struct WhitespaceControl {
    private struct Content {
        let original: String
        var value: String
        var isLeftStripped = false
        var isRightStripped = false
    }

    /// The effect of a statement on the text around it.
    private struct Effect {
        var strip = Strip()
        var opensAlone = false
        var closesAlone = false
        var standsAlone = false
    }

    private var contents: [Content]

    init(contents: [String]) {
        self.contents = contents.map { Content(original: $0, value: $0) }
    }

    mutating func apply(to program: inout Program) { apply(to: &program, isRoot: true) }

    /// The program with its texts in place.
    func resolved(_ program: Program) -> Program {
        var result = program
        result.statements = program.statements.compactMap { statement in
            switch statement {
            case .content(let index): contents[index].value.isEmpty ? nil : .text(contents[index].value)
            case .block(let block):
                // Inline partials are kept apart, because they are defined before anything is rendered.
                if case .inline = block.kind { nil } else { .block(resolved(block)) }
            case .comment: nil
            default: statement
            }
        }
        result.inlines = program.statements.compactMap { statement in
            guard case .block(let block) = statement, case .inline = block.kind else { return nil }
            return resolved(block)
        }
        return result
    }

    private func resolved(_ block: Block) -> Block {
        var result = block
        result.program = block.program.map(resolved)
        result.inverse = block.inverse.map(resolved)
        return result
    }

    private mutating func apply(to program: inout Program, isRoot: Bool) {
        for index in program.statements.indices {
            guard let effect = effect(of: &program.statements[index]) else { continue }
            let body = program.statements
            let isAfterBreak = endsLine(body, before: index, isRoot: isRoot)
            let isBeforeBreak = startsLine(body, after: index, isRoot: isRoot)
            if effect.strip.close { trimRight(body, index + 1, all: true) }
            if effect.strip.open { trimLeft(body, index - 1, all: true) }
            if effect.standsAlone, isAfterBreak, isBeforeBreak {
                trimRight(body, index + 1)
                if trimLeft(body, index - 1), case .partial(var call) = program.statements[index],
                    case .content(let before) = body[index - 1]
                {
                    call.indent = Self.trailingBlanks(contents[before].original)
                    program.statements[index] = .partial(call)
                }
            }
            guard case .block(let block) = program.statements[index] else { continue }
            if effect.opensAlone, isAfterBreak {
                trimRight((block.program ?? block.inverse)?.statements ?? [], 0)
                trimLeft(body, index - 1)
            }
            if effect.closesAlone, isBeforeBreak {
                trimRight(body, index + 1)
                let last = (block.inverse ?? block.program)?.statements ?? []
                trimLeft(last, last.count - 1)
            }
        }
    }

    private mutating func effect(of statement: inout Statement) -> Effect? {
        switch statement {
        case .content, .text: return nil
        case .output(_, let strip, _): return Effect(strip: strip)
        case .comment(let strip): return Effect(strip: strip, standsAlone: true)
        case .partial(let call): return Effect(strip: call.strip, standsAlone: true)
        case .block(var block):
            let effect = effect(of: &block)
            statement = .block(block)
            return effect
        }
    }

    private mutating func effect(of block: inout Block) -> Effect {
        if var program = block.program {
            apply(to: &program, isRoot: false)
            block.program = program
        }
        if var inverse = block.inverse {
            apply(to: &inverse, isRoot: false)
            block.inverse = inverse
        }
        let body = (block.program ?? block.inverse)?.statements ?? []
        let inverse = block.program == nil ? nil : block.inverse
        var firstInverse = inverse
        var lastInverse = inverse
        if inverse?.isChained == true {
            firstInverse = Self.program(of: inverse?.statements.first)
            while lastInverse?.isChained == true { lastInverse = Self.program(of: lastInverse?.statements.last) }
        }
        let firstBody = firstInverse?.statements
        let effect = Effect(
            strip: Strip(open: block.openStrip.open, close: block.closeStrip.close),
            opensAlone: startsLine(body, after: -1, isRoot: false),
            closesAlone: endsLine(firstBody ?? body, before: (firstBody ?? body).count, isRoot: false))
        if block.openStrip.close { trimRight(body, 0, all: true) }
        if let firstBody {
            if block.inverseStrip.open { trimLeft(body, body.count - 1, all: true) }
            if block.inverseStrip.close { trimRight(firstBody, 0, all: true) }
            if block.closeStrip.open, let last = lastInverse?.statements {
                trimLeft(last, last.count - 1, all: true)
            }
            // An `else` that has its line for itself.
            if endsLine(body, before: body.count, isRoot: false), startsLine(firstBody, after: -1, isRoot: false) {
                trimLeft(body, body.count - 1)
                trimRight(firstBody, 0)
            }
        } else if block.closeStrip.open {
            trimLeft(body, body.count - 1, all: true)
        }
        return effect
    }

    private static func program(of statement: Statement?) -> Program? {
        if case .block(let block)? = statement { block.program } else { nil }
    }

    // MARK: Looking

    /// Whether there are only blanks between a line break (or the start of the template) and the place.
    private func endsLine(_ body: [Statement], before index: Int, isRoot: Bool) -> Bool {
        guard index > 0 else { return isRoot }
        guard case .content(let content) = body[index - 1] else { return false }
        let trailing = contents[content].original.unicodeScalars.reversed().prefix(while: JavaScriptWhitespace.contains)
        if trailing.contains("\n") { return true }
        return index == 1 && isRoot && trailing.count == contents[content].original.unicodeScalars.count
    }

    /// Whether there are only blanks between the place and a line break (or the end of the template).
    private func startsLine(_ body: [Statement], after index: Int, isRoot: Bool) -> Bool {
        guard index + 1 < body.count else { return isRoot }
        guard case .content(let content) = body[index + 1] else { return false }
        let leading = contents[content].original.unicodeScalars.prefix(while: JavaScriptWhitespace.contains)
        if leading.contains("\n") { return true }
        return index + 2 == body.count && isRoot && leading.count == contents[content].original.unicodeScalars.count
    }

    private static func trailingBlanks(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.reversed().prefix { $0 == " " || $0 == "\t" }.reversed()))
    }

    // MARK: Cutting

    /// Cuts blanks and one line break from the start of a text, or all whitespace.
    private mutating func trimRight(_ body: [Statement], _ index: Int, all: Bool = false) {
        guard body.indices.contains(index), case .content(let content) = body[index] else { return }
        guard all || !contents[content].isRightStripped else { return }
        let value = contents[content].value
        var rest = value.unicodeScalars[...]
        if all {
            rest = rest.drop(while: JavaScriptWhitespace.contains)
        } else {
            rest = rest.drop { $0 == " " || $0 == "\t" }
            if rest.first == "\r" { rest.removeFirst() }
            if rest.first == "\n" { rest.removeFirst() }
        }
        contents[content].isRightStripped = rest.count != value.unicodeScalars.count
        contents[content].value = String(rest)
    }

    /// Cuts blanks from the end of a text, or all whitespace; returns whether there were any.
    @discardableResult
    private mutating func trimLeft(_ body: [Statement], _ index: Int, all: Bool = false) -> Bool {
        guard body.indices.contains(index), case .content(let content) = body[index] else { return false }
        guard all || !contents[content].isLeftStripped else { return false }
        let value = contents[content].value
        var rest = value.unicodeScalars[...]
        while let last = rest.last, all ? JavaScriptWhitespace.contains(last) : last == " " || last == "\t" {
            rest.removeLast()
        }
        contents[content].isLeftStripped = rest.count != value.unicodeScalars.count
        contents[content].value = String(rest)
        return contents[content].isLeftStripped
    }
}
