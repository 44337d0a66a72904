/// Gives the names that only one module knows short ones, each everywhere in the module the same. Names that never meet share
/// a short one, which repeats more and so compresses better.
///
/// A name gets a short one when it is declared in the module and never imported or exported. Members of objects keep their
/// names: `{name}` becomes `{name:e}` where the short name is used often enough to pay for it. A module must not use a
/// global object by a name that it declares elsewhere.
enum ScriptNames {
    private static let reserved = Set(
        """
        as async await break case catch class const constructor continue default delete do else export extends false
        finally for function if import in instanceof let new null of return static super switch this throw
        true try typeof undefined var void while yield
        """.split { $0 == " " || $0 == "\n" }.map(String.init))

    static func shortened(_ tokens: [ScriptToken]) -> [ScriptToken] {
        var module = Module(tokens)
        module.read()
        let names = Set(module.words.compactMap(\.self))
        let candidates = module.declared.subtracting(module.kept).filter {
            let others = module.uses[$0, default: 0] - module.members[$0, default: 0]
            return $0.utf8.count > 1 && (module.members[$0] == nil || others > 1)
        }
        .sorted { (module.uses[$1, default: 0], $0) < (module.uses[$0, default: 0], $1) }
        let free = (letters + pairs).filter { !names.contains($0) && !reserved.contains($0) }
        var short: [String: String] = [:]
        var owners = free.map { _ in [String]() }
        for name in candidates {
            let place = owners.firstIndex { !$0.contains { module.meet($0, name) } }
            guard let place else { continue }
            owners[place].append(name)
            short[name] = free[place]
        }
        return module.renamed { short[$0] }
    }

    /// Those that are frequent anyway come first.
    static let letters = "etainorslcdpuhmgbfyvwkxjqzTSCAPIEROLDNMBHFGUWVJKQXYZ".map(String.init)

    static let pairs = letters.flatMap { first in letters.map { first + $0 } }

    struct Module {
        let tokens: [ScriptToken]
        /// The name at each place, if it is one.
        let words: [String?]
        /// The bracket around each token, and the bracket that closes each.
        private var around: [Int?] = []
        private var ends: [Int: Int] = [:]
        private var starts: [Int: Int] = [:]
        var declared: Set<String> = []
        var kept: Set<String> = []
        /// How often each is written as a member without a value.
        var members: [String: Int] = [:]
        var uses: [String: Int] = [:]
        /// Where each variable is named, and where its declarations hold.
        private var places: [String: [Int]] = [:]
        private var extents: [String: [Range<Int>]] = [:]

        init(_ tokens: [ScriptToken]) {
            self.tokens = tokens
            words = tokens.map { $0.kind == .name ? String(decoding: $0.text, as: UTF8.self) : nil }
            var open: [Int] = []
            for (index, token) in tokens.enumerated() {
                if [")", "]", "}"].contains(where: token.isMark) || token.kind == .rest, let start = open.popLast() {
                    ends[start] = index
                    starts[index] = start
                }
                around.append(open.last)
                if ["(", "[", "{"].contains(where: token.isMark) || token.opensValue { open.append(index) }
            }
        }

        private func isMark(_ index: Int?, _ marks: String...) -> Bool {
            guard let index, tokens.indices.contains(index) else { return false }
            return marks.contains(where: tokens[index].isMark)
        }

        private func word(_ index: Int) -> String { tokens.indices.contains(index) ? words[index] ?? "" : "" }

        /// Whether a name stands for a variable, not for a member of an object.
        func isVariable(_ index: Int) -> Bool {
            guard let word = words[index], !reserved.contains(word) else { return false }
            if word == "from", tokens.indices.contains(index + 1), tokens[index + 1].kind == .text { return false }
            return !isMark(index - 1, ".", "?.") && !isKey(index)
        }

        private func isInBraces(_ index: Int) -> Bool { isMark(around[index], "{") && isMark(index - 1, "{", ",") }

        private func isKey(_ index: Int) -> Bool { isInBraces(index) && isMark(index + 1, ":") }

        /// Whether a bracket holds the parameters of a function.
        private func holdsParameters(_ index: Int?) -> Bool {
            guard let index, isMark(index, "("), let end = ends[index] else { return false }
            return isMark(end + 1, "=>") || word(index - 1) == "function" || word(index - 2) == "function"
                || (isMark(end + 1, "{") && !["if", "for", "while", "switch"].contains(word(index - 1)))
        }

        private func isImported(_ index: Int) -> Bool {
            around[index].map { ["import", "export"].contains(word($0 - 1)) } ?? false
        }

        /// Whether braces take members out of a value that is declared or given.
        private func isInPattern(_ bracket: Int) -> Bool {
            guard isMark(bracket, "{"), !isBlock(bracket) else { return false }
            if ["const", "let"].contains(word(bracket - 1)) { return true }
            return holdsParameters(around[bracket]) && isMark(bracket - 1, "(", ",")
        }

