/// Counts of a box's content, to distinguish a part of an article from its surroundings.
struct BoxCensus {
    private var paragraphs = 0
    private var images = 0
    private var items = 0
    private var inputs = 0
    private var embeds = 0
    private var headingLength = 0
    private var listLength = 0
    private var hasText = false
    private(set) var hasVideo = false
    private var itemsAreSimple = true

    private static let textTags: HTMLTagSet = .blocks + [.span, .li, .td]

    init(of index: HTMLTree.Index, in tree: HTMLTree) {
        var count = BoxCensus()
        // Lists in lists, and headings in headings, are counted with the outer one.
        var (listEnd, headingEnd) = (index, index)
        tree.walk(index) { inner, node in
            if inner == listEnd { listEnd = index }
            if inner == headingEnd { headingEnd = index }
            switch node.tag {
            case .p: count.paragraphs += 1
            case .img: count.images += 1
            case .li:
                count.items += 1
                let elements = tree.children(of: inner).count { tree[$0].tag != .textNode }
                if elements > 1 { count.itemsAreSimple = false }
            case .input: count.inputs += 1
            case .h1, .h2, .h3, .h4, .h5, .h6:
                guard headingEnd == index else { break }
                count.headingLength += tree.measure(inner).length
                headingEnd = tree.following(inner, in: index, skippingChildren: true)
            case .ul, .ol:
                guard listEnd == index else { break }
                count.listLength += tree.measure(inner).length
                listEnd = tree.following(inner, in: index, skippingChildren: true)
            case .object, .embed, .iframe:
                count.embeds += 1
                if VideoHosts.names(inner, in: tree) { count.hasVideo = true }
            default: break
            }
            if !count.hasText, Self.textTags.contains(node.tag), tree.hasText(inner) { count.hasText = true }
            return true
        }
        self = count
    }

    private init() {}

    /// A list of pictures, one in each item.
    var isGallery: Bool { itemsAreSimple && items == images }

    func listShare(of measure: HTMLTree.Measure) -> Double {
        measure.length == 0 ? 0 : Double(listLength) / Double(measure.length)
    }

    func speaksAgainst(
        _ measure: HTMLTree.Measure, weight: Double, isList: Bool, isInFigure: Bool, in tree: HTMLTree,
        _ index: HTMLTree.Index
    ) -> Bool {
        if measure.length < 40, BoilerplateLabel.matches(tree.line(index)) { return true }
        let density = measure.linkDensity
        if !isInFigure, images > 1, Double(paragraphs) / Double(images) < 0.5 { return true }
        if !isList, items - 100 > paragraphs { return true }
        if inputs > paragraphs / 3 { return true }
        let headingShare = measure.length == 0 ? 0 : Double(headingLength) / Double(measure.length)
        if !isList, !isInFigure, headingShare < 0.9, measure.length < 25, images == 0 || images > 2, density > 0 {
            return true
        }
        if !isList, weight < 25, density > 0.2 { return true }
        if weight >= 25, density > 0.5 { return true }
        if embeds == 1 && measure.length < 75 || embeds > 1 { return true }
        return images == 0 && !hasText
    }
}
