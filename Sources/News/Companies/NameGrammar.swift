internal import Basics

/// Whether a name in a headline is a company's, by the words around it.
///
/// `Shell warns of weak trading` and `Shell of a mall becomes flats` have one name in one place; what follows it tells
/// them apart. The rules are those of the grammar of headlines: a subject and a verb of business, what a company has, an
/// apposition, the object of a deed, and against it a noun that the name only describes, a compound with a hyphen, and
/// part of a person's or another house's name.
struct NameGrammar {
    let words: [PlacedWord]
    let isTitleCase: Bool

    let language: Language

    init(_ words: [PlacedWord], _ language: Language) {
        self.words = words
        self.language = language
        let all = words.filter { $0.written.first?.isLetter == true }
        // The first word of a sentence has a capital, which says much about a short headline.
        let lettered = all.count <= 4 && all.first?.written == words.first?.written ? Array(all.dropFirst()) : all
        // German nouns have capitals in every sentence.
        isTitleCase =
            language != .german && Double(lettered.count { $0.isCapitalised }) >= 0.6 * Double(lettered.count)
    }

    /// A name in the headline, with what stands beside it in its clause.
    private struct Place {
        var start: Int
        var after: Int
        var last: PlacedWord
        var previous: PlacedWord?
        var next: PlacedWord?
        /// In lower case.
        var following: String?
        /// Whether it stands where a subject does: at the beginning, or after what the company is (`parent Block`).
        var isSubject: Bool
    }

    /// How sure it is that the name is the company's; `nil` where something else is likelier.
    func certainty(of alias: CompanyDirectory.Alias, at start: Int) -> Double? {
        let place = place(start, start + alias.words.count)
        if isOtherHouse(place, alias) { return nil }
        if alias.certainty == .certain { return 0.95 }
        if let following = place.following, BusinessWords.legalForms.contains(following) { return 0.95 }
        if place.next?.followsHyphen == true, language == .english { return compound(place) }
        if words[start].followsHyphen, alias.certainty == .context { return nil }
        // `First Apple TV update`: a product names its company after any words.
        let isOwner = place.following.map(BusinessWords.products.contains) ?? false
        if alias.certainty == .capital, isOwner, place.next?.isCapitalised == true { return 0.9 }
        if isPartOfName(place) { return nil }
        if let rated = rated(place) { return rated }
        let isPriced = place.following == "price" && word(place.after + 1).hasPrefix("target")
        if let following = place.following, !isPriced, BusinessWords.otherThings.contains(following) { return nil }
        if language != .english { return foreign(place, alias) }
        return alias.certainty == .context ? everyday(place, alias.ticker) : ambiguous(place)
    }

    /// A name in a German, French or Spanish headline, where it is hardly ever a word of the language: it needs a word
    /// of business anywhere, or a verb of business behind it.
    private func foreign(_ place: Place, _ alias: CompanyDirectory.Alias) -> Double? {
        if alias.certainty == .context, let following = place.following, ["of", "for"].contains(following) {
            return nil
        }
        if isActor(place) || place.previous?.isGlossed == true && place.last.isCapitalised { return 0.8 }
        if words.contains(where: \.isGlossed) { return 0.7 }
        return alias.certainty == .capital && language != .german && place.previous != nil ? 0.6 : nil
    }

    /// Whether a verb of several actors stands behind the second of two names: `Apple, Goldman end partnership`.
    func haveVerb(after place: Int) -> Bool { BusinessWords.jointVerbs.contains(word(place)) }

    // MARK: - Kinds of names

    /// An everyday word: it needs a word of business.
    private func everyday(_ place: Place, _ ticker: TickerSymbol) -> Double? {
        if isIndex(place) || hasScore { return nil }
        if isActor(place) { return place.following == "to" && isTitleCase && place.previous != nil ? nil : 0.8 }
        if place.last.isPossessive,
            words[place.after...].prefix(3).contains(where: { BusinessWords.beside.contains($0.lower) })
        {
            return 0.8
        }
        if practises(place, ticker) || acts(place) { return 0.75 }
        if means(place) { return 0.65 }
        return isObject(place) || suffers(place) ? 0.7 : nil
    }

    /// A surname, a fruit or a river: it needs a capital and no sign of the other meaning.
    private func ambiguous(_ place: Place) -> Double? {
        if isActor(place) || place.last.isPossessive { return 0.9 }
        if let following = place.following, BusinessWords.deeds.contains(following) { return 0.9 }
        let isInSentence = !isTitleCase && place.previous != nil
        if let next = place.next, next.isCapitalised, isInSentence,
            !CommonWords.generic.contains(Stemmer.stem(next.lower))
        {
            return BusinessWords.products.contains(next.lower) ? 0.8 : nil
        }
        if hasContext { return 0.8 }
        if acts(place) { return 0.75 }
        if means(place) { return 0.7 }
        return isInSentence ? 0.6 : nil
    }