        /// The tokens with other names for variables. A member without a value gets its name beside the value.
        func renamed(_ name: (String) -> String?) -> [ScriptToken] {
            tokens.indices.flatMap { index in
                guard isVariable(index), let name = words[index].flatMap(name) else { return [tokens[index]] }
                let token = ScriptToken(kind: .name, text: Array(name.utf8)[...], hasSpace: tokens[index].hasSpace)
                return isShorthand(index) && !isImported(index)
                    ? [tokens[index], ScriptToken(kind: .mark, text: Array(":".utf8)[...], hasSpace: false), token]
                    : [token]
            }
        }

        /// Whether a name stands for a member and for its value.
        func isShorthand(_ index: Int) -> Bool {
            isInBraces(index) && around[index].map(isBlock) == false && isMark(index + 1, ",", "}", "=")
        }

        mutating func read() {
            for index in tokens.indices where isVariable(index) {
                let name = word(index)
                uses[name, default: 0] += 1
                places[name, default: []].append(index)
                let isMember = isInBraces(index) && around[index].map(isBlock) == false
                if isMember, isMark(index + 1, "(") || isImported(index) { kept.insert(name) }
                if isShorthand(index) { members[name, default: 0] += 1 }
                let isMethod = isMark(around[index], "{") && isMark(index - 1, "}") && isMark(index + 1, "(")
                if isMethod { kept.insert(name) }
                if (1...3).contains(where: { word(index - $0) == "export" }) { kept.insert(name) }
                if [word(index - 1), word(index + 1)].contains("as") { kept.insert(name) }
                if isDeclared(index) {
                    declared.insert(name)
                    extents[name, default: []].append(extent(of: index))
                }
            }
        }

        /// Whether one of two names is used where the other one holds, so that they need different short ones.
        func meet(_ one: String, _ other: String) -> Bool {
            isUsed(one, where: other) || isUsed(other, where: one)
        }

        /// Whether one name is used where the other one holds, and is not declared within that place itself.
        private func isUsed(_ one: String, where other: String) -> Bool {
            let (own, others) = (extents[one] ?? [], extents[other] ?? [])
            return (places[one] ?? []).contains { place in
                others.contains { other in
                    other.contains(place)
                        && !own.contains {
                            $0.contains(place) && $0.count < other.count && other.contains($0.lowerBound)
                        }
                }
            }
        }

        /// Where a declaration holds: the function of a parameter or around its body, else the block or more.
        private func extent(of index: Int) -> Range<Int> {
            if isMark(index + 1, "=>") { return index..<bodyEnd(index + 2) }
            var bracket = around[index]
            while let open = bracket {
                let end = ends[open] ?? tokens.count
                if holdsParameters(open), !isMark(end + 1, "=>") { return open..<bodyEnd(end + 1) }
                if holdsParameters(open) { return open..<bodyEnd(end + 2) }
                if isBlock(open) { return head(of: open)..<min(end + 1, tokens.count) }
                bracket = around[open]
            }
            return tokens.indices
        }

        /// Where the parameters begin, if a block is the body of a function, else the block itself.
        private func head(of block: Int) -> Int {
            let last = isMark(block - 1, "=>") ? block - 2 : block - 1
            guard isMark(last, ")") else { return isMark(block - 1, "=>") ? last : block }
            return starts[last].flatMap { holdsParameters($0) ? $0 : nil } ?? block
        }

        /// The end of a function's body, which is a block or a value.
        private func bodyEnd(_ start: Int) -> Int {
            var index = start
            while index < tokens.count, !isMark(index, ",", ";", ")", "]", "}"), tokens[index].kind != .rest {
                while let end = ends[index] { index = end }
                index += 1
                if isMark(start, "{") { break }
            }
            return min(index, tokens.count)
        }

        /// Whether a brace holds statements.
        private func isBlock(_ bracket: Int) -> Bool {
            isMark(bracket, "{")
                && (isMark(bracket - 1, ")", "=>", ";", "{", "}")
                    || ["else", "try", "finally", "do"].contains(word(bracket - 1)))
        }

        private func isDeclared(_ index: Int) -> Bool {
            if ["const", "let", "function", "class"].contains(word(index - 1)) { return true }
            if isMark(index + 1, "=>") { return true }
            guard let bracket = around[index], isMark(index + 1, ",", ")", "]", "}", "=") else { return false }
            if isShorthand(index) || (isInPattern(bracket) && isMark(index - 1, ":")) {
                return isInPattern(bracket)
            }
            if holdsParameters(bracket) { return isMark(index - 1, "(", ",", "...") }
            guard isMark(bracket, "["), isMark(index - 1, "[", ",", "...") else { return false }
            return ["const", "let"].contains(word(bracket - 1)) || holdsParameters(around[bracket])
        }
    }
}
