import News
import JobQueue
import TestSupport
import Testing

/// Places, cursors and the mix of streams.
@Suite struct PagingTests {
    @Test func theLatestWindowComesFirstAndWithinItTheMostImportant() throws {
        let keys = [
            (Samples.group(1, impact: .high), 1), (Samples.group(2, impact: .low), 0),
            (Samples.group(3, impact: .moderate, created: Samples.timestamp - .milliseconds(9)), 0),
            (Samples.group(4, impact: .moderate), 0), (Samples.group(5, impact: .moderate), 0),
            (Samples.group(6, impact: .high, title: "A cup and a goalkeeper"), 0),
        ].map { FeedKey(of: $0, window: $1) }
        #expect(keys.sorted().map(\.group) == [5, 4, 3, 2, 6, 1])
    }

    @Test func aCursorIsReadAsItWasWritten() throws {
        let key = FeedKey(window: 2, importance: 84, createdAt: Samples.timestamp - .milliseconds(9), group: 4711)
        for cursor in [
            FeedCursor(begun: Samples.timestamp, last: [key, nil]),
            FeedCursor(begun: Samples.timestamp, last: [nil, key]),
        ] {
            #expect(FeedCursor(cursor.text, streams: 2) == cursor)
            #expect(FeedCursor(cursor.text, streams: 1) == nil)
            #expect(cursor.text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x25 && $0 != 0x26 })
        }
    }

    @Test(arguments: [
        "", "x", "1.2", "zz.1-2-3", "-5.-", "mk2xcl4w.1-2-zzzzzzzzzz-4", "mk2xcl4w.1-2-3-4-5", "mk2xcl4w..",
        "9999999999999999999999.1-2-3-4", "mk2xcl4w.-1-2-3-4", "mk2xcl4w.7-1-1-1", "zzzzzzzzz.-",
        "mk2xcl4w.rs-1-1-1", "mk2xcl4w.1-2-zzzzzzzzz-4", "mk2xcl4w.1-100-1-1", String(repeating: "1", count: 10_000),
    ])
    func otherTextsAreNoCursor(text: String) { #expect(FeedCursor(text, streams: 1) == nil) }

    private func mix(_ own: Int, _ general: Int, _ limit: Int, _ profile: FocusProfile) -> FeedMix<String> {
        FeedMix(
            own: (0..<own).map { "o\($0)" }, general: (0..<general).map { "g\($0)" }, limit: limit,
            rules: FocusRules(profile))
    }

    @Test(arguments: [(FocusProfile.focused, 9), (.balanced, 7), (.broad, 5)])
    func aFocusSetsHowManyOfTenItemsAreAboutHoldings(_ profile: FocusProfile, _ own: Int) {
        let mix = mix(100, 100, 10, profile)
        #expect(mix.counts.own == own && mix.counts.general == 10 - own && mix.hasMore)
        #expect(mix.items.first == "o0" && mix.items.count == 10)
    }

    @Test func generalItemsAreSpreadEvenly() {
        #expect(mix(100, 100, 10, .balanced).items == ["o0", "o1", "o2", "g0", "o3", "o4", "g1", "o5", "o6", "g2"])
    }

    @Test func oneStreamFillsThePlacesThatTheOtherLeavesFree() {
        let few = mix(2, 100, 10, .balanced)
        #expect(few.counts.own == 2 && few.counts.general == 8 && few.hasMore)
        let quiet = mix(100, 1, 10, .balanced)
        #expect(quiet.counts.own == 9 && quiet.counts.general == 1 && quiet.hasMore)
        let all = mix(3, 4, 10, .broad)
        #expect(all.items.count == 7 && !all.hasMore)
        #expect(mix(0, 0, 10, .broad).items.isEmpty)
    }

    @Test func aFocusedFeedDoesNotFillUpWithOtherNews() {
        let few = mix(2, 100, 10, .focused)
        #expect(few.counts.own == 2 && few.counts.general == 1 && !few.hasMore)
        #expect(mix(30, 100, 10, .focused).hasMore)
    }

    @Test func aUserWithoutHoldingsGetsAllOfTheGeneralNews() {
        for profile in FocusProfile.allCases {
            let rules = FocusRules(profile, holdsAnything: false)
            #expect(rules.fillsUp && rules.leastGeneralImpact == .veryLow)
        }
        #expect(FocusRules(.focused).leastGeneralImpact == .moderate && FocusRules(.broad).countsMentions)
    }

    @Test func aSinglePlaceGoesToAHolding() { #expect(mix(5, 5, 1, .broad).items == ["o0"]) }

    @Test(arguments: [
        ("2026-01-04", Timestamp(milliseconds: 1_767_484_800_000)), ("1970-01-01", 0),
        ("2024-02-29", 1_709_164_800_000),
        ("2025-02-29", nil), ("2026-13-01", nil), ("2026-1-4", nil), ("2026-01-04T", nil), ("today", nil),
        ("2026-04-31", nil), ("９026-01-04", nil), ("-026-01-04", nil),
    ])
    func aDateIsADayOfTheCalendar(_ text: String, _ start: Timestamp?) {
        #expect(FeedTimestamp.start(ofDate: text) == start)
    }

    @Test func everyDayOfTwoCenturiesIsRead() {
        for day in stride(from: Int64(0), to: 73_000, by: 13) {
            let start = Timestamp(milliseconds: day * 86_400_000)
            #expect(FeedTimestamp.start(ofDate: FeedTimestamp.date(start)) == start)
        }
    }
}