    /// `Apple-made`, `Meta-analysis`: only what a company does to others makes a compound of its name.
    private func compound(_ place: Place) -> Double? {
        place.following.map(BusinessWords.participles.contains) == true ? 0.7 : nil
    }

    // MARK: - Signs for a company

    /// A verb of business, or what a company has, right after the name.
    private func isActor(_ place: Place) -> Bool {
        if isIntention(place) { return true }
        guard let following = place.following, BusinessWords.beside.contains(following) else { return false }
        let next = word(place.after + 1)
        // `Visa rules eased`, `Target date funds draw`: a noun that the next verb has for its subject.
        if BusinessWords.nounsOrVerbs.contains(following), BusinessWords.finiteVerbs.contains(next) { return false }
        // `Shell hits hospital`, `Gap falls to three metres`: what befalls things as well.
        if following == "hit", ["with", "by"].contains(next) { return true }
        if BusinessWords.movements.contains(following) { return hasContext || hasFigure }
        return true
    }

    /// `Meta to cut 10,000 jobs`, `Target must face suit`: an intention of business right after the subject.
    private func isIntention(_ place: Place) -> Bool {
        guard place.isSubject, let helper = place.following, place.after + 1 < words.count else { return false }
        let verb = word(place.after + 1)
        if ["first", "second", "third", "fourth", "full"].contains(helper) {
            return ["quarter", "year"].contains(verb)
        }
        guard ["to", "will", "must", "may", "could", "in", "is", "and"].contains(helper) else { return false }
        // `Meta in talks`, but not `Gap in pay`.
        if helper == "in" { return ["talks", "court", "trial", "focus"].contains(verb) }
        if helper == "is", BusinessWords.continuing.contains(verb) { return true }
        if helper == "and", ["union", "unions"].contains(verb) { return true }
        return BusinessWords.intentions.contains(verb)
            || helper == "and" && words[place.after + 1].isCapitalised
                && words[(place.after + 1)...].contains { BusinessWords.dealings.contains($0.lower) }
    }

    /// `Delta to resume flights`: who means to do something acts, whatever it is. A headline that ends with a
    /// participle has a plan for its subject: `Strategy to end homelessness unveiled`.
    private func means(_ place: Place) -> Bool {
        guard place.isSubject, place.following == "to", !isTitleCase, place.after + 2 < words.count,
            let verb = Optional(words[place.after + 1]), !verb.isCapitalised, verb.written.first?.isLetter == true
        else { return false }
        let isNoun = ["the", "a", "an", "be", "his", "her", "its", "their", "our", "my", "your", "this", "that", "all"]
            .contains(verb.written)
        return !isNoun && words.last?.written.hasSuffix("ed") != true
    }

    /// `Delta cancels 300 flights`: a subject whose verb has an object of the company's own trade.
    private func practises(_ place: Place, _ ticker: TickerSymbol) -> Bool {
        guard place.isSubject, !isTitleCase, words[place.start].isCapitalised, let next = place.next,
            !next.isCapitalised, next.written.utf8.count > 3, next.written.hasSuffix("s")
        else { return false }
        return words[(place.after + 1)...].contains { CompanyTrade.has($0.lower, of: ticker) }
    }

    /// `Ford builds battery plant`: a subject, and a verb and an object of business.
    private func acts(_ place: Place) -> Bool {
        guard place.isSubject, !isTitleCase, words[place.start].isCapitalised, let next = place.next,
            !next.isCapitalised
        else { return false }
        return CompanyActs.areTold(by: next.lower, words[(place.after + 1)...].map(\.lower))
    }

    /// `Shoppers desert Target`: the object of those who deal with companies.
    private func suffers(_ place: Place) -> Bool {
        guard (2...3).contains(place.start), !isTitleCase, words[place.start].isCapitalised,
            CompanyActs.areDone(by: words[0].lower), let verb = place.previous, !verb.isCapitalised,
            !CommonWords.functional.contains(Stemmer.stem(verb.lower))
        else { return false }
        return place.next.map { CommonWords.functional.contains(Stemmer.stem($0.lower)) && $0.lower != "of" } ?? true
    }

