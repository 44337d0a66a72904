internal import Articles
internal import Basics

/// The figures of a document with inline XBRL: those that are about money and a period, with their dimensions.
struct InlineFacts {
    /// The period of a fact and the members that it is about.
    struct Context: Hashable {
        var start = ""
        var end = ""
        /// By axis.
        var members: [String: String] = [:]
        /// Whether it has a dimension whose member is not named, so that nothing can be said of it.
        var isTyped = false
    }

    struct Name: Hashable {
        var concept: String
        var context: Context
        var currency: String
    }

    struct Amount: Hashable {
        var value: Double
        /// The unit of the last digit that counts: 1e6 for millions.
        var precision: Double
    }

    private(set) var amounts: [Name: Amount] = [:]
    /// Facts that the document states twice with different amounts.
    private(set) var disputed: Set<Name> = []

    /// Reads the facts of some concepts; none of a document without inline XBRL.
    init(_ document: [UInt8], concepts: Set<String>) {
        let reader = InlineFactReader(concepts: concepts)
        HTMLEvents.read(CharacterEncoding.utf8(document), to: reader)
        for fact in reader.facts {
            guard let context = reader.contexts[fact.context], !context.isTyped, !context.start.isEmpty,
                let currency = reader.currencies[fact.unit], let amount = fact.amount
            else { continue }
            add(amount, Name(concept: fact.concept, context: context, currency: currency))
        }
    }

    private mutating func add(_ amount: Amount, _ name: Name) {
        guard let known = amounts[name] else {
            amounts[name] = amount
            return
        }
        // A rounded figure in a text says the same as the exact one in a table.
        if abs(known.value - amount.value) > max(known.precision, amount.precision) { disputed.insert(name) }
        if amount.precision < known.precision { amounts[name] = amount }
    }
}

/// Collects contexts, units and facts as they stand in the document.
private final class InlineFactReader: HTMLEventHandler {
    struct Fact {
        var concept: String
        var context: String
        var unit: String
        var scale: Int
        var decimals: String
        var format: String
        var isNegative: Bool
        var isNil: Bool
        var text: [UInt8] = []
    }

    private(set) var contexts: [String: InlineFacts.Context] = [:]
    private(set) var currencies: [String: String] = [:]
    private(set) var facts: [Fact] = []

    private let concepts: Set<String>
    private var context: (id: String, value: InlineFacts.Context)?
    private var unit: (id: String, measures: [String])?
    private var axis: String?
    private var word: [UInt8]?
    /// The facts around the present place; `nil` for those of other concepts.
    private var open: [Fact?] = []

    init(concepts: Set<String>) { self.concepts = concepts }

    func start(_ name: String, attributes: [(name: String, value: String)]) {
        func value(_ key: String) -> String { attributes.first { $0.name == key }?.value ?? "" }
        if name == "ix:nonfraction" {
            let concept = value("name")
            guard concepts.contains(concept) else { return open.append(nil) }
            open.append(
                Fact(
                    concept: concept, context: value("contextref"), unit: value("unitref"),
                    scale: Int(value("scale")) ?? 0, decimals: value("decimals"), format: value("format"),
                    isNegative: value("sign") == "-", isNil: value("xsi:nil") == "true"))
            return
        }
        switch name.split(separator: ":").last {
        case "context" where !value("id").isEmpty: context = (value("id"), InlineFacts.Context())
        case "unit" where !value("id").isEmpty: unit = (value("id"), [])
        case "explicitmember": (axis, word) = (value("dimension"), [])
        case "typedmember": context?.value.isTyped = true
        case "startdate", "enddate", "measure": word = []
        default: break
        }
    }

    func end(_ name: String) {
        if name == "ix:nonfraction" {
            if let fact = open.popLast() ?? nil { facts.append(fact) }
            return
        }
        let text = word.map { String(decoding: $0, as: UTF8.self).trimmed } ?? ""
        switch name.split(separator: ":").last {
        case "startdate": context?.value.start = text
        case "enddate": context?.value.end = text
        case "explicitmember": axis.map { context?.value.members[$0] = text }
        case "measure": unit?.measures.append(text)
        case "context":
            if let context { contexts[context.id] = context.value }
            context = nil
        case "unit":
            // A ratio, as of an amount for each share, has two.
            if let unit, unit.measures.count == 1, unit.measures[0].lowercased().hasPrefix("iso4217:") {
                currencies[unit.id] = String(unit.measures[0].dropFirst("iso4217:".count))
            }
            unit = nil
        default: return
        }
        word = nil
    }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) {
        if word != nil { word?.append(contentsOf: bytes) }
        for place in open.indices { open[place]?.text.append(contentsOf: bytes) }
    }
}

extension InlineFactReader.Fact {
    /// The amount; `nil` in a form that is no number in English notation.
    var amount: InlineFacts.Amount? {
        let form = format.split(separator: ":").last.map(String.init) ?? ""
        let precision = Int(decimals).map { Self.power(-$0) } ?? 0
        guard !isNil else { return nil }
        if ["fixed-zero", "zerodash", "numdash"].contains(form) {
            return InlineFacts.Amount(value: 0, precision: precision)
        }
        guard ["", "num-dot-decimal", "numdotdecimal", "numcommadot"].contains(form) else { return nil }
        let digits = String(decoding: text, as: UTF8.self).filter { !$0.isWhitespace && $0 != "," }
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), !digits.isEmpty,
            digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }),
            let whole = Double(parts.joined()), parts.joined().count <= 15, abs(scale) <= 15
        else { return nil }
        // 10,568.4 million is 105,684 hundred thousands, which has no rest.
        let shift = scale - (parts.count == 2 ? parts[1].count : 0)
        let value = shift >= 0 ? whole * Self.power(shift) : whole / Self.power(-shift)
        return InlineFacts.Amount(value: isNegative ? -value : value, precision: precision)
    }

    private static func power(_ exponent: Int) -> Double {
        (0..<min(abs(exponent), 30)).reduce(1.0) { value, _ in exponent >= 0 ? value * 10 : value / 10 }
    }
}
