/// Takes from a page what would make the parser slow: it compares each attribute of a tag with all before it, so a tag
/// with hundreds of thousands of them would keep it busy for hours.
enum HTMLSource {
    private static let mostAttributes = 256

    /// The page with every tag ended after so many attributes; nearly always the page as it is.
    static func bounded(_ page: [UInt8]) -> [UInt8] {
        var ends: [Int] = []
        page.withUnsafeBufferPointer { page in
            var place = 0
            while place < page.count {
                guard page[place] == UInt8(ascii: "<"), place + 1 < page.count, isLetter(page[place + 1]) else {
                    place += 1
                    continue
                }
                place = tagEnd(page, from: place + 1, &ends)
            }
        }
        guard !ends.isEmpty else { return page }
        var bounded = page
        for end in ends { bounded[end] = UInt8(ascii: ">") }
        return bounded
    }

    /// Where to go on looking for tags: behind this one, or where it has to end.
    private static func tagEnd(_ page: UnsafeBufferPointer<UInt8>, from start: Int, _ ends: inout [Int]) -> Int {
        var place = start
        var attributes = 0
        while place < page.count {
            let byte = page[place]
            if byte == UInt8(ascii: ">") { return place + 1 }
            if isSpace(byte) || byte == UInt8(ascii: "/") {
                attributes += 1
                if attributes > mostAttributes {
                    ends.append(place)
                    return place + 1
                }
                while place + 1 < page.count, isSpace(page[place + 1]) { place += 1 }
            } else if byte == UInt8(ascii: "="), place + 1 < page.count,
                page[place + 1] == UInt8(ascii: "\"") || page[place + 1] == UInt8(ascii: "'")
            {
                // A value in quotes may be long and hold anything.
                let quote = page[place + 1]
                place += 2
                while place < page.count, page[place] != quote { place += 1 }
                // The next attribute may follow without white space.
                attributes += 1
                if attributes > mostAttributes * 2, place + 1 < page.count {
                    ends.append(place + 1)
                    return place + 2
                }
            }
            place += 1
        }
        return place
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}