    /// `United beats Chelsea 2-1`, `United wins 3-1 at home`: the result of a match.
    private var hasScore: Bool {
        func isCount(_ word: PlacedWord) -> Bool {
            word.written.utf8.count <= 3 && word.written.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
        }
        return words.indices.dropFirst().contains { place in
            words[place].followsHyphen && isCount(words[place]) && isCount(words[place - 1])
        }
    }

    /// `Intel cut to underweight`, `cuts Ford to underperform`: what a house says of a company's shares.
    private func rated(_ place: Place) -> Double? {
        let rest = words[place.after...].prefix(5).map { $0.lower }
        guard let end = rest.firstIndex(where: BusinessWords.ratings.contains) else { return nil }
        if let first = rest.first, BusinessWords.ratingParticiples.contains(first) { return 0.85 }
        let before = place.previous?.lower ?? ""
        let isLinked = ["to", "at", "from", "as", "with"].contains(rest.first ?? "")
        return end > 0 && isLinked && BusinessWords.ratingVerbs.contains(before) ? 0.85 : nil
    }

    /// `lawsuit accuses Target of …`, `workers at Gap`, `takeover of Block`: the object of a deed of business.
    private func isObject(_ place: Place) -> Bool {
        guard place.start > 0, !words[place.start].opensClause, words[place.start].isCapitalised,
            words[..<place.start].contains(where: { !$0.isCapitalised }) || place.start == 1
        else { return false }
        let before = word(place.start - 1)
        let isLinked = BusinessWords.links.contains(before) || BusinessWords.dealings.contains(before)
        let around =
            words[max(0, place.start - 4)..<place.start] + words[place.after..<min(words.count, place.after + 3)]
        return isLinked && around.contains { BusinessWords.dealings.contains($0.lower) }
    }

    // MARK: - Signs against it

    /// `Harrison Ford`, `Big Apple`, `Lilly Allen`, `Ford Foundation`: a capital beside it belongs to the name.
    private func isPartOfName(_ place: Place) -> Bool {
        if let previous = place.previous, previous.isCapitalised, !previous.isPossessive, !previous.isGlossed {
            let before = previous.lower
            let stem = Stemmer.stem(Words.of(previous.written).first?.folded ?? "")
            if !BusinessWords.leading.contains(before), !BusinessWords.roles.contains(before),
                !CommonWords.functional.contains(stem) || BusinessWords.otherNames.contains(before)
            {
                return true
            }
        }
        guard !isTitleCase, !place.last.isPossessive, let next = place.next, let following = place.following,
            next.isCapitalised, !next.isGlossed, next.written.contains(where: \.isLowercase),
            next.written.allSatisfy(\.isLetter)
        else { return false }
        return !BusinessWords.beside.contains(following) && !BusinessWords.products.contains(following)
            && !CommonWords.generic.contains(Stemmer.stem(following)) && !BusinessWords.leading.contains(following)
    }

    /// `Siemens Energy`, `Tesla coil`, `Ford Foundation`: another house, or a thing, that bears the name.
    private func isOtherHouse(_ place: Place, _ alias: CompanyDirectory.Alias) -> Bool {
        guard alias.words.count == 1, !place.last.isPossessive, let next = place.next, let following = place.following
        else { return false }
        return BusinessWords.namedThings.contains(following)
            || next.isCapitalised && !isTitleCase && BusinessWords.otherHouses.contains(following)
    }

    /// `Dow falls 400 points`: a name that is also an index moves as one.
    private func isIndex(_ place: Place) -> Bool {
        guard words[place.start].written == "Dow", let following = place.following else { return false }
        return BusinessWords.movements.contains(following) || ["hits", "futures", "jones"].contains(following)
            || words.contains { ["points", "nasdaq", "record"].contains($0.lower) }
    }

    // MARK: - Words

    private func place(_ start: Int, _ after: Int) -> Place {
        let next = after < words.count && !words[after].opensClause ? words[after] : nil
        let previous = start > 0 && !words[start].opensClause ? words[start - 1] : nil
        let isSubject = previous.map { BusinessWords.roles.contains($0.lower) } ?? true
        return Place(
            start: start, after: after, last: words[after - 1], previous: previous, next: next,
            following: next?.lower, isSubject: isSubject)
    }

    private func word(_ place: Int) -> String { place < words.count ? words[place].lower : "" }

    /// Whether the headline has another word of business.
    private var hasContext: Bool {
        words.contains {
            BusinessWords.products.contains($0.lower)
                || BusinessWords.markets.contains($0.lower)
        }
    }

    private var hasFigure: Bool { words.contains { $0.written.first?.isNumber == true } }
}
