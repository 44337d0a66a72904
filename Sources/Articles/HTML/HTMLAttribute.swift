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
