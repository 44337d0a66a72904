/// Hints in an element's class or id about its content.
struct ClassHints: OptionSet, Sendable {
    let rawValue: UInt16

    /// The element may be around an article, but is rarely in it.
    static let unlikely = ClassHints(rawValue: 1)
    /// The element may hold the article, even with other hints.
    static let possible = ClassHints(rawValue: 2)
    /// Raises the score of an element.
    static let positive = ClassHints(rawValue: 4)
    /// Lowers the score of an element.
    static let negative = ClassHints(rawValue: 8)
    static let byline = ClassHints(rawValue: 16)
    /// Buttons to share the page.
    static let sharing = ClassHints(rawValue: 32)

    /// The weight in the score of an element: of its class and of its id, each by itself.
    static func weight(of index: HTMLTree.Index, in tree: HTMLTree) -> Double {
        var weight = 0.0
        for key in [HTMLAttribute.class, .id] {
            guard let name = tree.bytes(of: key, at: index) else { continue }
            let hints = ClassHintMatcher.standard.hints(of: name)
            if hints.contains(.negative) { weight -= 25 }
            if hints.contains(.positive) { weight += 25 }
        }
        return weight
    }

    /// The hints of class and id together.
    static func of(_ index: HTMLTree.Index, in tree: HTMLTree) -> ClassHints {
        var hints: ClassHints = []
        for key in [HTMLAttribute.class, .id] {
            if let name = tree.bytes(of: key, at: index) { hints.formUnion(ClassHintMatcher.standard.hints(of: name)) }
        }
        return hints
    }
}

/// Finds all words of the lists in a name in one pass (the automaton of Aho and Corasick), without regard to case.
struct ClassHintMatcher: Sendable {
    /// The words occur anywhere in a name, as in `post-comments_wrap`; a space matches the edge of a name.
    static let standard = ClassHintMatcher([
        (
            .unlikely,
            """
            -ad-,ad-break,agegate,ai2html,banner,breadcrumb,combx,comment,community,cover-wrap,disqus,extra,footer,gdpr,
            header,legends,menu,pager,pagination,popup,related,remark,replies,rss,shoutbox,sidebar,skyscraper,social,
            sponsor,supplemental,yom-remote,newsletter-signup,cookie-
            """
        ),
        (.possible, "and,article,body,column,content,main,mathjax,shadow"),
        (.positive, "article,blog,body,content,entry,hentry,h-entry,main,page,pagination,post,story,text"),
        (
            .negative,
            """
            -ad-,banner,combx,comment,com-,contact,footer,gdpr,hidden, hid ,masthead,media,meta,outbrain,promo,related,
            scroll,share,shopping,shoutbox,sidebar,skyscraper,sponsor,tags,widget
            """
        ),
        (.byline, "author,byline,dateline,writtenby"),
        (
            .sharing,
            """
             share , share-, share_,-share ,-share-,-share_,_share ,_share-,_share_, sharedaddy ,-sharedaddy, sharedaddy-,
            _sharedaddy, sharedaddy_
            """
        ),
    ])

    /// 26 letters, `-`, `_`, a space for every kind of edge, and one for all other characters.
    private static let width = 31

    private var next: [Int16]
    private var found: [ClassHints]

    init(_ lists: [(ClassHints, String)]) {
        next = Array(repeating: -1, count: Self.width)
        found = [[]]
        for (hint, words) in lists {
            for word in words.split(whereSeparator: { $0 == "," || $0 == "\n" }) { add(word, hint) }
        }
        link()
    }

    func hints(of name: ArraySlice<UInt8>) -> ClassHints {
        var state = step(0, 28)
        var hints: ClassHints = []
        for byte in name {
            state = step(state, Self.symbol(byte))
            hints.formUnion(found[state])
        }
        hints.formUnion(found[step(state, 28)])
        return hints
    }

    private func step(_ state: Int, _ symbol: Int) -> Int { Int(next[state * Self.width + symbol]) }

    private static func symbol(_ byte: UInt8) -> Int {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte - UInt8(ascii: "a"))
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(byte - UInt8(ascii: "A"))
        case UInt8(ascii: "-"): 26
        case UInt8(ascii: "_"): 27
        case 0x09...0x0D, 0x20: 28
        case UInt8(ascii: "2"): 29
        default: 30
        }
    }

    private mutating func add(_ word: Substring, _ hint: ClassHints) {
        var state = 0
        for byte in word.utf8 {
            let place = state * Self.width + Self.symbol(byte)
            if next[place] < 0 {
                next[place] = Int16(found.count)
                found.append([])
                next += Array(repeating: -1, count: Self.width)
            }
            state = Int(next[place])
        }
        found[state].formUnion(hint)
    }

    /// Fills in, for each state, where to go on when no word of the lists does.
    private mutating func link() {
        var fallback = Array(repeating: 0, count: found.count)
        var queue: [Int] = []
        for symbol in 0..<Self.width {
            if next[symbol] < 0 { next[symbol] = 0 } else { queue.append(Int(next[symbol])) }
        }
        var head = 0
        while head < queue.count {
            let state = queue[head]
            head += 1
            found[state].formUnion(found[fallback[state]])
            for symbol in 0..<Self.width {
                let place = state * Self.width + symbol
                let other = next[fallback[state] * Self.width + symbol]
                if next[place] < 0 {
                    next[place] = other
                } else {
                    fallback[Int(next[place])] = Int(other)
                    queue.append(Int(next[place]))
                }
            }
        }
    }
}
