/// The kind of a node: an element that the extraction knows by name, any other element, or a text.
enum HTMLTag: UInt8, CaseIterable, Sendable {
    case textNode, otherElement
    case a, abbr, address, article, aside, audio, b, base, bdo, big, blockquote, body, br, button, canvas, caption
    case center, cite, code, col, colgroup, data, datalist, dd, del, details, dfn, dialog, dir, div, dl, dt, em, embed
    case fieldset, figcaption, figure, font, footer, form, h1, h2, h3, h4, h5, h6, head, header, hgroup, hr, html, i
    case iframe, img, input, ins, kbd, label, legend, li, link, main, mark, math, menu, meta, meter, nav, noscript
    case object, ol, optgroup, option, output, p, picture, pre, progress, q, ruby, s, samp, script, section, select
    case small, source, span, strike, strong, style, sub, summary, sup, svg, table, tbody, td, template, textarea
    case tfoot, th, thead, time, title, tr, track, tt, u, ul, `var`, video, wbr

    /// By the name in lower case.
    static let byName = Dictionary(
        uniqueKeysWithValues: allCases.filter { $0 != .textNode && $0 != .otherElement }.map { ("\($0)", $0) })
}

/// A set of tags that answers in one step.
struct HTMLTagSet: ExpressibleByArrayLiteral, Sendable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    init(arrayLiteral elements: HTMLTag...) {
        for element in elements {
            if element.rawValue < 64 { low |= 1 << element.rawValue } else { high |= 1 << (element.rawValue - 64) }
        }
    }

    func contains(_ tag: HTMLTag) -> Bool {
        tag.rawValue < 64 ? low >> tag.rawValue & 1 == 1 : high >> (tag.rawValue - 64) & 1 == 1
    }

    static func + (left: HTMLTagSet, right: HTMLTagSet) -> HTMLTagSet {
        var sum = left
        sum.low |= right.low
        sum.high |= right.high
        return sum
    }

    /// Elements that have neither content nor an end tag.
    static let void: HTMLTagSet = [.base, .br, .col, .embed, .hr, .img, .input, .link, .meta, .source, .track, .wbr]

    static let headings: HTMLTagSet = [.h1, .h2, .h3, .h4, .h5, .h6]

    /// Elements that make a block of their own within a text.
    static let blocks: HTMLTagSet = [.blockquote, .dl, .div, .img, .ol, .p, .pre, .table, .ul]

    /// Inline elements.
    static let phrasing: HTMLTagSet = [
        .textNode, .abbr, .audio, .b, .bdo, .big, .br, .button, .cite, .code, .data, .datalist, .dfn, .em, .embed,
        .font,
        .i, .img, .input, .kbd, .label, .mark, .math, .meter, .object, .output, .progress, .q, .ruby, .s, .samp,
        .select, .small, .span, .strong, .sub, .sup, .textarea, .time, .tt, .u, .`var`, .wbr,
    ]
}

/// The attributes that the extraction reads; all others are dropped while the page is read.
enum HTMLAttribute: UInt8, CaseIterable, Sendable {
    case alt, ariaHidden, ariaModal, charset, `class`, content, data, datatable, datetime, dir, hidden, href, httpEquiv
    case id, itemprop, itemtype, lang, name, property, rel, role, src, style, summary, type

    var name: String {
        switch self {
        case .ariaHidden: "aria-hidden"
        case .ariaModal: "aria-modal"
        case .httpEquiv: "http-equiv"
        default: "\(self)"
        }
    }

    static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })
}
